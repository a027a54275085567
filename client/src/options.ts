import type { AnswerHeaders } from './answer-headers.ts';
import type { PaymentsError } from './errors.ts';
import type { Backoff } from './retries.ts';
import type { Credentials } from './tokens.ts';

/** The argument of `onRequest`, before each attempt. It may change the headers; the token is not among them. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Headers;
  /** From 0 on. */
  attempt: number;
}

/** The argument of `onAnswer`, after each attempt: an answer, or the error of one that never came. */
export interface ReceivedAnswer {
  request: SentRequest;
  /** `null`: none came. */
  status: number | null;
  headers: AnswerHeaders | null;
  error: PaymentsError | null;
  durationMs: number;
}

export interface Settings {
  /** Where the service is, such as `http://127.0.0.1:3000`. */
  baseUrl: string;
  /** The longest time of one attempt in milliseconds. (Default: 60,000, longer than the service ever waits) */
  timeout?: number;
  /** Attempts after the first. (Default: 5) */
  maxRetries?: number;
  /** How long to wait between attempts. (Default: `standardBackoff`) */
  backoff?: Partial<Backoff>;
  /** Sends the requests. (Default: the global `fetch`) */
  fetch?: typeof globalThis.fetch;
  onRequest?: (request: SentRequest) => void | Promise<void>;
  onAnswer?: (answer: ReceivedAnswer) => void | Promise<void>;
}

/** With credentials the client takes and renews its tokens; or it is given one, or a function that returns one. */
export type ClientOptions = Settings &
  (Credentials | { accessToken: string | (() => string | Promise<string>) });
