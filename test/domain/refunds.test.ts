import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  applyLateOutcome,
  applyOutcome,
  applyReversal,
  applySettlement,
  describeMove,
  isSettlementDue,
  isTerminal,
  nextStep,
  presentRefund,
  refundRefusal,
  type Refund,
  type RefundMove,
  type RefundOutcome,
  type RefundStatus,
} from '#domain/refunds.ts';

const now = new Date('2026-11-01T12:00:00.000Z');
const durations = { reversibleMs: 3_600_000, settlementMs: 86_400_000 };
/** As the statement that begins a reversal decides, by the database's clock. */
const isReversible = ({ status, reversibleUntil }: Refund, clock: Date) =>
  status === 'processed' && reversibleUntil !== null && clock < reversibleUntil;
const later = (ms: number) => new Date(now.getTime() + ms);

function pendingRefund(changes: Partial<Refund> = {}): Refund {
  return {
    id: 're_01JF3Z9B6W8X1M4H7S2Q5D0E9G',
    accountId: 'acct_1',
    chargeId: 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
    claimId: 'clm_1',
    workflowId: 'refund/acct_1/key',
    source: 'api',
    amount: 400,
    currency: 'EUR',
    status: 'pending',
    reason: null,
    metadata: {},
    failure: null,
    receipt: { processor: { id: null, kind: 'stripe', reference: null }, bank_reference: null },
    processorAttempt: 1,
    sendAfter: null,
    processorPending: false,
    processorFault: null,
    reversalClaimId: null,
    reversibleUntil: null,
    settlesAt: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
    ...changes,
  };
}

const processedOutcome: RefundOutcome = { kind: 'processed', processorId: 'p' };
const failedOutcome: RefundOutcome = {
  kind: 'failed',
  processorId: 'p',
  code: 'refund_declined',
  message: 'No',
};
const processed = () => applyOutcome(pendingRefund(), processedOutcome, durations, now).refund;

describe('a refund', () => {
  const outcomes: [RefundOutcome, status: string, event: string | null, next: string][] = [
    [processedOutcome, 'processed', 'refund.processed', 'await_settlement'],
    [{ kind: 'pending', processorId: 'p' }, 'pending', null, 'await_processor'],
    [failedOutcome, 'failed', 'refund.failed', 'done'],
    [{ kind: 'reversed', processorId: 'p' }, 'failed', 'refund.failed', 'done'],
  ];
  for (const [outcome, status, event, next] of outcomes) {
    it(`that the processor calls ${outcome.kind} reads ${status}`, () => {
      const move = applyOutcome(pendingRefund(), outcome, durations, now);
      assert.deepEqual([move.refund.status, move.event, nextStep(move.refund)], [status, event, next]);
    });
  }

  it('of unknown outcome is asked for', () => {
    assert.equal(nextStep(pendingRefund()), 'resolve');
  });

  it('shows the code and message of its failure', () => {
    const { refund } = applyOutcome(pendingRefund(), failedOutcome, durations, now);
    assert.deepEqual(presentRefund(refund).failure, { code: 'refund_declined', message: 'No' });
  });

  it('can be reversed from processing, for the account’s time', () => {
    assert.equal(pendingRefund().reversibleUntil, null);
    assert.equal(processed().reversibleUntil?.toISOString(), '2026-11-01T13:00:00.000Z');
  });

  it('settles at the account’s time unless a reversal began', () => {
    assert.equal(isSettlementDue(processed(), later(86_399_999)), false);
    assert.equal(isSettlementDue(processed(), later(86_400_000)), true);
    const begun = { ...processed(), reversalClaimId: 'clm_2' };
    assert.equal(isSettlementDue(begun, later(86_400_000)), false);
    assert.equal(nextStep(begun), 'resolve_reversal');
  });

  it('that was reversed is terminal', () => {
    const begun = { ...processed(), reversalClaimId: 'clm_2' };
    const { refund, event } = applyReversal(begun, { kind: 'reversed', processorId: 'p' }, now);
    assert.deepEqual([refund.status, nextStep(refund), event], ['reversed', 'done', 'refund.reversed']);
  });

  it('whose reversal the processor refused is processed as before', () => {
    const begun = { ...processed(), reversalClaimId: 'clm_2' };
    const { refund, event } = applyReversal(begun, processedOutcome, now);
    assert.deepEqual([refund, event], [processed(), null]);
  });

  it('that was processed fails by what the processor says later', () => {
    const { refund, event } = applyLateOutcome(processed(), failedOutcome, now)!;
    assert.deepEqual([refund.status, event, nextStep(refund)], ['failed', 'refund.failed', 'done']);
    assert.deepEqual(refund.failure, { code: 'refund_declined', message: 'No' });
    assert.deepEqual([refund.reversibleUntil, refund.settlesAt], [null, null]);
    assert.equal(applyLateOutcome(refund, failedOutcome, now), null, 'once');
    assert.equal(applyLateOutcome(processed(), processedOutcome, now), null);
  });

  it('that was settled reads that its money returned', () => {
    const settled = applySettlement(processed(), now).refund;
    const { refund, event } = applyLateOutcome(settled, failedOutcome, now)!;
    assert.deepEqual([refund.status, refund.failure?.code, event], ['failed', 'returned', 'refund.failed']);
  });

  it('whose reversal is begun hears of its failure there', () => {
    const begun = { ...processed(), reversalClaimId: 'clm_2' };
    assert.equal(applyLateOutcome(begun, failedOutcome, now), null);
    const { refund, event } = applyReversal(begun, failedOutcome, now);
    assert.deepEqual([refund.status, refund.reversalClaimId, event], ['failed', null, 'refund.failed']);
  });

  describe('keeps what the processor tells of it', () => {
    const tell = (bankReference?: string, processorId: string | null = 'p'): RefundOutcome => ({
      kind: 'processed',
      processorId,
      ...(bankReference !== undefined && { bankReference }),
    });
    const shown = ({ refund }: RefundMove) => {
      const { processor, bank_reference } = presentRefund(refund);
      return [processor?.reference, bank_reference];
    };

    it('with its outcome, of whatever kind that is', () => {
      for (const [outcome] of outcomes) {
        const move = applyOutcome(pendingRefund(), { ...outcome, bankReference: 'b' }, durations, now);
        assert.deepEqual(shown(move), ['p', 'b'], outcome.kind);
        assert.deepEqual(presentRefund(move.refund).processor, { id: null, kind: 'stripe', reference: 'p' });
      }
    });

    it('and never loses what it told first', () => {
      const first = applyOutcome(pendingRefund(), tell('b'), durations, now).refund;
      assert.equal(applyLateOutcome(first, tell(), now), null);
      assert.equal(applyLateOutcome(first, tell('other', 'other'), now), null);
      assert.equal(applyLateOutcome(first, tell(undefined, null), now), null);
      assert.deepEqual(shown(applyLateOutcome(first, { ...failedOutcome, processorId: null }, now)!), [
        'p',
        'b',
      ]);
      assert.deepEqual(shown(applySettlement(first, now)), ['p', 'b']);
    });

    it('later, too, without an event or an entry', () => {
      for (const refund of [processed(), applySettlement(processed(), now).refund]) {
        const move = applyLateOutcome(refund, tell('b'), later(1))!;
        assert.deepEqual([...shown(move), move.event], ['p', 'b', null]);
        assert.deepEqual([move.refund.status, move.refund.settlesAt], [refund.status, refund.settlesAt]);
        assert.deepEqual(describeMove(move), []);
        assert.equal(applyLateOutcome(move.refund, tell('b'), later(2)), null, 'once');
      }
    });

    it('with a reversal, and not of one made before', () => {
      const begun = { ...processed(), reversalClaimId: 'clm_2' };
      assert.equal(applyLateOutcome(begun, tell('b'), now), null);
      const reversed = { kind: 'reversed', processorId: 'p', bankReference: 'b' } as const;
      assert.deepEqual(shown(applyReversal(begun, reversed, now)), ['p', 'b']);
      const unkept = applyOutcome(pendingRefund({ receipt: null }), tell('b'), durations, now);
      assert.deepEqual([presentRefund(unkept.refund).processor, ...shown(unkept)], [null, undefined, null]);
    });
  });

  const refusals: [
    status: 'pending' | 'succeeded' | 'failed',
    refunded: number,
    amount: number | null,
    string | null,
  ][] = [
    ['succeeded', 0, null, null],
    ['succeeded', 0, 1000, null],
    ['succeeded', 0, 1001, 'refund_exceeds_captured'],
    ['succeeded', 400, 600, null],
    ['succeeded', 400, 601, 'refund_exceeds_captured'],
    ['succeeded', 999, null, null],
    ['succeeded', 1000, null, 'charge_already_refunded'],
    ['succeeded', 1000, 1, 'charge_already_refunded'],
    ['pending', 0, null, 'charge_not_refundable'],
    ['failed', 0, 1, 'charge_not_refundable'],
  ];
  for (const [status, amountRefunded, amount, code] of refusals) {
    it(`of ${amount ?? 'all'} after ${amountRefunded} of 1000, charge ${status}: ${code ?? 'yes'}`, () => {
      const amountCaptured = status === 'succeeded' ? 1000 : 0;
      assert.equal(
        refundRefusal({ status, amountCaptured, amountRefunded, amountReturned: 0 }, amount),
        code,
      );
    });
  }
});

/**
 * A charge and its refunds as sums, and the moves between the states of refunds that are allowed. The code
 * is driven through the same commands, with the ledger that `db/payments/refunds.ts` keeps in SQL.
 */
const legalMoves: Record<RefundStatus, RefundStatus[]> = {
  pending: ['pending', 'processed', 'failed'],
  processed: ['processed', 'settled', 'reversed', 'failed'],
  settled: ['settled', 'failed'],
  failed: [],
  reversed: [],
};
const gaveBack = (status: RefundStatus) => status === 'failed' || status === 'reversed';

type Command =
  | { do: 'begin'; amount: number | null }
  | {
      do: 'outcome' | 'reversal_outcome' | 'late_outcome';
      of: number;
      kind: RefundOutcome['kind'];
      isTold: boolean;
    }
  | { do: 'reverse' | 'settle'; of: number }
  | { do: 'wait'; ms: number };

const index = fc.nat({ max: 100 });
const kind = fc.constantFrom<RefundOutcome['kind']>('processed', 'pending', 'failed', 'reversed');
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constant('begin' as const), amount: fc.option(fc.integer({ min: 1, max: 600 })) }),
  fc.record({
    do: fc.constantFrom('outcome' as const, 'reversal_outcome' as const, 'late_outcome' as const),
    of: index,
    kind,
    isTold: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('reverse' as const, 'settle' as const), of: index }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000_000, 90_000_000) }),
);

function buildOutcome({ kind, isTold }: { kind: RefundOutcome['kind']; isTold: boolean }): RefundOutcome {
  const outcome: RefundOutcome = kind === 'failed' ? failedOutcome : { kind, processorId: 'p' };
  return isTold ? { ...outcome, bankReference: '745376' } : outcome;
}

class Ledger {
  clock = now;
  readonly refunds: Refund[] = [];
  readonly moves = new Set<string>();
  readonly charge = {
    status: 'succeeded' as const,
    amountCaptured: 1000,
    amountRefunded: 0,
    amountReturned: 0,
  };

  run(command: Command): void {
    if (command.do === 'wait') this.clock = new Date(this.clock.getTime() + command.ms);
    else if (command.do === 'begin') this.#begin(command.amount);
    else this.#step(command);
  }

  #begin(amount: number | null): void {
    const left = 1000 - sumHeld(this.refunds);
    const refusal = refundRefusal(this.charge, amount);
    assert.equal(refusal === null, left > 0 && (amount ?? left) <= left);
    if (refusal) return;
    this.refunds.push(pendingRefund({ amount: amount ?? left }));
    this.charge.amountRefunded += amount ?? left;
  }

  #step(command: Exclude<Command, { do: 'begin' | 'wait' }>): void {
    const at = command.of % this.refunds.length;
    const refund = this.refunds[at];
    if (!refund) return;
    const move = this.#toMove(refund, command);
    if (!move) return;
    this.#check(refund, move);
    this.refunds[at] = move.refund;
    this.moves.add(`${refund.status} → ${move.refund.status}`);
    if (gaveBack(move.refund.status)) this.charge.amountRefunded -= refund.amount;
  }

  /** What the activities do: each step asks first whether it still applies. */
  #toMove(refund: Refund, command: Exclude<Command, { do: 'begin' | 'wait' }>): RefundMove | null {
    const next = nextStep(refund);
    switch (command.do) {
      case 'outcome':
        if (next !== 'resolve' && next !== 'await_processor') return null;
        return applyOutcome(refund, buildOutcome(command), durations, this.clock);
      case 'reverse':
        if (!isReversible(refund, this.clock) || refund.reversalClaimId) return null;
        return { refund: { ...refund, reversalClaimId: 'clm_2' }, event: null };
      case 'reversal_outcome': {
        const outcome = buildOutcome(command);
        if (next !== 'resolve_reversal' || outcome.kind === 'pending') return null;
        return applyReversal(refund, outcome, this.clock);
      }
      case 'late_outcome':
        return applyLateOutcome(refund, buildOutcome(command), this.clock);
      case 'settle':
        return isSettlementDue(refund, this.clock) ? applySettlement(refund, this.clock) : null;
    }
  }

  #check(from: Refund, { refund, event }: RefundMove): void {
    assert.ok(legalMoves[from.status].includes(refund.status), `${from.status} → ${refund.status}`);
    assert.equal(event, from.status === refund.status ? null : `refund.${refund.status}`);
    assert.equal(nextStep(refund) === 'done', isTerminal(refund));
    if (refund.status === 'settled') {
      assert.equal(from.reversalClaimId, null, 'a reversal that was begun is seen through');
      assert.equal(isReversible(from, this.clock), false, 'what settles could not be reversed any more');
    }
    assert.deepEqual([refund.amount, refund.chargeId], [from.amount, from.chargeId]);
  }
}

const sumHeld = (refunds: Refund[]) =>
  refunds.reduce((sum, { amount, status }) => sum + (gaveBack(status) ? 0 : amount), 0);

describe('refunds of a charge, whatever happens to them', () => {
  it('never hold more than was captured', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(command, { minLength: 20, maxLength: 60, size: 'max' }), (commands) => {
        const ledger = new Ledger();
        for (const one of commands) {
          ledger.run(one);
          assert.equal(ledger.charge.amountRefunded, sumHeld(ledger.refunds));
          assert.ok(ledger.charge.amountRefunded <= 1000);
        }
        for (const move of ledger.moves) seen.add(move);
      }),
      { numRuns: 500 },
    );
    const legal = Object.entries(legalMoves).flatMap(([from, to]) =>
      to.map((status) => `${from} → ${status}`),
    );
    assert.deepEqual([...seen].toSorted(), legal.toSorted(), 'every legal move is tried');
  });
});
