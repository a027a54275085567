import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergePatch } from '#api/json/json.ts';
import { isObject, mergePatchOfRfc } from '../support/merge-patch.ts';

/** Few names, so that patch and target meet; some that objects have of themselves. */
const names = fc.constantFrom('a', 'b', 'c', 'constructor', 'toString');
const { json } = fc.letrec<{ json: unknown; leaf: unknown; object: unknown }>((tie) => ({
  leaf: fc.oneof(fc.constant(null), fc.integer(), fc.string(), fc.boolean()),
  object: fc.dictionary(names, tie('json'), { maxKeys: 4, noNullPrototype: false }),
  json: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    tie('leaf'),
    tie('object'),
    fc.array(tie('json'), { maxLength: 3 }),
  ),
}));

/** As a reader sees it: without prototypes, in no order. */
const seen = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe('A merge patch', () => {
  it('does what the pseudo-code of RFC 7386 does', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        // The pseudo-code looks up members, which must not find what every object has.
        const copy = JSON.parse(JSON.stringify(target), (_name, value: unknown) =>
          isObject(value) ? Object.assign(Object.create(null) as object, value) : value,
        ) as unknown;
        assert.deepEqual(seen(mergePatch(target, patch)), seen(mergePatchOfRfc(copy, patch)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('changes nothing when it is applied again', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const once = mergePatch(target, patch);
        assert.deepEqual(seen(mergePatch(once, patch)), seen(once));
      }),
    );
  });

  it('leaves target and patch as they are', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        mergePatch(target, patch);
        assert.equal(JSON.stringify([target, patch]), before);
      }),
    );
  });

  /** RFC 7386, Appendix A. */
  const cases: [target: unknown, patch: unknown, result: unknown][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, result] of cases) {
    it(`${JSON.stringify(patch)} changes ${JSON.stringify(target)} to ${JSON.stringify(result)}`, () => {
      assert.deepEqual(mergePatch(target, patch), result);
    });
  }

  it('takes __proto__ for a member like any other', () => {
    const patch = JSON.parse('{"__proto__":{"a":1}}') as unknown;
    assert.equal(JSON.stringify(mergePatch({}, patch)), '{"__proto__":{"a":1}}');
  });
});
