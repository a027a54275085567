import { ProcessorFault, type ProcessorFaultCode } from '../port.ts';
import type { StripeError } from './objects.ts';

/** What a request is for. An answer can mean different things to different calls. */
export type StripeCall = 'prepare' | 'confirm' | 'capture' | 'cancel' | 'refund' | 'ask';

/** What an answer says. The first group is a {@link ProcessorFault}; the second one is, or leads to, an outcome. */
export type Meaning =
  | FaultMeaning
  /** The card was declined, and nothing was taken. */
  | 'declined'
  /** The payment is in another state than the call needs: its state is the answer. */
  | 'moved_on'
  /** Nothing happened by this request, and the same request never has an effect. */
  | 'refused';

export type FaultMeaning =
  /** The key is wrong or may not do this: nothing happened, and an operator must mend it. */
  | 'misconfigured'
  /** The limiter stands before everything else: nothing happened. */
  | 'rate_limited'
  /** Another request holds the object: nothing happened by this one. */
  | 'locked'
  /** A request with the same key is under way. */
  | 'in_progress'
  /** The key was used with other parameters. Nothing happened by this request; what the first one did is not known. */
  | 'key_reused'
  /** What we know to exist is not there: the wrong account or mode. */
  | 'missing'
  /** Anything may have happened. */
  | 'unknown';

/** A row of the table. A member that is absent fits every answer. */
export interface ErrorRow {
  status?: readonly number[];
  type?: string;
  codes?: readonly string[];
  on?: readonly StripeCall[];
  means: Meaning;
}

const movesMoney: readonly StripeCall[] = ['confirm', 'capture', 'refund'];

/** What an answer other than 200 means: the first row that fits. Nothing fits: `unknown`. */
export const errorTable: readonly ErrorRow[] = [
  { status: [401, 403], means: 'misconfigured' },
  { status: [409, 429], codes: ['lock_timeout'], means: 'locked' },
  { status: [409], codes: ['idempotency_key_in_use'], means: 'in_progress' },
  { status: [429], means: 'rate_limited' },
  { status: [400, 409], type: 'idempotency_error', means: 'key_reused' },
  { status: [402], type: 'card_error', on: movesMoney, means: 'declined' },
  { status: [402], type: 'card_error', on: ['prepare'], means: 'refused' },
  { status: [400, 404], codes: ['payment_intent_unexpected_state'], means: 'moved_on' },
  { status: [404], type: 'invalid_request_error', on: ['ask', 'cancel'], means: 'missing' },
  {
    status: [400, 404],
    type: 'invalid_request_error',
    on: ['prepare', ...movesMoney],
    means: 'refused',
  },
];

/** @param error `null`: the body is not an error of Stripe's, so only the status counts. */
export function readMeaning(call: StripeCall, status: number, error: StripeError | null): Meaning {
  const row = errorTable.find(
    ({ status: statuses, type, codes, on }) =>
      (statuses?.includes(status) ?? true) &&
      (type === undefined || error?.type === type) &&
      (codes?.includes(error?.code ?? '') ?? true) &&
      (on?.includes(call) ?? true),
  );
  return row?.means ?? 'unknown';
}

export interface FaultKind {
  code: ProcessorFaultCode;
  message: string;
  renewsKey?: true;
  misconfigured?: true;
  retryAfterMs?: number;
}

/** The fault of each meaning that is one. */
export const faultKinds: Readonly<Record<FaultMeaning, FaultKind>> = {
  misconfigured: {
    code: 'processor_unavailable',
    message: 'it refuses the key of this processor',
    misconfigured: true,
  },
  rate_limited: { code: 'processor_unavailable', message: 'too many requests', retryAfterMs: 1_000 },
  locked: { code: 'processor_unavailable', message: 'another request holds the object', retryAfterMs: 500 },
  in_progress: {
    code: 'processor_timeout',
    message: 'the same request is under way',
    retryAfterMs: 1_000,
  },
  key_reused: {
    code: 'processor_invalid_response',
    message: 'the key was used with other parameters',
    renewsKey: true,
  },
  missing: { code: 'processor_invalid_response', message: 'what we know to exist is not there' },
  unknown: { code: 'processor_invalid_response', message: 'it says nothing of what happened' },
};

export function isFault(meaning: Meaning): meaning is FaultMeaning {
  return meaning in faultKinds;
}

/** An answer that is no outcome, as the operator will read of it. */
export interface Unusable {
  status: number;
  error: StripeError | null;
  /** Stripe repeated the answer that it has stored under our key. */
  replayed: boolean;
  /** Without secrets and card data. */
  evidence: string;
}

/** How long a second refund waits for the first one, whose failure was stored, to show in the listing. */
export const refundRenewalMs = 60_000;

export function toFault(call: StripeCall, meaning: FaultMeaning, answer: Unusable): ProcessorFault {
  const kind = faultKinds[meaning];
  const renewsKey = kind.renewsKey ?? (meaning === 'unknown' && answer.replayed);
  const wait = renewsKey && call === 'refund' ? refundRenewalMs : kind.retryAfterMs;
  const code = answer.error?.code ?? answer.error?.type ?? 'no code';
  return new ProcessorFault(
    kind.code,
    `Stripe's answer to ${call} cannot be used: status ${answer.status} (${code}), ${kind.message}`,
    {
      renewsKey,
      misconfigured: kind.misconfigured ?? false,
      // Whatever it says, it is an answer.
      presence: 'there',
      evidence: answer.evidence,
      ...(wait !== undefined && { retryAfterMs: wait }),
    },
  );
}

/** An answer with status 200 that cannot be true, or cannot be read. */
export function unreadable(
  message: string,
  options: { evidence?: string; renewsKey?: boolean } = {},
): ProcessorFault {
  const text = `Stripe's answer cannot be used: ${message}`;
  return new ProcessorFault('processor_invalid_response', text, options);
}
