import type { Answer, CallOptions } from './calls.ts';
import { ConnectionError, ProblemError } from './errors.ts';
import { apiVersion, operations, type Operations } from './operations.ts';
import { isWorthRepeating, standardPolicy, waitMs, type RetryPolicy } from './retries.ts';
import { createTokens, type Credentials, type Tokens } from './tokens.ts';

export { ConnectionError, ProblemError, TokenError } from './errors.ts';
export type * from './calls.ts';
export type * from './operations.ts';

/**
 * A client of the payments API. It needs `fetch` and nothing else.
 *
 * ```ts
 * const payments = createClient({ baseUrl, clientId, clientSecret });
 * const { body: charge } = await payments.createCharge({
 *   body: { amount: 1999, currency: 'EUR', payment_method: 'tok_visa' },
 * });
 * ```
 *
 * Every POST gets a key of its own, and every retry of it the same key, so that a retry never pays twice. Keep a
 * key of your own (`idempotencyKey`) with the order that is paid, and a retry after a crash does not either.
 */

export type ClientOptions = {
  baseUrl: string;
  /** How transient failures are retried. (Default: 5 times, see `standardPolicy`) */
  policy?: Partial<RetryPolicy>;
  /** The longest time of one attempt in milliseconds. (Default: 60 s, longer than the service ever waits) */
  timeoutMs?: number;
} & (Credentials | { tokens: Tokens });

export interface SendOptions extends CallOptions {
  headers?: Record<string, string>;
  /** Text is sent unchanged, other values as JSON. */
  body?: unknown;
}

/** A method for each operation of the document. It throws {ProblemError} unless the service succeeded. */
export interface Client extends Operations {
  /** Sends any request, and returns the last answer after all retries. @throws {ConnectionError} */
  send<Body = unknown>(method: string, path: string, options?: SendOptions): Promise<Answer<Body>>;
  /** Returns the token of this client, for requests outside of it. @throws {TokenError} */
  accessToken(): Promise<string>;
}

interface OperationRequest {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string | undefined>;
  body?: unknown;
}

export function createClient(options: ClientOptions): Client {
  const wire = new Wire(options);
  const methods = Object.entries(operations).map(([name, { method, path, type }]) => [
    name,
    async (request: OperationRequest = {}, call: CallOptions = {}) => {
      const answer = await wire.send(method, buildPath(path, request), {
        ...call,
        headers: buildHeaders(type, request),
        body: type === null ? undefined : (request.body ?? {}),
      });
      if (answer.status >= 400) throw new ProblemError(answer);
      return answer;
    },
  ]);
  return {
    ...(Object.fromEntries(methods) as Operations),
    send: (method, path, given) => wire.send(method, path, given),
    accessToken: () => wire.tokens.current(),
  };
}

function buildPath(template: string, { params = {}, query = {} }: OperationRequest): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

/** Returns the headers. They name the version of the types, whatever version the account has. */
function buildHeaders(type: string | null, { headers = {} }: OperationRequest): Record<string, string> {
  const given = Object.entries({ 'API-Version': apiVersion, ...headers }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { ...(type !== null && { 'Content-Type': type }), ...Object.fromEntries(given) };
}

/** Sends requests with a token and a key, and retries them. */
class Wire {
  readonly #baseUrl: string;
  readonly #policy: RetryPolicy;
  readonly #timeoutMs: number;
  readonly tokens: Tokens;

  constructor(options: ClientOptions) {
    this.#baseUrl = options.baseUrl.replace(/\/$/, '');
    this.#policy = { ...standardPolicy, ...options.policy };
    this.#timeoutMs = options.timeoutMs ?? 60_000;
    this.tokens = 'tokens' in options ? options.tokens : createTokens(options, this.#sendForm);
  }

  async send<Body>(method: string, path: string, options: SendOptions = {}): Promise<Answer<Body>> {
    const { idempotencyKey = crypto.randomUUID(), body, signal } = options;
    const headers = new Headers({
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method === 'POST' && idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    });
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    const request: RequestInit = { method, headers, ...buildBody(body) };
    const isOwnToken = !headers.has('authorization');
    const answer = await this.#retry(path, request, isOwnToken, signal);
    return answer as Answer<Body>;
  }

  readonly #sendForm = (path: string, form: URLSearchParams, headers: Record<string, string>) =>
    this.#retry(path, { method: 'POST', headers: new Headers(headers), body: form }, false, undefined);

  async #retry(
    path: string,
    request: RequestInit,
    isOwnToken: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const isRepeatable = !(request.headers as Headers).has('if-match');
    for (let attempt = 0; ; attempt += 1) {
      let failure: unknown;
      const answer = await this.#attempt(path, request, isOwnToken, signal).catch((error: unknown) => {
        if (signal?.aborted || !isFailedConnection(error)) throw error;
        failure = error;
        return null;
      });
      const wait = waitMs(this.#policy, attempt, answer);
      const isOver = attempt >= this.#policy.retries || wait === null;
      if (isOver || !isWorthRepeating(answer, isRepeatable)) {
        if (answer) return answer;
        throw new ConnectionError(`${request.method} ${path} got no answer`, { cause: failure });
      }
      await sleep(wait, signal);
    }
  }

  /** Sends once. If the token was revoked, it takes another one and sends again, once. */
  async #attempt(
    path: string,
    request: RequestInit,
    isOwnToken: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    if (!isOwnToken) return this.#exchange(path, request, signal);
    const token = await this.tokens.current();
    const answer = await this.#exchange(path, withToken(request, token), signal);
    if (answer.status !== 401) return answer;
    this.tokens.refuse(token);
    const other = await this.tokens.current();
    return other === token ? answer : this.#exchange(path, withToken(request, other), signal);
  }

  async #exchange(path: string, request: RequestInit, signal: AbortSignal | undefined): Promise<Answer> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const answer = await fetch(this.#baseUrl + path, {
      ...request,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: parse(text) };
  }
}

function withToken(request: RequestInit, token: string): RequestInit {
  const headers = new Headers(request.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...request, headers };
}

function buildBody(body: unknown): { body?: string } {
  if (body === undefined) return {};
  return { body: typeof body === 'string' ? body : JSON.stringify(body) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns whether no answer came: a TypeError is a failed connection, a DOMException a timeout. */
function isFailedConnection(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}
