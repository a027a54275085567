import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  applyCapture,
  applyNews,
  applyOutcome,
  applyVoid,
  captureRefusal,
  type ChargeMove,
  isActionOver,
  nextStep,
} from '#domain/charge-moves.ts';
import { isTerminal, type Charge, type ChargeOutcome, type ChargeStatus } from '#domain/charges.ts';
import { sampleCharge } from '../../support/resources/sample-charge.ts';

/**
 * A model of a charge: the moves that are allowed, driven by any order of what callers, clocks and the processor do.
 * Each command asks first whether its step still applies, as the activities do.
 */

const legalMoves: Record<ChargeStatus, ChargeStatus[]> = {
  pending: ['pending', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'cancelled'],
  // The processor may take what the buyer has confirmed, and decide later.
  requires_action: ['pending', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'cancelled'],
  requires_capture: ['requires_capture', 'succeeded', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
};

const events: Record<ChargeStatus, ChargeMove['event']> = {
  pending: null,
  requires_action: 'charge.requires_action',
  requires_capture: 'charge.authorized',
  succeeded: 'charge.succeeded',
  failed: 'charge.failed',
  cancelled: 'charge.cancelled',
};

type Command =
  | { do: 'processor_says'; kind: ChargeOutcome['kind'] }
  | { do: 'ask_capture'; amount: number | null }
  | { do: 'capture_ends'; captured: boolean }
  | { do: 'ask_cancel' | 'void_if_due' | 'give_up' | 'processor_voids' | 'action_ends' }
  | { do: 'processor_news'; kind: ChargeOutcome['kind'] }
  | { do: 'wait'; ms: number };

const ttlMs = 1_000;
const durations = { authorizationTtlMs: ttlMs, unknownTimeoutMs: 600_000, actionTtlMs: 500 };
const amount = 1000;

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    do: fc.constant('processor_says' as const),
    kind: fc.constantFrom<ChargeOutcome['kind']>(
      'authorized',
      'captured',
      'declined',
      'pending',
      'voided',
      'refused',
      'requires_action',
    ),
  }),
  fc.record({
    do: fc.constant('processor_news' as const),
    kind: fc.constantFrom<ChargeOutcome['kind']>('authorized', 'captured', 'voided'),
  }),
  fc.record({
    do: fc.constant('ask_capture' as const),
    amount: fc.option(fc.integer({ min: 1, max: 1500 })),
  }),
  fc.record({ do: fc.constant('capture_ends' as const), captured: fc.boolean() }),
  fc.record({
    do: fc.constantFrom(
      'ask_cancel' as const,
      'void_if_due' as const,
      'give_up' as const,
      'processor_voids' as const,
      'action_ends' as const,
    ),
  }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 400, 2_000) }),
);

/** One charge, and what must hold of it whatever happens. */
class Life {
  clock = new Date('2026-11-01T12:00:00.000Z');
  charge: Charge;
  readonly moves = new Set<string>();

  constructor(captureMethod: Charge['captureMethod']) {
    this.charge = newCharge(captureMethod, this.clock);
  }

  run(command: Command): void {
    const before = this.charge;
    switch (command.do) {
      case 'wait':
        this.clock = new Date(this.clock.getTime() + command.ms);
        break;
      case 'ask_capture':
        this.#askCapture(command.amount);
        break;
      case 'ask_cancel':
        if (!isTerminal(before)) this.charge = { ...before, cancelRequestedAt: this.clock };
        break;
      default:
        this.#step(command);
    }
    if (isTerminal(before)) assert.deepEqual(this.charge, before, 'what is terminal stays as it is');
  }

  #askCapture(wanted: number | null): void {
    const { status, cancelRequestedAt, voidReason, captureClaimId } = this.charge;
    const isOpen = status === 'requires_capture' && !cancelRequestedAt && !voidReason && !captureClaimId;
    const refusal = captureRefusal(this.charge, wanted);
    assert.equal(refusal === null, isOpen && (wanted ?? amount) <= amount);
    if (refusal === null) {
      this.charge = { ...this.charge, captureClaimId: 'clm_2', captureAmount: wanted ?? amount };
    }
  }

  #step(command: Exclude<Command, { do: 'wait' | 'ask_capture' | 'ask_cancel' }>): void {
    const next = nextStep(this.charge);
    switch (command.do) {
      case 'processor_says':
        if (next === 'resolve' || next === 'await_processor' || next === 'await_action') {
          this.#move(applyOutcome(this.charge, buildOutcome(command.kind), durations, this.clock));
        }
        break;
      case 'processor_news':
        if (next === 'await_command') this.#hear(command.kind);
        break;
      case 'action_ends':
        if (next === 'await_action') this.#endAction();
        break;
      case 'capture_ends':
        if (next === 'resolve_capture') this.#endCapture(command.captured);
        break;
      case 'void_if_due':
        if (next === 'await_command') this.#voidIfDue();
        break;
      case 'give_up':
        if (next === 'resolve') this.charge = { ...this.charge, voidReason: this.#reasonToGiveUp() };
        break;
      case 'processor_voids':
        if (next === 'void') this.#move(applyVoid(this.charge, this.clock));
    }
  }

  #endCapture(captured: boolean): void {
    const amountCaptured = this.charge.captureAmount ?? 0;
    const declined = { kind: 'declined', declineCode: 'lost_card', message: 'Lost' } as const;
    this.#move(
      applyCapture(this.charge, captured ? { kind: 'captured', amountCaptured } : declined, this.clock),
    );
  }

  #voidIfDue(): void {
    const { cancelRequestedAt, expiresAt } = this.charge;
    if (cancelRequestedAt) this.charge = { ...this.charge, voidReason: 'cancelled' };
    else if (expiresAt && expiresAt <= this.clock) this.charge = { ...this.charge, voidReason: 'expired' };
  }

  #endAction(): void {
    if (isActionOver(this.charge, this.clock.getTime()))
      this.charge = { ...this.charge, voidReason: 'action_expired' };
  }

  #hear(kind: ChargeOutcome['kind']): void {
    const move = applyNews(this.charge, buildOutcome(kind), this.clock);
    assert.equal(move === null, kind === 'authorized');
    if (move) this.#move(move);
  }

  #reasonToGiveUp(): Charge['voidReason'] {
    return this.charge.cancelRequestedAt ? 'cancelled' : 'unresolved';
  }

  #move({ charge, event }: ChargeMove): void {
    const from = this.charge;
    this.charge = charge;
    this.moves.add(`${from.status} → ${charge.status}`);
    assert.ok(legalMoves[from.status].includes(charge.status), `${from.status} → ${charge.status}`);
    assert.equal(event, from.status === charge.status ? null : events[charge.status]);
    if (from.voidReason) assert.notEqual(charge.status, 'succeeded', 'a void that was begun is seen through');
    this.#check();
  }

  /** What a reader of the charge may rely on. */
  #check(): void {
    const { status, amountCaptured, failure, capturedAt, cancelledAt, expiresAt, actionUrl } = this.charge;
    assert.equal(amountCaptured > 0, status === 'succeeded');
    assert.ok(amountCaptured <= amount);
    assert.equal(failure !== null, status === 'failed');
    assert.equal(capturedAt !== null, status === 'succeeded');
    assert.equal(cancelledAt !== null, status === 'cancelled');
    assert.equal(expiresAt !== null, status === 'requires_capture');
    assert.equal(actionUrl !== null, status === 'requires_action');
    assert.equal(this.charge.actionExpiresAt !== null, status === 'requires_action');
    assert.equal(isTerminal(this.charge), nextStep(this.charge) === 'done');
  }
}

describe('a charge, whatever happens to it', () => {
  it('makes only allowed moves, and tells each once', () => {
    const seen = new Set<string>();
    const method = fc.constantFrom<Charge['captureMethod']>('automatic', 'manual');
    const commands = fc.array(command, { minLength: 5, maxLength: 40, size: 'max' });
    fc.assert(
      fc.property(method, commands, (captureMethod, steps) => {
        const life = new Life(captureMethod);
        for (const step of steps) life.run(step);
        for (const move of life.moves) seen.add(move);
      }),
      { numRuns: 2_000 },
    );
    const legal = Object.entries(legalMoves).flatMap(([from, to]) =>
      to.map((status) => `${from} → ${status}`),
    );
    assert.deepEqual([...seen].toSorted(), legal.toSorted(), 'every legal move is tried');
  });
});

function buildOutcome(kind: ChargeOutcome['kind']): ChargeOutcome {
  const processorId = 'p';
  if (kind === 'captured') return { kind, processorId, amountCaptured: amount };
  if (kind === 'declined') return { kind, processorId, declineCode: 'lost_card', message: 'Lost' };
  if (kind === 'refused') return { kind, code: 'amount_too_small', message: 'Too small' };
  if (kind === 'requires_action') return { kind, processorId, url: 'https://bank.example/3ds' };
  return { kind, processorId };
}

function newCharge(captureMethod: Charge['captureMethod'], now: Date): Charge {
  return { ...sampleCharge, amount, captureMethod, createdAt: now, updatedAt: now };
}
