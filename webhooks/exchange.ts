import type { Dispatcher } from 'undici';
import { currentTimeMs } from '#db/clock.ts';

/** The part of an answer that is kept. It shows the merchant why an attempt failed. */
const excerptBytes = 1_024;

/** Beyond this an answer is cut off: reading on would only serve to keep the connection. */
const maxAnswerBytes = 64 * 1_024;

/** Why an attempt failed; merchants read it, so that one is never renamed. */
export type SendError =
  /** An answer came, and is not 2xx. */
  | 'status'
  /** 3xx: it is not followed, since it could lead anywhere. */
  | 'redirected'
  /** The answer was not complete in time. */
  | 'timed_out'
  /** The URL's host is, or leads to, an address that may not be connected to. */
  | 'address_refused'
  | 'name_not_found'
  /** The certificate does not prove that it is the host's, or the handshake failed. */
  | 'tls_failed'
  | 'connection_failed'
  /** The answer is not HTTP. */
  | 'answer_invalid';

export interface SendResult {
  /** `null`: no answer. */
  statusCode: number | null;
  latencyMs: number;
  /** The first 1 KiB of the answer; `null`: no answer. */
  excerpt: Buffer | null;
  /** `null`: delivered. */
  error: SendError | null;
  retryAfterMs: number | null;
}

/** Follows one attempt to its end, which comes within `timeoutMs`, however slowly the receiver drips. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<SendResult>;
  /** Called when the connection was lost before a byte of the answer. Returns whether the request is sent again. */
  onLost: () => boolean = () => false;
  /** Called once, before the result is known. */
  onEnd: () => void = () => {};
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #resolve!: (result: SendResult) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  #hasAnswer = false;
  #statusCode: number | null = null;
  #retryAfterMs: number | null = null;
  #kept: Buffer[] = [];
  #size = 0;

  constructor(timeoutMs: number) {
    this.result = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#timer = setTimeout(() => this.#end('timed_out'), timeoutMs);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while it waited for a connection: nothing must be written any more.
    if (this.#isOver) return controller.abort(new Error('given up before it was sent'));
    this.#controller = controller;
  }

  /** The first byte came. */
  onResponseStarted(): void {
    this.#hasAnswer = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 103 and the like: the answer is yet to come.
    if (statusCode < 200) return;
    this.#statusCode = statusCode;
    const retryAfter = headers['retry-after'];
    if (typeof retryAfter === 'string') this.#retryAfterMs = parseRetryAfter(retryAfter, currentTimeMs());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#size < excerptBytes) this.#kept.push(Buffer.from(chunk.subarray(0, excerptBytes - this.#size)));
    this.#size += chunk.length;
    if (this.#size > maxAnswerBytes) this.#end(toStatusError(this.#statusCode));
  }

  onResponseEnd(): void {
    this.#controller = null;
    this.#end(toStatusError(this.#statusCode));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#controller = null;
    if (!this.#isOver && !this.#hasAnswer && this.onLost()) return;
    this.#end(toSendError(error));
  }

  #end(error: SendError | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.onEnd();
    this.#resolve({
      statusCode: this.#statusCode,
      latencyMs: Math.round(performance.now() - this.#startedAt),
      excerpt: this.#statusCode === null ? null : Buffer.concat(this.#kept),
      error,
      retryAfterMs: this.#retryAfterMs,
    });
    this.#controller?.abort(new Error('the attempt is over'));
  }
}

function toStatusError(statusCode: number | null): SendError | null {
  if (statusCode === null) return 'answer_invalid';
  if (statusCode >= 200 && statusCode < 300) return null;
  return statusCode >= 300 && statusCode < 400 ? 'redirected' : 'status';
}

const byCode: Record<string, SendError> = {
  address_refused: 'address_refused',
  ENOTFOUND: 'name_not_found',
  ENODATA: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  UND_ERR_CONNECT_TIMEOUT: 'timed_out',
};

/** Codes of TLS. Those of OpenSSL about certificates have no common prefix. */
const certificateCodes =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|HOSTNAME_)/;

function toSendError(error: Error): SendError {
  if (error.name === 'HTTPParserError') return 'answer_invalid';
  if (error instanceof AggregateError && error.errors[0] instanceof Error)
    return toSendError(error.errors[0]);
  const { code = '' } = error as { code?: string };
  return byCode[code] ?? (certificateCodes.test(code) ? 'tls_failed' : 'connection_failed');
}

/**
 * Returns how long a receiver asks to be left alone (RFC 9110 §10.2.3): seconds, or a date. (ms)
 *
 * @returns `null` if the value cannot be read; 0 if the date is past.
 */
function parseRetryAfter(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // `Date.parse` takes nearly anything; the three forms of an HTTP date begin with a weekday.
  const at = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
