import assert from 'node:assert/strict';
import { retryAfterSeconds, type Operation, type OperationStatus } from '#domain/operations.ts';

const now = new Date('2026-11-21T12:00:00.000Z');

describe('Retry-After of an operation', () => {
  const cases: [
    what: string,
    running: [seconds: number, completed: number, total: number | null],
    wait: number,
  ][] = [
    ['nothing is known of its work yet', [100, 0, null], 1],
    ['nothing is done yet', [100, 0, 1_000], 1],
    ['a quarter of what is left: 40 s', [40, 500, 1_000], 10],
    ['a quarter of what is left: 160 s', [40, 200, 1_000], 40],
    ['it is never more than a minute', [40, 1, 1_000], 60],
    ['it is never less than a second', [40, 999, 1_000], 1],
  ];
  for (const [what, [seconds, completed, total], wait] of cases) {
    it(`is ${wait} s in this case: ${what}`, () => {
      const startedAt = new Date(now.getTime() - seconds * 1_000);
      assert.equal(retryAfterSeconds(operation({ startedAt, completed, total }), now), wait);
    });
  }

  it('grows with the time that is left', () => {
    const startedAt = new Date(now.getTime() - 10_000);
    const waits = [1_000, 2_000, 4_000, 8_000, 16_000].map((total) =>
      retryAfterSeconds(operation({ startedAt, completed: 500, total }), now),
    );
    assert.deepEqual(waits, [3, 8, 18, 38, 60]);
  });

  for (const status of ['queued', 'cancelling'] as OperationStatus[]) {
    it(`is 1 s for one that is ${status}`, () => {
      assert.equal(
        retryAfterSeconds(operation({ status, completed: 1, total: 9_999, startedAt: now }), now),
        1,
      );
    });
  }
});

function operation(of: Partial<Operation>): Operation {
  return {
    id: 'op_01JF3ZC5T7P3X9R2V8K4M6N1WD',
    accountId: 'acct_01JF3ZC5T7P3X9R2V8K4M6N1WD',
    claimId: 'clm_01JF3ZC5T7P3X9R2V8K4M6N1WD',
    workflowId: 'export/acct/key',
    type: 'export',
    status: 'running',
    completed: 0,
    total: null,
    result: null,
    error: null,
    exportRequest: null,
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    cancelRequestedAt: null,
    doneAt: null,
    version: 1,
    ...of,
  };
}
