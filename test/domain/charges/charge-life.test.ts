import assert from 'node:assert/strict';
import { drawChargeLife, moves } from '#api/documents/charge-life.ts';
import { applyCapture, applyNews, applyNotSent, applyOutcome, applyVoid } from '#domain/charge-moves.ts';
import {
  chargeStatuses,
  isTerminal,
  type Charge,
  type ChargeOutcome,
  type ChargeStatus,
} from '#domain/charges.ts';
import { sampleCharge } from '../../support/resources/sample-charge.ts';

const now = new Date('2026-11-01T12:00:00Z');
const durations = { authorizationTtlMs: 1_000_000, unknownTimeoutMs: 1_000 };
const processorId = 'p_1';

const outcomes: ChargeOutcome[] = [
  { kind: 'authorized', processorId },
  { kind: 'captured', processorId, amountCaptured: 1 },
  { kind: 'declined', processorId, declineCode: 'generic_decline', message: '' },
  { kind: 'pending', processorId },
  { kind: 'voided', processorId },
  { kind: 'requires_action', processorId, url: 'https://bank.example' },
  { kind: 'refused', code: 'no', message: '' },
];

/** Which void a charge in a state can have. */
const voids = {
  pending: ['cancelled', 'unresolved'],
  requires_action: ['cancelled', 'action_expired', 'unresolved'],
  requires_capture: ['cancelled', 'expired'],
} as const;

describe('The drawn life of a charge', () => {
  it('shows every move of the rules and no other', () => {
    const drawn = moves.map(({ from, to }) => `${from} -> ${to}`);
    assert.deepEqual(drawn.toSorted(), [...new Set(listMoves())].toSorted());
  });

  it('draws each state once and lists each move', () => {
    const drawing = drawChargeLife();
    for (const status of chargeStatuses) assert.equal(drawing.split(`>${status}</text>`).length, 2, status);
    assert.equal(drawing.split('<polyline').length - 1, moves.length);
    for (const { from } of moves) assert.ok(!isTerminal({ status: from }), from);
  });
});

/** Returns every change of state that a function of `domain/charge-moves.ts` makes. */
function listMoves(): string[] {
  const undecided = (['pending', 'requires_action'] as const).flatMap((status) =>
    outcomes.map((outcome) => applyOutcome(charge(status), outcome, durations, now)).map(from(status)),
  );
  const voided = Object.entries(voids).flatMap(([status, reasons]) =>
    reasons
      .map((voidReason) => applyVoid({ ...charge(status as ChargeStatus), voidReason }, now))
      .map(from(status as ChargeStatus)),
  );
  const captured = outcomes.flatMap((outcome) => applyNews(charge('requires_capture'), outcome, now) ?? []);
  const declined = applyCapture(
    charge('requires_capture'),
    { kind: 'declined', declineCode: 'generic_decline', message: '' },
    now,
  );
  const all = [
    ...undecided,
    ...voided,
    ...[...captured, declined].map(from('requires_capture')),
    from('pending')(applyNotSent(charge('pending'), now)),
  ];
  return all.filter((move) => move !== '');
}

const charge = (status: ChargeStatus): Charge => ({ ...sampleCharge, status, voidReason: null });

/** Returns a function that names a move out of a state; nothing if the charge stays in it. */
const from = (before: ChargeStatus) => (moved: { charge: Charge }) =>
  moved.charge.status === before ? '' : `${before} -> ${moved.charge.status}`;
