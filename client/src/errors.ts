import type { Answer } from './calls.ts';
import type { AnswerHeaders } from './answer-headers.ts';
import type { Schemas } from './document.ts';

export type Problem = Schemas['Problem'];

/** The base of all errors of this client. */
export class PaymentsError extends Error {
  override readonly name: string = 'PaymentsError';
}

/** The service refused the request, or failed. The class says which kind, `code` the reason. */
export class ProblemError extends PaymentsError {
  override readonly name: string = 'ProblemError';
  readonly status: number;
  /** Programs branch on it; `null` if another server answered. New codes may be added. */
  readonly code: Problem['code'] | null;
  /** Why the card was declined, if it was. */
  readonly declineCode: string | null;
  /** What to do after the decline, such as `retry_later`. New values may be added. */
  readonly advice: string | null;
  /** The member of the body that is wrong, such as `amount`: the first of `problem.errors`. */
  readonly param: string | null;
  /** Names the request in the logs of the service. */
  readonly traceId: string | null;
  /** The id of the charge, if there is one. */
  readonly charge: string | null;
  /** The whole problem; `null` if another server answered. */
  readonly problem: Problem | null;
  readonly headers: AnswerHeaders;
  readonly #answer: Answer;

  constructor(answer: Answer) {
    const problem = isProblem(answer.body) ? answer.body : null;
    super(
      `The service answered ${answer.status} ${problem ? describe(problem) : 'without a problem document'}`,
    );
    const { decline_code, advice, charge, errors } = (problem ?? {}) as Details;
    this.status = answer.status;
    this.code = problem?.code ?? null;
    this.declineCode = decline_code ?? null;
    this.advice = advice ?? null;
    this.param = errors?.[0] ? toParam(errors[0]) : null;
    this.traceId = problem?.trace_id ?? answer.headers.traceId;
    this.charge = charge ?? null;
    this.problem = problem;
    this.headers = answer.headers;
    this.#answer = answer;
  }

  /** All that was answered. */
  get answer(): Answer {
    return this.#answer;
  }
}

interface Details {
  decline_code?: string;
  advice?: string;
  charge?: string;
  errors?: Fault[];
}

interface Fault {
  /** Into the body (RFC 6901). */
  pointer: string;
  detail: string;
}

/** Returns the name of a member, such as `amount` or `charges.0.amount`. */
const toParam = ({ pointer }: Fault) => pointer.replace(/^\//, '').replaceAll('/', '.');

/** Returns what is wrong, member by member where the service says so. */
function describe(problem: Problem): string {
  const faults = (problem as Details).errors ?? [];
  const says = faults.map((fault) => `${toParam(fault)} ${fault.detail}`).join('; ');
  return `${problem.code}: ${says || problem.detail}`;
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'trace_id' in body;
}

/** 402: no money moved. `declineCode` says why, for `code` `card_declined`, and `advice` what to do. */
export class CardDeclinedError extends ProblemError {
  override readonly name = 'CardDeclinedError';
}

/** The request cannot be right: 400, 422, 428 and the like. `param` may say where. */
export class InvalidRequestError extends ProblemError {
  override readonly name = 'InvalidRequestError';
}

/** 401: the access token was refused, and a new one too. */
export class AuthenticationError extends ProblemError {
  override readonly name = 'AuthenticationError';
}

/** 403: the client lacks a scope, or its account is disabled. */
export class PermissionError extends ProblemError {
  override readonly name = 'PermissionError';
}

/** 404: there is no such resource of this account. 410: there was one. */
export class NotFoundError extends ProblemError {
  override readonly name = 'NotFoundError';
}

/** 409: the state does not allow it. 412: the resource has changed since it was read. */
export class ConflictError extends ProblemError {
  override readonly name = 'ConflictError';
}

/** 429: too many requests or operations. */
export class RateLimitError extends ProblemError {
  override readonly name = 'RateLimitError';
}

/** 5xx, after all retries. A write may have had its effect: send it again with its key. */
export class ServiceError extends ProblemError {
  override readonly name = 'ServiceError';
}

const kinds: Record<number, new (answer: Answer) => ProblemError> = {
  401: AuthenticationError,
  402: CardDeclinedError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  412: ConflictError,
  429: RateLimitError,
};

/** Returns the error that an answer of 400 or more is. */
export function toProblemError(answer: Answer): ProblemError {
  const Kind = kinds[answer.status] ?? (answer.status >= 500 ? ServiceError : InvalidRequestError);
  return new Kind(answer);
}

/**
 * No answer says what happened. A write may have had its effect: send it again with its key, or read what it would
 * have changed.
 */
export class ConnectionError extends PaymentsError {
  override readonly name: string = 'ConnectionError';
}

/** The time of every attempt was over. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** The issuer gave no token; `code` is one of RFC 6749 §5.2. */
export class TokenError extends PaymentsError {
  override readonly name = 'TokenError';
  readonly status: number;
  readonly code: string | null;

  constructor({ status, body }: Pick<Answer, 'status' | 'body'>) {
    const { error, error_description: detail } = (body ?? {}) as Record<string, string | undefined>;
    super(`The service gave no token: ${[status, error, detail].filter(Boolean).join(' ')}`);
    this.status = status;
    this.code = error ?? null;
  }
}

/** The delivery was not signed with this secret, or its time is too far from now: answer 400, and do nothing. */
export class WebhookSignatureError extends PaymentsError {
  override readonly name = 'WebhookSignatureError';
}

/** A result cannot be had, or its bytes are not those that the service made. */
export class DownloadError extends PaymentsError {
  override readonly name = 'DownloadError';
}
