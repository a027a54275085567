import type { Card } from '#domain/cards/payment-methods.ts';
import type { CaptureOutcome, ChargeOutcome, Refused } from '#domain/charges.ts';
import type { Movement } from '#domain/reconciliation.ts';
import type { ValidationFault } from '#domain/problems.ts';
import type { RefundOutcome } from '#domain/refunds.ts';

export type { ReceiptCard } from '#domain/cards/receipt.ts';
export type { CaptureOutcome, ChargeOutcome, Refused } from '#domain/charges.ts';
export type { DeclineAdvice, DeclineCode } from '#domain/cards/decline-advice.ts';
export type { RefundOutcome } from '#domain/refunds.ts';

/**
 * The payment processor as the activities see it: what each call promises, and how it may fail.
 *
 * Two rules make money safe. Every call that moves money carries a `key` of ours, and a key that the
 * processor knows gets its first answer again. And a fault says only that the *answer* was lost: the
 * caller asks with a `find…` call before it concludes anything.
 */

/** The stored card behind a token: never a number. */
export type CardDescription = Card;

/** A notification of the processor, already authenticated. It only says what to ask about. */
export interface ProcessorNotification {
  /** The processor's own id, at most 255 characters. A repeated notification keeps it. */
  id: string;
  /** Our key of the charge or refund that has changed; `null`: only {@link paymentRef} tells. */
  key: string | null;
  /** The processor's reference of the payment, of which something was done that has no key of ours. */
  paymentRef?: string;
  /**
   * Something that was confirmed has failed since: a refund, a capture, a void. Or the bank has told its reference of a
   * refund, or somebody refunded at the processor itself. So it is news of what is at its end, too. (Default: false)
   */
  isLate?: boolean;
}

/**
 * What no method tells: the other abilities of a processor are the optional methods that its adapter has. Steps and routes branch
 * on these, never on a processor's name.
 */
export interface Capabilities {
  /** Less than the authorized amount can be captured. */
  partialCaptures: boolean;
  /** What was captured can still be given back by `void`. */
  voidsCaptures: boolean;
  /** `listMovements` shows authorizations too; else only `listMovementsOf` does. */
  recordsAuthorizations: boolean;
}

/** A charge as every call names it: all from the row, so that the same row always makes the same request. */
export interface SentCharge {
  /** Our key: the charge's id. */
  key: string;
  /** The processor's reference that `prepare` returned and the row kept; `null`: none yet. */
  ref: string | null;
  /** From 1 on. Grows when a fault says that the processor has stored a failure under our key (`renewsKey`). */
  attempt: number;
  accountId: string;
  createdAt: Date;
  token: string;
  /** Minor units. */
  amount: number;
  currency: string;
  /** Take the money at once (`true`), or only reserve it. */
  capture: boolean;
  /** The text on the cardholder's statement, up to 22 printable ASCII characters; `null`: the processor's own. */
  statementDescriptor: string | null;
  description: string | null;
  /** Where the buyer comes back to; `null`: the charge may not ask its buyer for anything. */
  returnUrl: string | null;
  /** A text of `processor/origins.ts`, for the processor to keep with the charge. (Default: none is kept) */
  origin?: string | undefined;
}

/** The terms of a charge, a capture or a refund that a processor may not take. */
export interface MoneyTerms {
  /** Minor units. */
  amount: number;
  currency: string;
  /** (Default: none) */
  statementDescriptor?: string | null;
}

/** The account at the processor that a key belongs to. */
export interface CheckedAccount {
  externalAccount: string;
  mode: ProcessorMode;
  /** What the processor puts before our text on the statement; `null`: it does not say. (Default: nothing) */
  statementPrefix?: string | null;
}

/** A capture of `amount` (minor units) of the charge, under the capture's own key. */
export interface SentCapture {
  key: string;
  charge: SentCharge;
  amount: number;
  /** Like that of {@link SentCharge}. */
  attempt: number;
}

export interface SentVoid {
  charge: SentCharge;
  onlyReserved?: boolean;
}

/** A refund of `amount` (minor units) of the charge, under the refund's id. */
export interface SentRefund {
  key: string;
  charge: SentCharge;
  amount: number;
  /** Like that of {@link SentCharge}. */
  attempt: number;
  createdAt: Date;
  /** Like that of {@link SentCharge}. */
  origin?: string | undefined;
}

/** A charge that the processor took, whatever became of it: also one that it declined, voided or has not decided. */
export interface TakenCharge {
  kind: 'charge';
  /** Our key. */
  key: string;
  /** The processor's own id, which the row keeps before the charge is authorized; `null` where it keeps none. */
  ref: string | null;
  token: string;
  /** Minor units. */
  amount: number;
  currency: string;
  capture: boolean;
  statementDescriptor: string | null;
  /** It was declined or voided: it holds no money. */
  isOver: boolean;
  /** What was sent with it; `null`: nothing. */
  origin: string | null;
}

/** A refund that the processor took, whatever became of it. */
export interface TakenRefund {
  kind: 'refund';
  /** Our key. */
  key: string;
  chargeKey: string;
  /** Minor units. */
  amount: number;
  /** It failed or was reversed. */
  isOver: boolean;
  /** What was sent with it; `null`: nothing. */
  origin: string | null;
}

/** Which of what it took a processor lists. */
export interface TakenPage {
  /** By the processor's clock. */
  since: Date;
  /** A position of the answer before; `null`: the first page. */
  after: string | null;
}

/** The payment is made and moves no money. The row keeps `ref` before the charge is authorized. */
export interface Prepared {
  kind: 'prepared';
  /** At most 255 characters. */
  ref: string;
}

/** Options of each call: the signal bounds it in time. */
export interface CallOptions {
  signal?: AbortSignal;
}

/**
 * The port that an adapter of a processor implements.
 *
 * Every method may throw {@link ProcessorFault}, and nothing else for what the network or the processor does. An answer about
 * another key is a fault too. `processor/belief.ts` checks amounts, so that no adapter has to.
 */
export interface PaymentProcessor {
  readonly capabilities: Capabilities;
  /**
   * How long the processor surely knows a key of ours, in ms after it was made; less than it promises, since our clock may
   * be wrong. Later a `find…` that returns `null` says nothing: `processor/key-memory.ts` reads the books instead, so
   * `listMovementsOf` is needed. (Default: for ever, or the adapter itself looks before each send)
   */
  readonly keysKnownMs?: number;
  /** Returns whether `token` can be one of this processor's. A pure check of its form. */
  acceptsToken(token: string): boolean;
  /**
   * Returns what of these terms of a request it cannot take, with what it takes instead; none: it takes them. A pure check
   * of their form, for charges, captures and refunds alike. (Default: it takes what our API does)
   */
  findFaults?(terms: MoneyTerms): ValidationFault[];
  /** Notes what {@link ProcessorKind.checkKey} has read, which `findFaults` may need. (Default: it needs nothing) */
  noteAccount?(account: CheckedAccount): void;
  /**
   * Makes the payment without moving money. It comes before `authorize`: money can move only under the reference that it
   * returned. (Default: `authorize` makes it)
   */
  prepare?(charge: SentCharge, options?: CallOptions): Promise<Prepared | Refused>;
  authorize(charge: SentCharge, options?: CallOptions): Promise<ChargeOutcome>;
  capture(capture: SentCapture, options?: CallOptions): Promise<CaptureOutcome>;
  /**
   * Gives back what was reserved or taken. A key the processor has never seen is confirmed too, and remembered: a later
   * send with it answers `voided`. A payment can be voided for as long as it lasts, also once its key is forgotten. Safe
   * to repeat.
   *
   * @param request.onlyReserved what was captured stays: then the call is a fault, and the charge is to be asked for. Somebody
   *   may capture it at the processor itself while it is voided. (Default: what was captured is given back)
   */
  void(request: SentVoid, options?: CallOptions): Promise<{ kind: 'voided' }>;
  refund(refund: SentRefund, options?: CallOptions): Promise<RefundOutcome>;
  /** Takes back the refund sent under `key`. Safe to repeat. (Default: it takes none back) */
  reverseRefund?(request: { key: string; charge: SentCharge }, options?: CallOptions): Promise<RefundOutcome>;
  /**
   * Asks for the state of a charge. Returns `null` if the processor has never seen it. What a void gave back and did not
   * arrive is `captured` again: another void gives it back.
   */
  findCharge(charge: SentCharge, options?: CallOptions): Promise<ChargeOutcome | null>;
  findCapture(capture: Omit<SentCapture, 'attempt'>, options?: CallOptions): Promise<CaptureOutcome | null>;
  /** Also says when a refund that was `processed` has failed since, for as long as it knows the key. */
  findRefund(refund: Omit<SentRefund, 'attempt'>, options?: CallOptions): Promise<RefundOutcome | null>;
  /**
   * A page of the processor's own record of what moved, after a position (`null`: nothing was read yet); `next` is the
   * position to go on from, `null` at the end for now. Pages come in any order; each movement is on one page. A page takes
   * a bounded number of requests, whatever is on it. Only the adapter reads positions. (Default: it keeps no books)
   */
  listMovements?(
    after: string | null,
    options?: CallOptions,
  ): Promise<{ movements: Movement[]; next: string | null }>;
  /** Reads the entries of a charge with its captures and refunds, oldest first. (Default: it keeps no books) */
  listMovementsOf?(charge: SentCharge, options?: CallOptions): Promise<Movement[]>;
  /**
   * Lists charges and refunds that were sent since a time, in the adapter's order, with what was sent. What is sent while it
   * is read may be missing. After the database was restored to an earlier time, lost rows are made again from it. An
   * adapter without it leaves them to a person.
   */
  listTaken?(
    page: TakenPage,
    options?: CallOptions,
  ): Promise<{ taken: (TakenCharge | TakenRefund)[]; next: string | null }>;
  /** The card behind a token; `null` when there is no such token. (Default: it keeps no cards on file) */
  describeToken?(token: string, options?: CallOptions): Promise<CardDescription | null>;
  /** Waits for the calls under way, each of which is bounded. */
  close(): Promise<void>;
}

/** The members of the port that call the processor. */
export type Verb = Exclude<
  keyof PaymentProcessor,
  'capabilities' | 'keysKnownMs' | 'acceptsToken' | 'findFaults' | 'noteAccount' | 'close'
>;

type Call<V extends Verb> = NonNullable<PaymentProcessor[V]>;
export type SentBy<V extends Verb> = Parameters<Call<V>>[0];
export type OutcomeOf<V extends Verb> = Awaited<ReturnType<Call<V>>>;

/** The part of an adapter that the API uses: authenticating what the processor posts to us. */
export interface NotificationParser {
  /**
   * Returns the notification; `ignored` for one that is signed rightly and about nothing of ours; `null` when its
   * signature or shape is wrong.
   *
   * @param headers their names in lower case, as node gives them.
   */
  parseNotification(
    headers: Record<string, string | undefined>,
    rawBody: Buffer,
  ): ProcessorNotification | 'ignored' | null;
}

/** How to reach one processor. */
export interface ProcessorSettings {
  /** The secret key. */
  key: string;
  /** `null`: the kind's own. */
  url: string | null;
  /** The account at the processor that the key belongs to; `null`: not known yet. */
  externalAccount: string | null;
  /** Settings of its kind, by name. (Default: none) */
  options?: Readonly<Record<string, string>>;
}

/** Whether money is real. */
export type ProcessorMode = 'test' | 'live';

/** One kind of processor: what the registry knows of it. One folder, and one line in `processor/kinds.ts`. */
export interface ProcessorKind {
  /** Lower case, such as `sandbox`. The rows of processors hold it, so it never changes. */
  kind: string;
  /** What the processors of this kind can do, without options. */
  capabilities: Capabilities;
  open(settings: ProcessorSettings): PaymentProcessor;
  /**
   * @param secrets any of them may have signed: there are two during a rotation.
   * @param now in ms since 1970. (Default: the clock of this process)
   */
  createParser(
    secrets: readonly string[],
    settings: ProcessorSettings,
    now?: () => number,
  ): NotificationParser;
  /**
   * Returns the mode that the form of a key tells.
   *
   * @throws {ProcessorKeyError} for a key that cannot be used.
   */
  readKey(key: string): { mode: ProcessorMode };
  /**
   * Asks which account a key belongs to, when an operator registers or rotates it.
   *
   * @throws {ProcessorKeyError} when the processor refuses the key.
   * @throws {ProcessorFault} when it gives no usable answer.
   */
  checkKey(settings: ProcessorSettings): Promise<CheckedAccount>;
}

/** A key that cannot be used. Its message is for the operator, and never shows the key. */
export class ProcessorKeyError extends Error {
  override readonly name = 'ProcessorKeyError';
}

/**
 * What a fault says of the processor: it is there, since it answered; it may be away; or nothing, since our own time was over
 * before it could answer.
 */
export type ProcessorPresence = 'there' | 'away' | 'unknown';

export type ProcessorFaultCode = 'processor_unavailable' | 'processor_invalid_response' | 'processor_timeout';

/**
 * A call that gave no usable answer: adapters throw it, and `processor/call.ts` returns it.
 *
 * - `processor_unavailable`: refused (503) or no connection stood, so this call had no effect.
 * - `processor_timeout`: no answer in time, or the connection broke after the request was sent; it may have had its effect.
 * - `processor_invalid_response`: an answer that cannot be read; it may have had its effect.
 */
export class ProcessorFault extends Error {
  override readonly name = 'ProcessorFault';
  /** Whether the call may have moved money. */
  readonly moneyMoved: 'no' | 'unknown';
  readonly code: ProcessorFaultCode;
  /** The processor has stored a failure under our key: the next send takes the next `attempt`. */
  readonly renewsKey: boolean;
  /** When the processor wants to be called again at the earliest, in milliseconds; `null`: it did not say. */
  readonly retryAfterMs: number | null;
  /** The processor refused our credentials: nothing happened, and nothing will until an operator mends them. */
  readonly misconfigured: boolean;
  /** Whether the processor is there; the circuit opens only if it may be away. */
  readonly presence: ProcessorPresence;
  /** What an operator may read of an answer that could not be used: without secrets and card data. */
  readonly evidence: string | null;
  constructor(
    code: ProcessorFaultCode,
    message: string,
    options: ErrorOptions & {
      renewsKey?: boolean;
      retryAfterMs?: number;
      misconfigured?: boolean;
      /** (Default: `there` for an answer that cannot be read, else `away`) */
      presence?: ProcessorPresence;
      evidence?: string;
    } = {},
  ) {
    super(message, options);
    this.moneyMoved = code === 'processor_unavailable' ? 'no' : 'unknown';
    this.code = code;
    this.renewsKey = options.renewsKey ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.misconfigured = options.misconfigured ?? false;
    this.presence = options.presence ?? (code === 'processor_invalid_response' ? 'there' : 'away');
    this.evidence = options.evidence ?? null;
  }
}

/** An outcome, or the fault that kept it from us. */
export type OrFault<T> = T | ProcessorFault;
