import { isUndecided, terminalStatuses, type ChargeStatus, type VoidReason } from './charges.ts';

/** Reconciliation compares our rows with the processor's ledger: its own record of the money that moved. */

export const movementKinds = [
  'authorization',
  'capture',
  'void',
  'refund',
  /** A refund was taken back, or failed after it had gone out. */
  'refund_reversal',
  /** A capture failed after it had been accepted. */
  'capture_reversal',
  /** What a void gave back did not arrive: the processor has it again. */
  'void_reversal',
] as const;

/** One movement of money as the processor recorded it. */
export interface Movement {
  kind: (typeof movementKinds)[number];
  /**
   * Our key of the call: a charge's id, or that of a capture's claim, or a refund's id. A refund that was made elsewhere,
   * in a dashboard say, has the processor's own id.
   */
  key: string;
  /** The charge it belongs to; `null`: only `paymentRef` tells. */
  chargeKey: string | null;
  /** The processor's reference of the payment, where `chargeKey` is `null`. The row of our charge has it too. */
  paymentRef?: string;
  /** Minor units. */
  amount: number;
}

/** The sums of a charge in the ledger, in minor units. */
export interface ChargeLedger {
  authorizations: number;
  /** The amount that was reserved. */
  authorized: number;
  captures: number;
  captured: number;
  /** The amount of captures that failed later. */
  uncaptured: number;
  /** The amount that a void returned of a capture, or released of an authorization. */
  voided: number;
  /** The amount of voids that failed later. */
  unvoided: number;
}

/** The row of a charge. */
export interface ChargeRecord {
  id: string;
  status: ChargeStatus;
  amountCaptured: number;
  amountReturned: number;
  /** A void was begun: the processor may have confirmed it already. */
  voidReason: VoidReason | null;
}

/** How rows and ledger differ; the codes are stable, for alerts. */
export const differenceCodes = [
  /** The ledger holds money under a charge that has no row. */
  'charge_missing',
  /** The ledger shows more than one capture of a charge. */
  'captured_twice',
  /** A charge that is decided holds another amount than the ledger. */
  'captured_amount_differs',
  /** A charge reads succeeded, and its capture has failed since. */
  'capture_failed_late',
  /** A charge was voided, and what was given back did not arrive: the processor still has it. */
  'void_failed_late',
  /** The processor has decided, and the charge is still open. */
  'charge_behind',
  /** The ledger holds an authorization under a charge that has no row. */
  'authorization_unknown',
  /** A charge that failed or was cancelled still holds its authorization. */
  'authorization_held',
  /** A charge waits for its capture, and the ledger holds no authorization. */
  'authorization_missing',
  /** The ledger shows more than one authorization of a charge. */
  'authorized_twice',
  /** The ledger holds a refund that has no row: one of ours that is lost, or one that was made elsewhere. */
  'refund_missing',
  /** A refund that is decided holds another amount than the ledger. */
  'refunded_amount_differs',
  /** A refund was accepted, and has failed since. */
  'refund_failed_late',
  /** The processor has decided, and the refund is still open. */
  'refund_behind',
  /** An open row has no workflow that sees to it. */
  'workflow_missing',
] as const;

export type DifferenceCode = (typeof differenceCodes)[number];

export interface Difference {
  code: DifferenceCode;
  /** Id of the charge or refund. */
  of: string;
  detail: string;
}

/**
 * Differences that are repaired by asking the processor, whose answer is saved. No money is moved, but for a void that
 * failed later, which is begun already: it is sent again.
 */
export const repairable: readonly DifferenceCode[] = [
  'charge_behind',
  'capture_failed_late',
  'void_failed_late',
  'refund_behind',
  'refund_failed_late',
  'workflow_missing',
  'authorization_missing',
];

const isOpen = (status: ChargeStatus) => !terminalStatuses.includes(status);

/**
 * Returns the differences between the row of a charge and the ledger.
 *
 * @param ledger `null`: the processor has never moved money for it.
 */
export function compareCharge(
  record: ChargeRecord | null,
  ledger: ChargeLedger | null,
  id: string,
): Difference[] {
  return [...compareAuthorization(record, ledger, id), ...compareCaptured(record, ledger, id)];
}

/** Returns the amount still reserved. A capture, also of a part, uses the whole authorization up. */
export function sumReserved({ authorized, captures, voided }: Omit<ChargeLedger, 'authorizations'>): number {
  return captures > 0 ? 0 : authorized - voided;
}

function compareAuthorization(
  record: ChargeRecord | null,
  ledger: ChargeLedger | null,
  of: string,
): Difference[] {
  const isExpected = record?.status === 'requires_capture' && record.voidReason === null;
  if (!ledger) return isExpected ? [withoutAuthorization(of)] : [];
  const reserved = sumReserved(ledger);
  if (ledger.authorizations > 1) {
    const detail = `the ledger shows ${ledger.authorizations} authorizations of ${ledger.authorized} in all`;
    return [{ code: 'authorized_twice', of, detail }];
  }
  if (record?.status === 'requires_capture') {
    // A capture that the row does not know yet is a difference of its own.
    return isExpected && reserved <= 0 && ledger.captures === 0 ? [withoutAuthorization(of)] : [];
  }
  if (reserved <= 0) return [];
  if (!record) {
    const detail = `the ledger reserves ${reserved}, and there is no such charge`;
    return [{ code: 'authorization_unknown', of, detail }];
  }
  const code = isUndecided(record) ? 'charge_behind' : 'authorization_held';
  return [{ code, of, detail: `reads ${record.status}, and the ledger still reserves ${reserved}` }];
}

function withoutAuthorization(of: string): Difference {
  const detail = 'reads requires_capture, and the ledger holds no authorization';
  return { code: 'authorization_missing', of, detail };
}

function compareCaptured(record: ChargeRecord | null, ledger: ChargeLedger | null, id: string): Difference[] {
  const { captures = 0, captured = 0, uncaptured = 0, voided = 0, unvoided = 0 } = ledger ?? {};
  // The void of a reservation releases it; it gives no money back.
  const held = captured === 0 ? 0 : captured - uncaptured - voided + unvoided;
  if (!record) {
    return ledger === null || held === 0
      ? []
      : [{ code: 'charge_missing', of: id, detail: `the ledger holds ${held}, and there is no such charge` }];
  }
  if (captures > 1) {
    return [
      {
        code: 'captured_twice',
        of: id,
        detail: `the ledger shows ${captures} captures of ${captured} in all`,
      },
    ];
  }
  if (isOpen(record.status)) {
    return held === 0
      ? []
      : [{ code: 'charge_behind', of: id, detail: `reads ${record.status}, and the ledger holds ${held}` }];
  }
  const expected = record.amountCaptured - record.amountReturned;
  if (held === expected) return [];
  const code =
    uncaptured > 0 && record.status === 'succeeded'
      ? 'capture_failed_late'
      : unvoided > 0 && record.voidReason !== null
        ? 'void_failed_late'
        : 'captured_amount_differs';
  const detail = `reads ${record.status} with ${expected} captured, and the ledger holds ${held}`;
  return [{ code, of: id, detail }];
}

export interface RefundRecord {
  id: string;
  status: 'pending' | 'processed' | 'settled' | 'failed' | 'reversed';
  amount: number;
}

export interface RefundLedger {
  refunded: number;
  reversed: number;
}

/**
 * Returns the differences between the row of a refund and the ledger.
 *
 * @param ledger `null`: the processor has never given money back under it.
 */
export function compareRefund(
  record: RefundRecord | null,
  ledger: RefundLedger | null,
  id: string,
): Difference[] {
  const given = ledger ? ledger.refunded - ledger.reversed : 0;
  if (!record) {
    return given === 0
      ? []
      : [
          {
            code: 'refund_missing',
            of: id,
            detail: `the ledger gave ${given} back, and there is no such refund`,
          },
        ];
  }
  if (record.status === 'pending') {
    return given === 0
      ? []
      : [{ code: 'refund_behind', of: id, detail: `reads pending, and the ledger gave ${given} back` }];
  }
  const isAccepted = record.status === 'processed' || record.status === 'settled';
  const expected = isAccepted ? record.amount : 0;
  if (given === expected) return [];
  const hasFailed = isAccepted && given === 0 && ledger !== null && ledger.reversed > 0;
  const detail = `reads ${record.status} of ${record.amount}, and the ledger gave ${given} back`;
  return [{ code: hasFailed ? 'refund_failed_late' : 'refunded_amount_differs', of: id, detail }];
}
