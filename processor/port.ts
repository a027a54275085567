import type { Card } from '#domain/payment-methods.ts';
import type { CaptureOutcome, ChargeOutcome } from '#domain/charges.ts';
import type { Movement } from '#domain/reconciliation.ts';
import type { RefundOutcome } from '#domain/refunds.ts';

export type { CaptureOutcome, ChargeOutcome, DeclineCode } from '#domain/charges.ts';
export type { RefundOutcome } from '#domain/refunds.ts';

/**
 * The payment processor as the activities see it: what each call promises, and how it may fail.
 *
 * Two rules make money safe. Every call that moves money carries a `key` of ours, and a key that the
 * processor knows gets its first answer again. And a fault says only that the *answer* was lost: the
 * caller asks with {@link PaymentProcessor.find} before it concludes anything.
 */

/** The stored card behind a token: never a number. */
export type CardDescription = Card;

/** A notification of the processor, already authenticated. It only says what to ask about. */
export interface ProcessorNotification {
  /** The processor's own id, at most 255 characters. A repeated notification keeps it. */
  id: string;
  /** Our key of the charge or refund that has changed. */
  key: string;
}

export interface AuthorizeRequest {
  /** Our key: the charge's id. */
  key: string;
  token: string;
  /** Minor units. */
  amount: number;
  currency: string;
  /** Take the money at once (`true`), or only reserve it. */
  capture: boolean;
  /** The text on the cardholder's statement, up to 22 printable ASCII characters. (Default: the processor's own) */
  statementDescriptor?: string | undefined;
}

/** A charge to ask about: our key, and the amount sent under it. No answer may name a higher amount. */
export interface Sent {
  key: string;
  /** Minor units. */
  amount: number;
}

/** Options of each call: the signal bounds it in time. */
export interface CallOptions {
  signal?: AbortSignal;
}

/**
 * The port that an adapter of a processor implements.
 *
 * Every method may throw {@link ProcessorFault}, and nothing else for what the network or the processor does. An answer
 * that cannot be true is a fault too: an amount that was taken is whole, above 0, and not above what was sent.
 */
export interface PaymentProcessor {
  authorize(request: AuthorizeRequest, options?: CallOptions): Promise<ChargeOutcome>;
  /** Takes `amount` of the authorization sent under `chargeKey`; `key` is the capture's own. */
  capture(
    request: { key: string; chargeKey: string; amount: number },
    options?: CallOptions,
  ): Promise<CaptureOutcome>;
  /**
   * Gives back what was reserved or taken under `chargeKey`. A key the processor has never seen is
   * confirmed too, and remembered: a later send with it answers `voided`. Safe to repeat.
   */
  void(request: { chargeKey: string }, options?: CallOptions): Promise<{ kind: 'voided' }>;
  refund(
    request: { key: string; chargeKey: string; amount: number },
    options?: CallOptions,
  ): Promise<RefundOutcome>;
  /** Takes back the refund sent under `refundKey`. Safe to repeat. */
  reverseRefund(request: { refundKey: string }, options?: CallOptions): Promise<RefundOutcome>;
  /** Asks for the state of a charge. Returns `null` if the processor has never seen the key. */
  findCharge(sent: Sent, options?: CallOptions): Promise<ChargeOutcome | null>;
  findCapture(sent: Sent, options?: CallOptions): Promise<CaptureOutcome | null>;
  findRefund(key: string, options?: CallOptions): Promise<RefundOutcome | null>;
  /**
   * The processor's own record of what moved, oldest first, after a position (0: from the beginning); `next` is the
   * position to go on from, `null` at the end. An adapter whose processor keeps no such record leaves it out.
   */
  listMovements?(
    after: number,
    options?: CallOptions,
  ): Promise<{ movements: Movement[]; next: number | null }>;
  /** Reads the entries of a charge, or of a refund's own key, oldest first. */
  listMovementsOf?(key: string, options?: CallOptions): Promise<Movement[]>;
  /** The card behind a token; `null` when there is no such token. */
  describeToken(token: string, options?: CallOptions): Promise<CardDescription | null>;
}

/** The part of an adapter that the API uses: authenticating what the processor posts to us. */
export interface NotificationParser {
  /** The notification, or `null` when its signature or shape is wrong. */
  parseNotification(
    headers: Record<string, string | undefined>,
    rawBody: Buffer,
  ): ProcessorNotification | null;
}

export type ProcessorFaultCode = 'processor_unavailable' | 'processor_invalid_response' | 'processor_timeout';

/**
 * A call that gave no usable answer.
 *
 * - `processor_unavailable`: refused (503) or no connection stood, so this call had no effect.
 * - `processor_timeout`: no answer in time, or the connection broke after the request was sent; it may have had its effect.
 * - `processor_invalid_response`: an answer that cannot be read; it may have had its effect.
 */
export class ProcessorFault extends Error {
  override readonly name = 'ProcessorFault';
  readonly code: ProcessorFaultCode;
  constructor(code: ProcessorFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
