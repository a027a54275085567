import type { ChargeOutcome, DeclineAdvice, PaymentProcessor, SentCharge } from '#processor/port.ts';
import type { FaultInjector } from './faults.ts';
import type { ChargeRow } from './rows.ts';

/** What a processor may do without. A case that needs one is not run where the processor declares that it has none. */
export const features = {
  prepare: 'a first call that moves no money',
  actions: 'charges that wait for their buyer',
  advice: 'advice about what to do after a decline',
  pending_charges: 'charges whose outcome comes later',
  partial_captures: 'captures of less than was authorized',
  void_captures: 'a void of what was captured',
  reversals: 'refunds that can be taken back',
  cards: 'a description of the card behind a token',
  books: 'its own record of what moved',
  requests: 'a list of what it took, with the request behind each',
  instant_refund_failures: 'refunds that fail at once',
  late_refund_failures: 'refunds that fail after they were processed',
  late_capture_failures: 'captures that fail after they were accepted',
  late_void_failures: 'voids whose money does not arrive',
  pending_refunds: 'refunds whose outcome comes later',
  late_bank_references: 'references of the bank that come after a refund was processed',
  remembered_voids: 'a void of a key that was never seen, which a later send meets',
  rate_limits: 'answers that say: too many requests',
  locks: 'answers that say: another request holds the object',
  stored_failures: 'failures that are kept under a key',
  running_keys: 'answers that say: the first request is under way',
  bound_keys: 'keys that are bound to what was sent under them',
  kept_keys: 'keys that are kept for a while',
  one_off_tokens: 'tokens that can be used only once',
  modes: 'test and live money',
  refunds_elsewhere: 'refunds that others make, in a dashboard say',
  charges_elsewhere: 'captures and voids that others make, in a dashboard say',
  exact_currencies: 'currencies and amounts that it cannot take',
} as const;

export type Feature = keyof typeof features;

/** The tokens that bring about what a case asks for. */
export interface Tokens {
  succeeds: string;
  /** By the reason of its decline. */
  declines: Readonly<Record<string, string>>;
  /** By what the bank says to do after a decline. Where there is `advice`. */
  advises?: Partial<Record<DeclineAdvice, string>>;
  unknown: string;
  succeedsLater?: string;
  refundsFail?: string;
  refundsFailLater?: string;
  bankTellsLater?: string;
  capturesFailLater?: string;
  voidsFailLater?: string;
  asksBuyer?: string;
  asksBuyerThenDeclines?: string;
}

/** What the processor's own books hold for a charge: sums in minor units. */
export interface Books {
  captures: number;
  captured: number;
  refunds: number;
  refunded: number;
  /** What voids gave back of captures. */
  voided: number;
}

/** What others do with an authorization: `amount` in minor units. */
export type ActionElsewhere = { do: 'capture'; amount: number } | { do: 'void' };

/** One processor as one case sees it. Faults and counts are the case's own. */
export interface Subject {
  processor: PaymentProcessor;
  /** The same adapter where nothing listens. */
  unreachable: PaymentProcessor;
  tokens: Tokens;
  /** What is declared not to be there, and why. */
  lacks: Partial<Record<Feature, string>>;
  faults: FaultInjector;
  /** How long a case waits for what comes later. (Default: that of `eventually`) */
  maxWaitMs?: number;
  newCharge(how?: Partial<SentCharge>): ChargeRow;
  books(row: ChargeRow): Promise<Books>;
  /** Does what the buyer does on the page of `url`. Where there are `actions`. */
  actAsBuyer?(url: string, outcome: 'confirm' | 'fail'): Promise<void>;
  /** Refunds without the adapter. Where there are `refunds_elsewhere`. */
  refundElsewhere?(row: ChargeRow, amount: number): Promise<void>;
  /** Captures or voids without the adapter. Where there are `charges_elsewhere`. */
  actElsewhere?(row: ChargeRow, action: ActionElsewhere): Promise<void>;
  /** Makes a token that can be used once. Where there are `one_off_tokens`. */
  makeToken?(): Promise<string>;
  /** The next refund under this key is pending at first. Where there are `pending_refunds`. */
  delayRefund?(key: string): Promise<void>;
}

/** A processor to be tested, opened once for all cases. */
export interface Target {
  /** As the table names it. */
  name: string;
  lacks: Subject['lacks'];
  newSubject(): Subject;
  stop(): Promise<void>;
}

/** The outcome of a charge without the processor's own id. */
export function describeOutcome(outcome: ChargeOutcome | { kind: string } | null): object | null {
  if (outcome === null) return null;
  const {
    processorId: _id,
    expiresAt: _at,
    currency: _in,
    told: _told,
    ...rest
  } = outcome as Record<string, unknown>;
  return rest;
}
