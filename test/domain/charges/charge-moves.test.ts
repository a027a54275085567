import assert from 'node:assert/strict';
import {
  applyCapture,
  applyCaptureBeforeVoid,
  applyNews,
  applyNotSent,
  applyOutcome,
  applyVoid,
  describeWait,
  isActionOver,
  type ChargeMove,
} from '#domain/charge-moves.ts';
import { isUndecided, type Charge, type ChargeOutcome } from '#domain/charges.ts';
import { sampleCharge } from '../../support/resources/sample-charge.ts';

const now = new Date('2026-11-01T13:00:00.000Z');
const hour = 3_600_000;
const durations = { authorizationTtlMs: 24 * hour, unknownTimeoutMs: 600_000, actionTtlMs: 600_000 };
const later = (ms: number) => new Date(now.getTime() + ms);

/** A charge with something in each member that a move may clear. */
const pending: Charge = {
  ...sampleCharge,
  processorPending: true,
  processorFault: 'processor_timeout',
};
const waiting: Charge = {
  ...pending,
  status: 'requires_action',
  processorAttempt: 4,
  actionUrl: 'https://bank.example/first',
  actionExpiresAt: later(1_000),
};
const authorized: Charge = {
  ...sampleCharge,
  status: 'requires_capture',
  expiresAt: later(hour),
  processorFault: 'processor_timeout',
  captureClaimId: 'clm_2',
  captureAmount: 400,
};

/** Returns the members that a move gave another value, and its event. */
function changes(before: Charge, { charge, event }: ChargeMove) {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(charge).filter(([name, value]) => old.get(name) !== value);
  return { event, ...Object.fromEntries(changed) };
}

const known = { processorPending: false, processorFault: null, updatedAt: now };
const released = { ...known, actionUrl: null, actionExpiresAt: null };
/** The receipt of an outcome that names the payment, and nothing else. */
const named = { receipt: { ...sampleCharge.receipt, reference: 'p' } };

describe('A move of a charge', () => {
  const outcomes: [what: string, Charge, ChargeOutcome, object][] = [
    [
      'an authorization',
      waiting,
      { kind: 'authorized', processorId: 'p' },
      {
        ...released,
        ...named,
        event: 'charge.authorized',
        status: 'requires_capture',
        expiresAt: later(24 * hour),
      },
    ],
    [
      'a capture',
      waiting,
      { kind: 'captured', processorId: 'p', amountCaptured: 1998 },
      {
        ...released,
        ...named,
        event: 'charge.succeeded',
        status: 'succeeded',
        amountCaptured: 1998,
        capturedAt: now,
      },
    ],
    [
      'a decline',
      pending,
      { kind: 'declined', processorId: 'p', declineCode: 'lost_card', message: 'Lost' },
      {
        ...known,
        ...named,
        event: 'charge.failed',
        status: 'failed',
        failure: { code: 'card_declined', decline_code: 'lost_card', message: 'Lost' },
      },
    ],
    [
      'a refusal',
      pending,
      { kind: 'refused', code: 'amount_too_small', message: 'Too small' },
      {
        ...known,
        event: 'charge.failed',
        status: 'failed',
        failure: { code: 'refused', decline_code: null, message: 'Too small' },
      },
    ],
    [
      'what was taken and is not decided',
      { ...waiting, processorPending: false },
      { kind: 'pending', processorId: 'p' },
      { ...released, ...named, event: null, status: 'pending', processorPending: true },
    ],
    [
      'a buyer who must confirm',
      pending,
      { kind: 'requires_action', processorId: 'p', url: 'https://bank.example/3ds' },
      {
        ...known,
        ...named,
        event: 'charge.requires_action',
        status: 'requires_action',
        processorAttempt: 2,
        actionUrl: 'https://bank.example/3ds',
        actionExpiresAt: later(600_000),
      },
    ],
    [
      'a buyer who must confirm elsewhere',
      waiting,
      { kind: 'requires_action', processorId: 'p', url: 'https://bank.example/again' },
      { ...known, ...named, event: null, processorAttempt: 5, actionUrl: 'https://bank.example/again' },
    ],
    [
      'the void of a charge that its buyer was to confirm',
      waiting,
      { kind: 'voided', processorId: 'p' },
      {
        ...released,
        event: 'charge.cancelled',
        status: 'cancelled',
        voidReason: 'cancelled',
        cancelledAt: now,
      },
    ],
    [
      'the void of a charge of unknown outcome',
      pending,
      { kind: 'voided', processorId: 'p' },
      {
        ...known,
        event: 'charge.failed',
        status: 'failed',
        voidReason: 'unresolved',
        failure: {
          code: 'processor_timeout',
          decline_code: null,
          message: 'The processor did not tell the outcome in time; the payment was voided.',
        },
      },
    ],
    [
      'a void that was asked for',
      { ...pending, voidReason: 'cancelled' },
      { kind: 'voided', processorId: 'p' },
      { ...known, event: 'charge.cancelled', status: 'cancelled', cancelledAt: now },
    ],
  ];
  for (const [what, before, outcome, expected] of outcomes) {
    it(`by ${what} changes these members only`, () => {
      assert.deepEqual(changes(before, applyOutcome(before, outcome, durations, now)), expected);
    });
  }

  it('gives a buyer an hour unless its account differs', () => {
    const { actionTtlMs: _, ...standard } = durations;
    const outcome: ChargeOutcome = { kind: 'requires_action', processorId: 'p', url: 'https://bank.example' };
    const { charge } = applyOutcome(pending, outcome, standard, now);
    assert.deepEqual(charge.actionExpiresAt, later(hour));
  });

  const lapses: [processor: Date | undefined, lapses: Date, when: string][] = [
    [undefined, later(24 * hour), 'at the account’s time'],
    [later(48 * hour), later(24 * hour), 'at the account’s time, before the processor releases it'],
    [later(10 * hour), later(9 * hour), 'an hour before the processor releases it'],
    [later(hour / 2), now, 'at once where the processor releases it within the hour'],
  ];
  for (const [expiresAt, expected, when] of lapses) {
    it(`that authorizes lapses ${when}`, () => {
      const outcome = { kind: 'authorized', processorId: 'p', ...(expiresAt && { expiresAt }) } as const;
      assert.deepEqual(applyOutcome(pending, outcome, durations, now).charge.expiresAt, expected);
    });
  }

  it('by a capture takes what the processor took', () => {
    const move = applyCapture(authorized, { kind: 'captured', amountCaptured: 399 }, now);
    assert.deepEqual(changes(authorized, move), {
      event: 'charge.succeeded',
      status: 'succeeded',
      amountCaptured: 399,
      capturedAt: now,
      expiresAt: null,
      processorFault: null,
      updatedAt: now,
    });
  });

  it('by a declined capture frees the charge for another', () => {
    const declined = { kind: 'declined', declineCode: 'lost_card', message: 'Lost' } as const;
    assert.deepEqual(changes(authorized, applyCapture(authorized, declined, now)), {
      event: null,
      captureClaimId: null,
      captureAmount: null,
      processorFault: null,
      updatedAt: now,
    });
  });

  it('by news of the processor cancels or captures', () => {
    const voided = applyNews(authorized, { kind: 'voided', processorId: 'p' }, now);
    assert.deepEqual([voided?.charge.status, voided?.charge.voidReason], ['cancelled', 'cancelled']);
    const captured = applyNews(authorized, { kind: 'captured', processorId: 'p', amountCaptured: 7 }, now);
    assert.deepEqual([captured?.charge.status, captured?.charge.amountCaptured], ['succeeded', 7]);
    for (const kind of ['authorized', 'pending'] as const)
      assert.equal(applyNews(authorized, { kind, processorId: 'p' }, now), null, kind);
  });

  it('keeps what was told when less is told later', () => {
    const { card } = sampleCharge.receipt!;
    const told = { card: { ...card!, last4: '0005' }, authorization_code: '1' };
    const first = applyOutcome(pending, { kind: 'pending', processorId: 'p', told }, durations, now).charge;
    const captured = { kind: 'captured', processorId: 'p', amountCaptured: 1999 } as const;
    const { receipt } = applyOutcome(first, captured, durations, now).charge;
    assert.deepEqual(
      [receipt?.card?.last4, receipt?.authorization_code, receipt?.reference],
      ['0005', '1', 'p'],
    );
  });

  it('begins its void where its cancel came first', () => {
    const wanted: Charge = { ...pending, cancelRequestedAt: now };
    const begun = { event: null, voidReason: 'cancelled', processorFault: null, updatedAt: now };
    for (const outcome of [
      { kind: 'captured', processorId: 'p', amountCaptured: 7 },
      { kind: 'authorized', processorId: 'p' },
      { kind: 'pending', processorId: 'p' },
      { kind: 'requires_action', processorId: 'p', url: 'https://bank.example' },
    ] as const)
      assert.deepEqual(
        changes(wanted, applyOutcome(wanted, outcome, durations, now)),
        { ...begun, ...named },
        outcome.kind,
      );
    const voided = applyOutcome(wanted, { kind: 'voided', processorId: 'p' }, durations, now);
    assert.equal(voided.charge.status, 'cancelled');
    const held: Charge = { ...authorized, cancelRequestedAt: now };
    const captured = { kind: 'captured', processorId: 'p', amountCaptured: 7 } as const;
    assert.deepEqual(changes(held, applyCapture(held, captured, now)), begun);
    assert.equal(applyNews(held, captured, now)?.charge.voidReason, 'cancelled');
  });

  it('by a capture that came before its void in time', () => {
    const due: Charge = { ...authorized, captureClaimId: null, voidReason: 'expired' };
    const captured = { kind: 'captured', processorId: 'p', amountCaptured: 7 } as const;
    const kept = applyCaptureBeforeVoid(due, captured, now)?.charge;
    assert.deepEqual([kept?.status, kept?.amountCaptured, kept?.voidReason], ['succeeded', 7, null]);
    assert.equal(applyCaptureBeforeVoid(due, { kind: 'authorized', processorId: 'p' }, now), null);
    assert.equal(applyCaptureBeforeVoid(due, null, now), null);
    assert.equal(applyCaptureBeforeVoid({ ...due, cancelRequestedAt: now }, captured, now), null);
    assert.equal(applyCaptureBeforeVoid({ ...due, voidReason: 'cancelled' }, captured, now), null);
  });

  it('by a void after its time says why', () => {
    const before: Charge = { ...waiting, expiresAt: now, voidReason: 'action_expired' };
    assert.deepEqual(changes(before, applyVoid(before, now)), {
      ...released,
      expiresAt: null,
      event: 'charge.failed',
      status: 'failed',
      failure: {
        code: 'authentication_expired',
        decline_code: null,
        message: 'The buyer did not confirm the payment in time.',
      },
    });
  });

  it('to unsent says that nothing was sent', () => {
    assert.deepEqual(changes(pending, applyNotSent(pending, now)), {
      event: 'charge.failed',
      status: 'failed',
      failure: {
        code: 'not_sent',
        decline_code: null,
        message: 'The processor could not be reached in time; the payment was never sent.',
      },
      processorFault: null,
      updatedAt: now,
    });
  });
});

describe('The wait of a charge', () => {
  const at = now;
  const waits: [what: string, Charge, detail: object | null][] = [
    ['for its processor', { ...pending, updatedAt: at }, { for: 'processor' }],
    [
      'for its buyer, until its time ends',
      { ...waiting, updatedAt: at },
      { for: 'action', until: '2026-11-01T13:00:01.000Z' },
    ],
    [
      'for its buyer, without an end',
      { ...waiting, updatedAt: at, actionExpiresAt: null },
      { for: 'action' },
    ],
    [
      'for a capture, until it lapses',
      { ...authorized, updatedAt: at, captureClaimId: null },
      { for: 'capture', until: '2026-11-01T14:00:00.000Z' },
    ],
    [
      'for a capture, without an end',
      { ...authorized, updatedAt: at, captureClaimId: null, expiresAt: null },
      { for: 'capture' },
    ],
    ['is over where it succeeded', { ...authorized, status: 'succeeded' }, null],
    ['is not told while its outcome is unknown', { ...pending, processorPending: false }, null],
    ['is not told while a capture is unknown', authorized, null],
  ];
  it('on its timeline: is that for its void, and why', () => {
    const told = [{ at, type: 'void_requested', detail: { reason: 'cancelled' } }];
    assert.deepEqual(describeWait({ ...waiting, updatedAt: at, voidReason: 'cancelled' }), told);
  });

  for (const [what, charge, detail] of waits) {
    it(`on its timeline: ${what}`, () => {
      assert.deepEqual(describeWait(charge), detail ? [{ at, type: 'waiting', detail }] : []);
    });
  }

  it('for a buyer is over at its last millisecond', () => {
    const end = { actionExpiresAt: now };
    assert.equal(isActionOver(end, now.getTime() - 1), false);
    assert.equal(isActionOver(end, now.getTime()), true);
    assert.equal(isActionOver(end, now.getTime() + 1), true);
    assert.equal(isActionOver({ actionExpiresAt: null }, now.getTime()), false);
  });

  it('for a decision ends with the authorization', () => {
    const undecided = (
      ['pending', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'cancelled'] as const
    ).filter((status) => isUndecided({ status }));
    assert.deepEqual(undecided, ['pending', 'requires_action']);
  });
});
