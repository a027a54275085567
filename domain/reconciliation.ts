import type { ChargeStatus, VoidReason } from './charges.ts';

/**
 * Reconciliation: what our rows say against what the processor's books say. Pure, so that a test can show it books
 * that never were.
 */

/** One movement of money as the processor recorded it. */
export interface Movement {
  /** Position in the processor's books. */
  position: number;
  kind: 'authorization' | 'capture' | 'void' | 'refund' | 'refund_reversal';
  /** Our key of the call: a charge's id, or that of a capture's claim, or a refund's id. */
  key: string;
  /** The charge it belongs to. */
  chargeKey: string;
  /** Minor units. */
  amount: number;
}

/** What the books hold of a charge, in minor units. */
export interface ChargeBooks {
  authorizations: number;
  /** What was reserved. */
  authorized: number;
  captures: number;
  captured: number;
  /** What a void gave back of what was taken, or released of what was reserved. */
  voided: number;
}

/** What the row of a charge says. */
export interface ChargeRecord {
  id: string;
  status: ChargeStatus;
  amountCaptured: number;
  /** A void was begun: the processor may have confirmed it already. */
  voidReason: VoidReason | null;
}

/** How rows and books differ; the code is stable, for alerts. */
export type DifferenceCode =
  /** The books hold money under a charge that has no row. */
  | 'charge_missing'
  /** The books show more than one capture of a charge. */
  | 'captured_twice'
  /** A charge that is decided holds another amount than the books. */
  | 'captured_amount_differs'
  /** The processor has decided, and the charge is still open. */
  | 'charge_behind'
  /** The books hold an authorization under a charge that has no row. */
  | 'authorization_unknown'
  /** A charge that failed or was cancelled still holds its authorization. */
  | 'authorization_held'
  /** A charge waits for its capture, and the books hold no authorization. */
  | 'authorization_missing'
  /** The books show more than one authorization of a charge. */
  | 'authorized_twice'
  /** The books hold a refund that has no row. */
  | 'refund_missing'
  /** A refund that is decided holds another amount than the books. */
  | 'refunded_amount_differs'
  /** The processor has decided, and the refund is still open. */
  | 'refund_behind'
  /** An open row has no workflow that sees to it. */
  | 'workflow_missing';

export interface Difference {
  code: DifferenceCode;
  /** Id of the charge or refund. */
  of: string;
  detail: string;
}

/** What can be mended without moving money: the row's own workflow asks the processor, and writes what it hears. */
export const repairable: readonly DifferenceCode[] = ['charge_behind', 'refund_behind', 'workflow_missing'];

const isOpen = (status: ChargeStatus) => status === 'pending' || status === 'requires_capture';

/** @param books `null`: the processor has never moved money for it. */
export function compareCharge(
  record: ChargeRecord | null,
  books: ChargeBooks | null,
  id: string,
): Difference[] {
  return [...compareAuthorization(record, books, id), ...compareCaptured(record, books, id)];
}

/** What the books still reserve. A capture, also of a part, uses the whole authorization up. */
export function reservedIn({ authorized, captures, voided }: Omit<ChargeBooks, 'authorizations'>): number {
  return captures > 0 ? 0 : authorized - voided;
}

function compareAuthorization(
  record: ChargeRecord | null,
  books: ChargeBooks | null,
  of: string,
): Difference[] {
  const isExpected = record?.status === 'requires_capture' && record.voidReason === null;
  if (!books) return isExpected ? [withoutAuthorization(of)] : [];
  const reserved = reservedIn(books);
  if (books.authorizations > 1) {
    const detail = `the books show ${books.authorizations} authorizations of ${books.authorized} in all`;
    return [{ code: 'authorized_twice', of, detail }];
  }
  if (record?.status === 'requires_capture') {
    // A capture that the row does not know yet is told of as such.
    return isExpected && reserved <= 0 && books.captures === 0 ? [withoutAuthorization(of)] : [];
  }
  if (reserved <= 0) return [];
  if (!record) {
    const detail = `the books reserve ${reserved}, and there is no such charge`;
    return [{ code: 'authorization_unknown', of, detail }];
  }
  const code = record.status === 'pending' ? 'charge_behind' : 'authorization_held';
  return [{ code, of, detail: `reads ${record.status}, and the books still reserve ${reserved}` }];
}

function withoutAuthorization(of: string): Difference {
  const detail = 'reads requires_capture, and the books hold no authorization';
  return { code: 'authorization_missing', of, detail };
}

function compareCaptured(record: ChargeRecord | null, books: ChargeBooks | null, id: string): Difference[] {
  const { captures = 0, captured = 0, voided = 0 } = books ?? {};
  // The void of a reservation releases it; it gives no money back.
  const held = captured === 0 ? 0 : captured - voided;
  if (!record) {
    return books === null || held === 0
      ? []
      : [{ code: 'charge_missing', of: id, detail: `the books hold ${held}, and there is no such charge` }];
  }
  if (captures > 1) {
    return [
      { code: 'captured_twice', of: id, detail: `the books show ${captures} captures of ${captured} in all` },
    ];
  }
  if (isOpen(record.status)) {
    return held === 0
      ? []
      : [{ code: 'charge_behind', of: id, detail: `reads ${record.status}, and the books hold ${held}` }];
  }
  return held === record.amountCaptured
    ? []
    : [
        {
          code: 'captured_amount_differs',
          of: id,
          detail: `reads ${record.status} with ${record.amountCaptured} captured, and the books hold ${held}`,
        },
      ];
}

export interface RefundRecord {
  id: string;
  status: 'pending' | 'processed' | 'settled' | 'failed' | 'reversed';
  amount: number;
}

export interface RefundBooks {
  refunded: number;
  reversed: number;
}

/** @param books `null`: the processor has never given money back under it. */
export function compareRefund(
  record: RefundRecord | null,
  books: RefundBooks | null,
  id: string,
): Difference[] {
  const given = books ? books.refunded - books.reversed : 0;
  if (!record) {
    return given === 0
      ? []
      : [
          {
            code: 'refund_missing',
            of: id,
            detail: `the books gave ${given} back, and there is no such refund`,
          },
        ];
  }
  if (record.status === 'pending') {
    return given === 0
      ? []
      : [{ code: 'refund_behind', of: id, detail: `reads pending, and the books gave ${given} back` }];
  }
  const expected = record.status === 'processed' || record.status === 'settled' ? record.amount : 0;
  return given === expected
    ? []
    : [
        {
          code: 'refunded_amount_differs',
          of: id,
          detail: `reads ${record.status} of ${record.amount}, and the books gave ${given} back`,
        },
      ];
}
