/**
 * What a processor tells of a payment and of the card that pays it, or of a refund: what a receipt and a support desk need.
 * It is kept on the charge or the refund as it is shown. It holds no number of a card, and nothing that a network could
 * charge it by.
 */

export const receiptBrands = [
  'visa',
  'mastercard',
  'amex',
  'discover',
  'diners',
  'jcb',
  'unionpay',
  'other',
] as const;

export const cardFundings = ['credit', 'debit', 'prepaid'] as const;

/** `unchecked`: it was not checked, or the card's bank could not. */
export const checkResults = ['pass', 'fail', 'unchecked'] as const;

export const authenticationResults = [
  /** The buyer was authenticated. */
  'authenticated',
  /** The bank was asked, and could not. Its liability is mostly as if it had. */
  'attempted',
  /** The bank agreed that it need not be. */
  'exempted',
  'failed',
  /** The card takes no part in it. */
  'not_supported',
] as const;

/** A card as the charge was made with it. What the processor does not say is `null`. */
export interface ReceiptCard {
  brand: (typeof receiptBrands)[number];
  last4: string;
  /** 1 to 12. */
  exp_month: number;
  /** Four digits. */
  exp_year: number;
  funding: (typeof cardFundings)[number] | null;
  /** The country of its bank: ISO 3166, two letters. */
  country: string | null;
  /** Such as `apple_pay`. */
  wallet: string | null;
  /** The same text for the same card at the same processor account. */
  fingerprint: string | null;
}

export interface CardChecks {
  cvc: (typeof checkResults)[number];
  postal_code: (typeof checkResults)[number];
}

export interface ThreeDSecure {
  result: (typeof authenticationResults)[number];
  /** Whether the bank bears a fraud; `null`: the processor does not say. */
  liability_shifted: boolean | null;
}

/** A processor that money went to or came from. */
export interface ReceiptProcessor {
  /** `null`: the built-in one. */
  id: string | null;
  /** Such as `stripe`; `null`: a release before did not keep it. */
  kind: string | null;
  /** The processor's own id of the payment, or of the refund; `null`: not told yet. */
  reference: string | null;
}

export interface Receipt {
  /** The processor's own reference of the payment. */
  reference: string;
  card: ReceiptCard | null;
  checks: CardChecks | null;
  three_d_secure: ThreeDSecure | null;
  /** The bank's code for the authorization. */
  authorization_code: string | null;
}

/** What an outcome tells for the receipt, beside the reference. A member that is left out says nothing. */
export type ToldReceipt = Partial<Omit<Receipt, 'reference'>>;

/**
 * Returns the receipt with what an outcome tells. What it does not say stays as it was told before. A refusal has no payment,
 * and a void may be of our key alone: they tell nothing.
 */
export function addToReceipt(
  receipt: Receipt | null,
  { kind, processorId, told = {} }: { kind: string; processorId?: string; told?: ToldReceipt | undefined },
): Receipt | null {
  if (processorId === undefined || kind === 'voided') return receipt;
  return {
    reference: processorId,
    card: told.card ?? receipt?.card ?? null,
    checks: told.checks ?? receipt?.checks ?? null,
    three_d_secure: told.three_d_secure ?? receipt?.three_d_secure ?? null,
    authorization_code: told.authorization_code ?? receipt?.authorization_code ?? null,
  };
}

/** What a processor told of a refund. */
export interface RefundReceipt {
  processor: ReceiptProcessor;
  /** The number that the bank of the buyer knows it by; `null`: not told yet, which may take days. */
  bank_reference: string | null;
}

/** What an outcome tells of a refund. */
export interface ToldOfRefund {
  /** The processor's own id of it; `null`: it made none, or does not say. */
  processorId: string | null;
  /** (Default: it is not known yet) */
  bankReference?: string | undefined;
}

/** Returns the receipt with what an outcome tells, or the same one if that is nothing new. What is known stays. */
export function addToRefundReceipt(
  receipt: RefundReceipt | null,
  { processorId, bankReference }: ToldOfRefund,
): RefundReceipt | null {
  if (!receipt) return null;
  const { processor, bank_reference: known } = receipt;
  const reference = processor.reference ?? processorId;
  const bank_reference = known ?? bankReference ?? null;
  const isNews = reference !== processor.reference || bank_reference !== known;
  return isNews ? { processor: { ...processor, reference }, bank_reference } : receipt;
}
