import assert from 'node:assert/strict';
import {
  isDone,
  presentOperation,
  replyToOperation,
  resultPath,
  retryAfterSeconds,
  type Operation,
  type OperationStatus,
} from '#domain/operations.ts';

const now = new Date('2026-11-21T12:00:00.000Z');

describe('Retry-After of an operation', () => {
  const cases: [
    what: string,
    running: [seconds: number, completed: number, total: number | null],
    wait: number,
  ][] = [
    ['nothing is known of its work yet', [100, 0, null], 1],
    ['nothing is done yet', [100, 0, 1_000], 1],
    ['it is not known how much there is', [100, 5, null], 1],
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

  it('is 1 s for one that no worker began', () => {
    assert.equal(retryAfterSeconds(operation({ completed: 1, total: 9_999 }), now), 1);
  });

  for (const status of ['queued', 'cancelling', 'succeeded'] as OperationStatus[]) {
    it(`is 1 s for one that is ${status}`, () => {
      assert.equal(
        retryAfterSeconds(
          operation({ status, completed: 1, total: 9_999, startedAt: new Date(now.getTime() - 60_000) }),
          now,
        ),
        1,
      );
    });
  }
});

describe('An operation over the wire', () => {
  const id = 'op_01JF3ZC5T7P3X9R2V8K4M6N1WD';
  const shown = {
    name: `operations/${id}`,
    object: 'operation',
    id,
    type: 'export',
    status: 'running',
    done: false,
    progress: null,
    request: { resource: 'charges', format: 'csv', filter: {} },
    created: '2026-11-21T12:00:00.000Z',
    updated: '2026-11-21T12:00:00.000Z',
    expires_at: null,
  };
  const doneAt = new Date('2026-11-21T13:00:00.000Z');
  const result = { key: 'k', contentType: 'text/csv', size: 7, sha256: 'aa' };

  it('shows how far it is once that is known', () => {
    assert.deepEqual(presentOperation(operation({}), '/result'), shown);
    const { progress } = presentOperation(operation({ completed: 3, total: 9 }), '');
    assert.deepEqual(progress, { completed: 3, total: 9 });
  });

  it('that succeeded shows its result, for seven days', () => {
    const done = operation({ status: 'succeeded', doneAt, result });
    assert.deepEqual(presentOperation(done, '/result'), {
      ...shown,
      status: 'succeeded',
      done: true,
      expires_at: '2026-12-21T13:00:00.000Z',
      response: {
        href: '/result',
        content_type: 'text/csv',
        size: 7,
        sha256: 'aa',
        expires_at: '2026-11-28T13:00:00.000Z',
      },
    });
    assert.equal('response' in presentOperation({ ...done, result: null }, ''), false);
  });

  it('that failed shows why, and no result', () => {
    const error = { code: 'operation_failed' } as unknown as Operation['error'];
    const resource = presentOperation(operation({ status: 'failed', doneAt, result, error }), '');
    assert.deepEqual([resource.error, 'response' in resource], [error, false]);
  });

  it('is done once it has ended', () => {
    const statuses = ['queued', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled'] as const;
    assert.deepEqual(
      statuses.filter((status) => isDone({ status })),
      ['succeeded', 'failed', 'cancelled'],
    );
  });

  const paths: [Operation['type'], string][] = [
    ['export', `/v1/exports/${id}`],
    ['charge_batch', `/v1/charge-batches/${id}`],
    ['webhook_replay', `/v1/operations/${id}`],
  ];
  for (const [type, path] of paths) {
    it(`of type ${type} is answered with its place`, () => {
      const one = operation({ type });
      const reply = { status: 202, path, resource: presentOperation(one, '') };
      assert.deepEqual(replyToOperation(one), reply);
      assert.equal(resultPath(one), `${path}/result`);
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
    request: { resource: 'charges', format: 'csv', filter: {} },
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    cancelRequestedAt: null,
    doneAt: null,
    version: 1,
    ...of,
  };
}
