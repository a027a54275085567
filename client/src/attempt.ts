import { AnswerHeaders } from './answer-headers.ts';
import type { Answer } from './calls.ts';
import { ConnectionError, TimeoutError, type PaymentsError } from './errors.ts';
import type { SentRequest, Settings } from './options.ts';

/** One attempt of a request. */
export interface Attempt extends SentRequest {
  body: string | URLSearchParams | undefined;
  /** `null`: the request has an Authorization of its own, or none. */
  token: string | null;
  timeout: number;
  signal: AbortSignal | undefined;
  /** Leaves the body of a success unread. */
  isStream: boolean;
}

/** An answer whose body, if it is a stream, was not read. */
export interface AttemptAnswer extends Answer {
  response: Response;
  /** The address of the request. */
  url: string;
  deadline: Deadline;
}

export type Hooks = Pick<Settings, 'fetch' | 'onRequest' | 'onAnswer'>;

/** The end of an attempt: by time, or because the caller gave up. */
export interface Deadline {
  signal: AbortSignal;
  /** Whether it ended by time. */
  isOver(): boolean;
  /** Begins the time anew, as each piece of a long body arrives. */
  extend(): void;
  /** No more is awaited. */
  clear(): void;
}

/** Sends a request once. @throws {ConnectionError} @throws the reason of the caller's signal */
export async function attemptOnce(attempt: Attempt, hooks: Hooks): Promise<AttemptAnswer> {
  const { method, url, attempt: number } = attempt;
  const request = { method, url, headers: new Headers(attempt.headers), attempt: number };
  await hooks.onRequest?.(request);
  const beganAt = performance.now();
  const notify = async (answer: AttemptAnswer | null, error: PaymentsError | null) =>
    hooks.onAnswer?.({
      request,
      status: answer?.status ?? null,
      headers: answer?.headers ?? null,
      error,
      durationMs: performance.now() - beganAt,
    });
  const answer = await exchange(attempt, request, hooks.fetch ?? globalThis.fetch).catch(
    async (error: PaymentsError) => {
      if (error instanceof ConnectionError) await notify(null, error);
      throw error;
    },
  );
  await notify(answer, null);
  return answer;
}

async function exchange(
  attempt: Attempt,
  { method, url, headers }: SentRequest,
  fetch: typeof globalThis.fetch,
): Promise<AttemptAnswer> {
  const sent = new Headers(headers);
  if (attempt.token !== null) sent.set('authorization', `Bearer ${attempt.token}`);
  const deadline = startDeadline(attempt.timeout, attempt.signal);
  try {
    const init: RequestInit = { method, headers: sent, signal: deadline.signal };
    if (attempt.body !== undefined) init.body = attempt.body;
    const response = await fetch(url, init);
    return await read(response, attempt.isStream && response.ok, url, deadline);
  } catch (error) {
    deadline.clear();
    throw toConnectionError(error, attempt, deadline);
  }
}

async function read(
  response: Response,
  isStream: boolean,
  url: string,
  deadline: Deadline,
): Promise<AttemptAnswer> {
  const text = isStream ? '' : await response.text();
  if (!isStream) deadline.clear();
  const headers = new AnswerHeaders(response.headers);
  return { status: response.status, headers, text, body: parse(text), response, url, deadline };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns what a failed connection is to the caller: all that `fetch` throws is one, unless the caller gave up. */
export function toConnectionError(
  cause: unknown,
  { method, url, timeout, signal }: Pick<Attempt, 'method' | 'url' | 'timeout' | 'signal'>,
  deadline: Deadline,
): unknown {
  if (signal?.aborted) return signal.reason;
  const { pathname } = new URL(url);
  if (deadline.isOver()) return new TimeoutError(`${method} ${pathname} got no answer within ${timeout} ms`);
  return new ConnectionError(`${method} ${pathname} got no answer`, { cause });
}

function startDeadline(ms: number, given: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const start = () => setTimeout(() => controller.abort(), ms);
  let timer = start();
  return {
    signal: given ? AbortSignal.any([given, controller.signal]) : controller.signal,
    isOver: () => controller.signal.aborted,
    extend() {
      clearTimeout(timer);
      timer = start();
    },
    clear: () => clearTimeout(timer),
  };
}
