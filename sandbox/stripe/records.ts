/*
 * What the journal keeps of the objects of Stripe's dialect. A record is never changed: a change puts a new one under
 * the same id. Amounts are Stripe's units (`money.ts`), times named `...At` epoch milliseconds, `created` seconds.
 */

interface Kept {
  id: string;
  /** The account whose key made it: `acct_...`. No other account finds it. */
  account: string;
  created: number;
}

export type Metadata = Record<string, string>;

export interface MethodRecord extends Kept {
  kind: 'payment_method';
  /** The name of the sandbox's token, which decides how the card behaves. */
  token: string;
  /** The payment intent that used it up: it serves once. */
  usedBy: string | null;
  metadata: Metadata;
}

/** A failed attempt, as `last_payment_error` and the failed charge show it. */
export interface PaymentFailure {
  type: 'card_error' | 'invalid_request_error';
  code: string;
  declineCode: string | null;
  /** What Stripe says to do after it. (Default: nothing) */
  adviceCode?: 'confirm_card_data' | 'do_not_try_again' | 'try_again_later';
  message: string;
  method: string;
  charge: string | null;
}

export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled';

export interface IntentRecord extends Kept {
  kind: 'payment_intent';
  secret: string;
  amount: number;
  /** Lower case, as Stripe writes it. */
  currency: string;
  captureMethod: 'automatic' | 'automatic_async' | 'manual';
  confirmationMethod: 'automatic' | 'manual';
  method: string | null;
  description: string | null;
  descriptorSuffix: string | null;
  metadata: Metadata;
  status: IntentStatus;
  amountReceived: number;
  amountCapturable: number;
  canceledAt: number | null;
  cancellationReason: string | null;
  latestCharge: string | null;
  failure: PaymentFailure | null;
  returnUrl: string | null;
  /** Where the buyer confirms; `null` while there is nothing to confirm, or no way back. */
  actionUrl: string | null;
  /** Whether the buyer has confirmed the present payment method. */
  isAuthenticated: boolean;
  /** Confirms that had no effect so far. */
  fruitless: number;
  /** When a pending outcome is decided, or an authorization lapses. */
  dueAt: number | null;
}

export interface ChargeRecord extends Kept {
  kind: 'charge';
  intent: string;
  method: string;
  amount: number;
  currency: string;
  description: string | null;
  descriptorSuffix: string | null;
  /** The intent's, copied once. */
  metadata: Metadata;
  status: 'succeeded' | 'failed';
  isCaptured: boolean;
  amountCaptured: number;
  /** With what a partial capture or a cancellation released. */
  amountRefunded: number;
  failure: PaymentFailure | null;
  transaction: string | null;
  /** Seconds; only for what was reserved first. */
  captureBefore: number | null;
  isAuthenticated: boolean;
}

export interface RefundRecord extends Kept {
  kind: 'refund';
  intent: string;
  charge: string;
  amount: number;
  currency: string;
  status: 'pending' | 'succeeded' | 'failed';
  /** `released`: made by a partial capture or a cancellation, and never asked for. */
  origin: 'asked' | 'released';
  reason: string | null;
  metadata: Metadata;
  failureReason: string | null;
  /** The number that the bank knows it by: as Stripe names its state. (Default: it was made before this was kept) */
  bankReference?: 'available' | 'pending' | 'unavailable';
  transaction: string | null;
  failureTransaction: string | null;
  /** What becomes of it at `dueAt`. */
  ends: 'succeeded' | 'failed' | null;
  dueAt: number | null;
}

/** A movement of the account's balance, in the currency of settlement, signed. */
export interface TransactionRecord extends Kept {
  kind: 'balance_transaction';
  amount: number;
  fee: number;
  rate: number | null;
  type: 'charge' | 'refund' | 'refund_failure';
  category: 'charge' | 'refund' | 'refund_failure' | 'partial_capture_reversal';
  source: string;
}

/** A card token that a client made; the named ones (`tok_visa`) have no record. */
export interface TokenRecord extends Kept {
  kind: 'token';
  token: string;
  isUsed: boolean;
}

export interface EventRecord extends Kept {
  kind: 'event';
  type: string;
  /** The object's id. The event shows it as it was after the change that the event is about. */
  of: string;
  requestId: string | null;
  idempotencyKey: string | null;
  /** How often it is sent to the receiver of notifications; 0 once it was acknowledged or given up. */
  owed: number;
}

/** What has a state, and is shown by events. */
export type SubjectRecord =
  MethodRecord | IntentRecord | ChargeRecord | RefundRecord | TransactionRecord | TokenRecord;

export type StripeRecord = SubjectRecord | EventRecord;
export type RecordKind = StripeRecord['kind'];
export type RecordOf<Kind extends RecordKind> = Extract<StripeRecord, { kind: Kind }>;

/** An answer that is kept under an idempotency key. */
export interface KeptAnswer {
  account: string;
  key: string;
  /** Of the path and the raw body. */
  fingerprint: string;
  requestId: string;
  status: number;
  body: object;
}
