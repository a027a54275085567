import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ulid } from 'ulid';
import { findIdInPath, firstIdAt, formatId, idPattern, idTime, isId } from '#domain/ids.ts';
import { keyPart, workflowId } from '#temporal/client/ids.ts';

describe('ids', () => {
  it('carry the time they were made at', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 47 }), (time) => {
        assert.equal(idTime(formatId('charge', ulid(time))), time);
      }),
    );
  });

  it('sort behind the first id of their millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 47 }), (time) => {
        const id = formatId('charge', ulid(time));
        assert.ok(firstIdAt('charge', time) <= id);
        assert.ok(id < firstIdAt('charge', time + 1));
      }),
    );
  });

  it('of the last millisecond are the last that can be', () => {
    assert.equal(firstIdAt('charge', 2 ** 48 - 1), `ch_7ZZZZZZZZZ${'0'.repeat(16)}`);
    assert.equal(firstIdAt('charge', 2 ** 50), `ch_7ZZZZZZZZZ${'0'.repeat(16)}`);
    assert.equal(firstIdAt('charge', -1), `ch_${'0'.repeat(26)}`);
    assert.equal(firstIdAt('charge', 0.5), `ch_0000000001${'0'.repeat(16)}`);
  });

  it('are taken as they are issued, by code and pattern', () => {
    const id = 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D';
    assert.ok(isId('charge', id));
    assert.equal(idPattern('charge'), '^ch_[0-7][0-9A-HJKMNP-TV-Z]{25}$');
    assert.ok(new RegExp(idPattern('charge')).test(id));
  });

  const paths: [path: string, id: string | null][] = [
    ['/v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D', 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D'],
    ['/v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D:capture', 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D'],
    ['/v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D/refunds?limit=1', 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D'],
    ['/v1/customers/cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D?a', 'cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D'],
    ['/v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3DX', null],
    ['/v1/charges/ch_91JF3Z8Q4V7Y2N6K5T9R0C1B3D', null],
    ['/v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3', null],
    ['/v1/charges', null],
  ];
  for (const [path, id] of paths) {
    it(`are ${id ? 'found' : 'not found'} in ${path}`, () => assert.equal(findIdInPath(path), id));
  }

  const refused = [
    'ch_',
    'x01JF3Z8Q4V7Y2N6K5T9R0C1B3Dch_',
    '01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
    'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3DD',
    'ch_ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
    'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3',
    'ch_01jf3z8q4v7y2n6k5t9r0c1b3d',
    're_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
    'ch_81JF3Z8Q4V7Y2N6K5T9R0C1B3D',
    'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3I',
  ];
  for (const value of refused) {
    it(`does not take ${value} for a charge`, () => assert.equal(isId('charge', value), false));
  }
});

describe('workflow ids', () => {
  it('show a short plain key as it is', () => {
    assert.equal(workflowId('charge', 'acct_1', 'order-6735'), 'charge/acct_1/order-6735');
  });

  it('stay under 255 characters with the longest key', () => {
    const account = formatId('account', ulid());
    const id = workflowId('charge', account, 'k'.repeat(255));
    assert.ok(id.length < 255, `${id.length} characters`);
  });

  it('tell any two keys apart', () => {
    const key = fc.string({
      minLength: 1,
      maxLength: 255,
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
    });
    fc.assert(
      fc.property(key, key, (one, other) => {
        assert.equal(keyPart(one) === keyPart(other), one === other);
      }),
    );
  });

  it('never confuse a plain key with another’s hash', () => {
    const hashed = keyPart('x'.repeat(101));
    assert.notEqual(keyPart(hashed), hashed);
  });
});
