import assert from 'node:assert/strict';
import {
  applyOutcome,
  describeState,
  isSettlementDue,
  presentRefund,
  replyToRefund,
  replyToReversal,
  type Refund,
} from '#domain/refunds.ts';

const at = new Date('2026-11-01T12:00:00.000Z');
const durations = { reversibleMs: 3_600_000, settlementMs: 86_400_000 };

const refund: Refund = {
  id: 're_01JF3Z9B6W8X1M4H7S2Q5D0E9G',
  accountId: 'acct_1',
  chargeId: 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  claimId: 'clm_1',
  workflowId: 'refund/acct_1/key',
  source: 'api',
  amount: 400,
  currency: 'EUR',
  status: 'pending',
  reason: 'duplicate',
  metadata: { order: '6735' },
  failure: null,
  receipt: { processor: { id: null, kind: 'stripe', reference: 're_3Mtw' }, bank_reference: '745376' },
  processorAttempt: 1,
  sendAfter: null,
  processorPending: false,
  processorFault: null,
  reversalClaimId: null,
  reversibleUntil: null,
  settlesAt: null,
  createdAt: at,
  updatedAt: at,
  version: 3,
};
const path = `/v1/refunds/${refund.id}`;
const settlesAt = new Date('2026-11-02T12:00:00.000Z');

describe('A refund over the wire', () => {
  it('shows every member', () => {
    const reversibleUntil = new Date('2026-11-01T13:00:00.000Z');
    assert.deepEqual(presentRefund({ ...refund, reversibleUntil }), {
      id: refund.id,
      object: 'refund',
      charge: refund.chargeId,
      source: 'api',
      amount: 400,
      currency: 'EUR',
      status: 'pending',
      reason: 'duplicate',
      metadata: { order: '6735' },
      reversible_until: '2026-11-01T13:00:00.000Z',
      failure: null,
      processor: { id: null, kind: 'stripe', reference: 're_3Mtw' },
      bank_reference: '745376',
      created: '2026-11-01T12:00:00.000Z',
      updated: '2026-11-01T12:00:00.000Z',
    });
    assert.equal(presentRefund(refund).reversible_until, null);
  });

  it('that the processor took back failed for the merchant', () => {
    const before: Refund = { ...refund, processorPending: true, processorFault: 'processor_timeout' };
    const moved = applyOutcome(before, { kind: 'reversed', processorId: 'p' }, durations, settlesAt);
    assert.deepEqual(moved, {
      event: 'refund.failed',
      refund: {
        ...refund,
        status: 'failed',
        updatedAt: settlesAt,
        failure: { code: 'refund_reversed', message: 'The processor took the refund back.' },
      },
    });
  });

  it('is not due before its time to settle is known', () => {
    assert.equal(isSettlementDue({ ...refund, status: 'processed', settlesAt: null }, settlesAt), false);
  });
});

describe('The answer to a refund', () => {
  const statuses: [Refund['status'], 201 | 202][] = [
    ['pending', 202],
    ['processed', 201],
    ['settled', 201],
    ['reversed', 201],
  ];
  for (const [status, code] of statuses) {
    it(`that reads ${status} is ${code} with the refund`, () => {
      const shown = { ...refund, status };
      assert.deepEqual(replyToRefund(shown), { status: code, path, resource: presentRefund(shown) });
    });
  }

  it('that failed says why', () => {
    const failed: Refund = { ...refund, status: 'failed', failure: { code: 'no', message: 'No' } };
    const extras = { refund: refund.id };
    assert.deepEqual(replyToRefund(failed), { problem: 'refund_failed', detail: 'No', extras });
    const unexplained = { ...failed, failure: null };
    assert.deepEqual(replyToRefund(unexplained), { problem: 'refund_failed', detail: undefined, extras });
  });

  it('to its reversal shows the refund with its version', () => {
    const reversed: Refund = { ...refund, status: 'reversed' };
    const shown = { status: 200, path, resource: presentRefund(reversed) };
    assert.deepEqual(replyToReversal(reversed), { ...shown, record: { id: refund.id, version: 3 } });
    assert.deepEqual(replyToReversal(reversed, 4), { ...shown, record: { id: refund.id, version: 4 } });
  });

  it('to a reversal that came too late refuses', () => {
    for (const status of ['pending', 'processed', 'settled', 'failed'] as const)
      assert.deepEqual(replyToReversal({ ...refund, status }), { problem: 'refund_not_reversible' });
  });
});

describe('The state of a refund', () => {
  const until = settlesAt.toISOString();
  const states: [what: string, Partial<Refund>, type: string, detail: object][] = [
    ['settled', { status: 'settled' }, 'refund_settled', { amount: 400 }],
    ['failed', { status: 'failed' }, 'refund_failed', { amount: 400 }],
    ['reversed', { status: 'reversed' }, 'refund_reversed', { amount: 400 }],
    ['waiting for its processor', { processorPending: true }, 'waiting', { for: 'processor' }],
    ['waiting to settle', { status: 'processed', settlesAt }, 'waiting', { for: 'settlement', until }],
    ['waiting without an end', { status: 'processed' }, 'waiting', { for: 'settlement' }],
  ];
  for (const [what, change, type, detail] of states) {
    it(`on its timeline: ${what}`, () => {
      assert.deepEqual(describeState({ ...refund, ...change }), [
        { at, type, detail: { ...detail, refund: refund.id } },
      ]);
    });
  }

  it('is not told while an outcome is unknown', () => {
    assert.deepEqual(describeState(refund), []);
    assert.deepEqual(describeState({ ...refund, status: 'processed', reversalClaimId: 'clm_2' }), []);
  });
});
