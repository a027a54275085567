import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { fingerprint } from '#api/writes/fingerprint.ts';

const of = async (body: unknown, path = '/v1/charges', method = 'POST') =>
  (await fingerprint(method, path, body)).toString('hex');

describe('fingerprint', () => {
  it('does not depend on the order of members', async () => {
    assert.equal(await of({ a: 1, b: { c: 2, d: 3 } }), await of({ b: { d: 3, c: 2 }, a: 1 }));
  });

  it('depends on the concrete path', async () => {
    assert.notEqual(await of({}, '/v1/charges/ch_1:capture'), await of({}, '/v1/charges/ch_2:capture'));
  });

  it('depends on the method of the request', async () => {
    assert.notEqual(await of({}, '/v1/charges', 'POST'), await of({}, '/v1/charges', 'PUT'));
  });

  it('differs for different halves of a surrogate pair', async () => {
    const texts = ['\ud800', '\ud801', '\ufffd'];
    const prints = await Promise.all(texts.flatMap((text) => [of({ a: [text] }), of({ [text]: 1 })]));
    assert.equal(new Set(prints).size, 6);
  });

  it('equals a hash of the whole for many rows', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => ({ b: index, a: [`r${index}`, null, { c: {} }] }));
    for (const body of [{ charges: rows }, { z: rows, a: 1, é: 'x', '"': [] }]) {
      const whole = createHash('sha256').update(`POST\n/v1/charges\n${canonicalize(body) ?? ''}`);
      assert.equal(await of(body), whole.digest('hex'));
    }
  });

  it('depends on every value of the body', async () => {
    const body = fc.dictionary(
      fc.string(),
      fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null)),
    );
    await fc.assert(
      fc.asyncProperty(body, fc.string(), fc.integer(), async (members, name, value) => {
        const changed = { ...members, [name]: members[name] === value ? value + 1 : value };
        assert.notEqual(await of(members), await of(changed));
      }),
    );
  });
});
