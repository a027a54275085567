import assert from 'node:assert/strict';
import { presentIdempotencyKey, resourcePath } from '#domain/idempotency-keys.ts';

const ulid = '01JF3Z8Q4V7Y2N6K5T9R0C1B3D';

describe('An idempotency key over the wire', () => {
  it('shows each use, done or in progress', () => {
    const since = new Date('2026-11-01T12:00:00.000Z');
    const until = new Date('2026-11-02T12:00:00.000Z');
    const use = { endpoint: 'POST /v1/charges', since, until, resource: '/v1/charges/ch_1' };
    const shown = {
      endpoint: 'POST /v1/charges',
      since: '2026-11-01T12:00:00.000Z',
      until: '2026-11-02T12:00:00.000Z',
      resource: '/v1/charges/ch_1',
    };
    const uses = [
      { ...use, isDone: true },
      { ...use, isDone: false },
    ];
    assert.deepEqual(presentIdempotencyKey('order-1', uses), {
      object: 'idempotency_key',
      key: 'order-1',
      uses: [
        { ...shown, status: 'done' },
        { ...shown, status: 'in_progress' },
      ],
    });
  });
});

describe('The path of a resource', () => {
  const paths: [prefix: string, collection: string | null][] = [
    ['ch', 'charges'],
    ['re', 'refunds'],
    ['cus', 'customers'],
    ['op', 'operations'],
    ['cl', 'clients'],
    ['we', 'webhook-endpoints'],
    ['wd', 'webhook-deliveries'],
    ['evt', null],
  ];
  for (const [prefix, collection] of paths) {
    it(`of ${prefix}_… is ${collection ?? 'none'}`, () => {
      const id = `${prefix}_${ulid}`;
      assert.equal(resourcePath(id), collection && `/v1/${collection}/${id}`);
    });
  }
});
