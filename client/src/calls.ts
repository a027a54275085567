import type { AnswerHeaders } from './answer-headers.ts';

/** The options of one call. */
export interface CallOptions {
  /**
   * The key of the logical operation, for POST. Keep one with the order that is paid, and a repeat after a crash does
   * not pay twice. (Default: a new one for each call, the same for its retries; `null`: none)
   */
  idempotencyKey?: string | null;
  /** The version of the answer. (Default: that of the client's types) */
  apiVersion?: string;
  /** Ends the call; it then throws the signal's reason. */
  signal?: AbortSignal;
  /** The longest time of one attempt in milliseconds. (Default: the client's) */
  timeout?: number;
  /** Attempts after the first. (Default: the client's) */
  maxRetries?: number;
  /** The `etag` of what the caller saw: the write is refused with 412 if it has changed since. */
  ifMatch?: string;
  /** Headers to add, such as `Prefer` or `traceparent`. */
  headers?: Record<string, string>;
}

/** A write that must say which state it changes. */
export type ConditionalOptions = CallOptions & { ifMatch: string };

export interface RequestOptions extends CallOptions {
  /** Values that are `undefined` are left out. */
  query?: object;
  /** Text is sent unchanged, anything else as JSON. */
  body?: unknown;
}

/** An answer of the service. */
export interface Answer<Body = unknown> {
  status: number;
  headers: AnswerHeaders;
  /** The body as text. */
  text: string;
  /** The parsed JSON; `null` if there is none. */
  body: Body;
}

/** The result of a call. `answer()` gives the status and the headers too. */
export type CallPromise<Body> = Promise<Body> & { answer(): Promise<Answer<Body>> };

/** Returns the promise of an answer's body. */
export function toCall<Body>(answer: Promise<Answer<Body>>): CallPromise<Body> {
  const body = answer.then((whole) => whole.body);
  return Object.assign(body, {
    answer() {
      // A caller of `answer()` gets its failure there, and not a second time.
      body.catch(() => undefined);
      return answer;
    },
  });
}
