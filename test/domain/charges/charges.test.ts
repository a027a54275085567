import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  applyCapture,
  applyOutcome,
  applyVoid,
  captureRefusal,
  giveUpReason,
  nextStep,
} from '#domain/charge-moves.ts';
import { isTerminal, presentCharge, type Charge, type ChargeOutcome } from '#domain/charges.ts';
import { toVersion } from '#domain/versions/versions.ts';
import { sampleCharge } from '../../support/resources/sample-charge.ts';

const now = new Date('2026-11-01T12:00:00.000Z');
const durations = { authorizationTtlMs: 7 * 86_400_000, unknownTimeoutMs: 600_000 };

function pendingCharge(changes: Partial<Charge> = {}): Charge {
  return { ...sampleCharge, amount: 1000, metadata: {}, ...changes };
}

const authorized = () =>
  applyOutcome(
    pendingCharge({ captureMethod: 'manual' }),
    { kind: 'authorized', processorId: 'p' },
    durations,
    now,
  ).charge;

describe('a charge', () => {
  const outcomes: [ChargeOutcome, status: string, event: string | null, next: string][] = [
    [{ kind: 'captured', processorId: 'p', amountCaptured: 1000 }, 'succeeded', 'charge.succeeded', 'done'],
    [{ kind: 'authorized', processorId: 'p' }, 'requires_capture', 'charge.authorized', 'await_command'],
    [
      { kind: 'declined', processorId: 'p', declineCode: 'lost_card', message: 'Lost' },
      'failed',
      'charge.failed',
      'done',
    ],
    [{ kind: 'refused', code: 'amount_too_small', message: 'No' }, 'failed', 'charge.failed', 'done'],
    [{ kind: 'pending', processorId: 'p' }, 'pending', null, 'await_processor'],
    [{ kind: 'voided', processorId: 'p' }, 'failed', 'charge.failed', 'done'],
    [
      { kind: 'requires_action', processorId: 'p', url: 'https://bank.example/3ds' },
      'requires_action',
      'charge.requires_action',
      'await_action',
    ],
  ];
  for (const [outcome, status, event, next] of outcomes) {
    it(`that the processor ${outcome.kind} reads ${status}`, () => {
      const move = applyOutcome(pendingCharge(), outcome, durations, now);
      assert.deepEqual([move.charge.status, move.event, nextStep(move.charge)], [status, event, next]);
    });
  }

  it('that was authorized lapses after the account’s time', () => {
    assert.equal(authorized().expiresAt?.toISOString(), '2026-11-08T12:00:00.000Z');
  });

  it('voided for an unknown outcome fails with processor_timeout', () => {
    const { charge, event } = applyVoid(pendingCharge({ voidReason: 'unresolved' }), now);
    assert.deepEqual(
      [charge.status, charge.failure?.code, event],
      ['failed', 'processor_timeout', 'charge.failed'],
    );
  });

  it('that was cancelled or expired is cancelled', () => {
    for (const voidReason of ['cancelled', 'expired'] as const) {
      const { charge, event } = applyVoid({ ...authorized(), voidReason }, now);
      assert.deepEqual([charge.status, charge.cancelledAt, event], ['cancelled', now, 'charge.cancelled']);
    }
  });

  it('that was captured in part shows what was taken', () => {
    const begun = { ...authorized(), captureClaimId: 'clm_2', captureAmount: 400 };
    const { charge, event } = applyCapture(begun, { kind: 'captured', amountCaptured: 400 }, now);
    assert.deepEqual([charge.status, charge.amountCaptured, event], ['succeeded', 400, 'charge.succeeded']);
  });

  it('whose capture was declined waits for another', () => {
    const begun = { ...authorized(), captureClaimId: 'clm_2', captureAmount: 400 };
    const { charge, event } = applyCapture(
      begun,
      { kind: 'declined', declineCode: 'generic_decline', message: 'No' },
      now,
    );
    assert.deepEqual([nextStep(charge), charge.captureAmount, event], ['await_command', null, null]);
  });

  it('resumes a begun capture or void first', () => {
    assert.equal(nextStep({ ...authorized(), captureClaimId: 'clm_2' }), 'resolve_capture');
    assert.equal(nextStep({ ...authorized(), voidReason: 'expired' }), 'void');
    assert.equal(nextStep(pendingCharge({ voidReason: 'unresolved', processorPending: true })), 'void');
  });

  const refusals: [Partial<Charge>, amount: number | null, code: string | null][] = [
    [{}, null, null],
    [{}, 1000, null],
    [{}, 1, null],
    [{}, 1001, 'capture_exceeds_authorized'],
    [{ status: 'succeeded' }, null, 'charge_already_captured'],
    [{ captureClaimId: 'clm_2' }, null, 'charge_already_captured'],
    [{ status: 'pending' }, null, 'charge_not_capturable'],
    [{ status: 'failed' }, null, 'charge_not_capturable'],
    [{ status: 'cancelled' }, null, 'charge_not_capturable'],
    [{ cancelRequestedAt: now }, null, 'charge_not_capturable'],
    [{ voidReason: 'expired' }, null, 'charge_not_capturable'],
  ];
  for (const [changes, amount, code] of refusals) {
    it(`answers ${code ?? 'yes'} to a capture of ${amount ?? 'all'} when ${JSON.stringify(changes)}`, () => {
      assert.equal(captureRefusal({ ...authorized(), ...changes }, amount), code);
    });
  }

  it('is terminal exactly when nothing remains to be done', () => {
    const status = fc.constantFrom<Charge['status']>(
      'pending',
      'requires_capture',
      'succeeded',
      'failed',
      'cancelled',
    );
    const charge = fc.record({
      status,
      processorPending: fc.boolean(),
      voidReason: fc.constantFrom<Charge['voidReason']>(null, 'cancelled', 'expired', 'unresolved'),
      captureClaimId: fc.constantFrom(null, 'clm_2'),
    });
    fc.assert(
      fc.property(charge, (changes) => {
        const made = pendingCharge(changes);
        assert.equal(nextStep(made) === 'done', isTerminal(made));
      }),
    );
  });
});

describe('API version 2026-05-01', () => {
  it('shows succeeded as paid, with flat failure members', () => {
    const { charge } = applyOutcome(
      pendingCharge(),
      { kind: 'captured', processorId: 'p', amountCaptured: 1000 },
      durations,
      now,
    );
    const older = new Map(Object.entries(toVersion('2026-05-01', presentCharge(charge))));
    const read = ['status', 'failure_code', 'failure_message', 'failure'].map((name) => older.get(name));
    assert.deepEqual(read, ['paid', null, null, undefined]);
  });

  it('leaves the current version as it is', () => {
    const resource = presentCharge(pendingCharge());
    assert.equal(toVersion('2026-11-01', resource), resource);
  });
});

describe('A charge without an outcome', () => {
  const durations = { authorizationTtlMs: 1, unknownTimeoutMs: 1_000, pendingTimeoutMs: 5_000 };
  const day = 86_400_000;

  it('is given up as unknown by its send time', () => {
    assert.equal(giveUpReason({ begunMs: day, sentMs: 1_000 }, durations), null);
    assert.equal(giveUpReason({ begunMs: day, sentMs: 1_001 }, durations), 'unresolved');
  });

  it('is given up as unsent by its begin time', () => {
    assert.equal(giveUpReason({ begunMs: 5_000, sentMs: null }, durations), null);
    assert.equal(giveUpReason({ begunMs: 5_001, sentMs: null }, durations), 'not_sent');
  });

  it('is sent for a day unless its account differs', () => {
    const { pendingTimeoutMs: _, ...standard } = durations;
    assert.equal(giveUpReason({ begunMs: day, sentMs: null }, standard), null);
    assert.equal(giveUpReason({ begunMs: day + 1, sentMs: null }, standard), 'not_sent');
  });
});
