import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fingerprint } from '../../api/fingerprint.ts';

const of = (body: unknown, path = '/v1/charges', method = 'POST') =>
  fingerprint(method, path, body).toString('hex');

describe('fingerprint', () => {
  it('does not depend on the order of members', () => {
    assert.equal(of({ a: 1, b: { c: 2, d: 3 } }), of({ b: { d: 3, c: 2 }, a: 1 }));
  });

  it('depends on the concrete path', () => {
    assert.notEqual(of({}, '/v1/charges/ch_1:capture'), of({}, '/v1/charges/ch_2:capture'));
  });

  it('depends on the method', () => {
    assert.notEqual(of({}, '/v1/charges', 'POST'), of({}, '/v1/charges', 'PUT'));
  });

  it('depends on every value', () => {
    const body = fc.dictionary(
      fc.string(),
      fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null)),
    );
    fc.assert(
      fc.property(body, fc.string(), fc.integer(), (members, name, value) => {
        const changed = { ...members, [name]: members[name] === value ? value + 1 : value };
        assert.notEqual(of(members), of(changed));
      }),
    );
  });
});
