import type { z } from 'zod';
import { ProcessorFault } from '../port.ts';
import type { ProcessorAnswer, Transport } from '../transport.ts';
import { isFault, readMeaning, toFault, unreadable, type Meaning, type StripeCall } from './errors.ts';
import { describeAnswer } from './evidence.ts';
import { encodeForm, type FormValue } from './form.ts';
import { errorAnswer, type StripeError } from './objects.ts';

/** The version of Stripe's API that this adapter speaks: that of the OpenAPI file its tests check against. */
export const stripeVersion = '2026-08-26.dahlia';

/** How long a call to the port may take with all of its requests, and who may end it before. */
export interface Within {
  /** As `performance.now()` counts. */
  deadline: number;
  signal: AbortSignal | undefined;
}

/** Begins the time of one call to the port. */
export function within(ms: number, options: { signal?: AbortSignal } | undefined): Within {
  return { deadline: performance.now() + ms, signal: options?.signal };
}

/** An answer of Stripe's that is no {@link ProcessorFault}. */
export type Answered<T> =
  | { kind: 'ok'; value: T; replayed: boolean }
  /** A decision in the form of an error. */
  | { kind: 'error'; means: Exclude<Meaning, 'unknown'>; error: StripeError; replayed: boolean };

/** A question. Throws a {@link ProcessorFault} for every answer but a usable 200. */
interface Question<T> {
  path: string;
  query?: Record<string, FormValue>;
  schema: z.ZodType<T>;
}

/** A request that may move money. */
interface Order<T> {
  call: StripeCall;
  path: string;
  form: Record<string, FormValue>;
  /** The idempotency key: bound to this path and these members. */
  key: string;
  schema: z.ZodType<T>;
}

/** One account at Stripe, by its secret key. */
export interface StripeClient {
  /** Money is real; every object must say the same. */
  livemode: boolean;
  ask<T>(question: Question<T>, within: Within): Promise<T>;
  /** Like `ask`; `null` if Stripe has no such object. */
  askWhether<T>(question: Question<T>, within: Within): Promise<T | null>;
  send<T>(order: Order<T>, within: Within): Promise<Answered<T>>;
}

/** No request takes longer, whatever its call has left. */
const maxRequestMs = 6_000;

/** A request that had less time than this, in milliseconds, says nothing about Stripe when it ends without an answer. */
const fairRequestMs = 2_000;

/** @throws {ProcessorFault} one that does not say that Stripe is away, if the request had little time. */
async function inTime<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const isFair = timeoutMs >= fairRequestMs || !(error instanceof ProcessorFault);
    if (isFair || error.presence !== 'away') throw error;
    throw new ProcessorFault(error.code, error.message, { cause: error, presence: 'unknown' });
  }
}

/** @param transport sends to the address of Stripe's API with the secret key. */
export function createStripeClient(transport: Transport, livemode: boolean): StripeClient {
  const get = (question: Question<unknown>, { deadline, signal }: Within) => {
    const query = question.query ? `?${encodeForm(question.query)}` : '';
    const timeoutMs = timeLeft(deadline);
    const path = question.path + query;
    return inTime(timeoutMs, transport.exchange({ method: 'GET', path, timeoutMs, signal }));
  };
  return {
    livemode,
    async ask(question, within) {
      const answer = await get(question, within);
      if (answer.status !== 200) throw readError('ask', answer).fault();
      return readBody(question.schema, answer);
    },
    async askWhether(question, within) {
      const answer = await get(question, within);
      if (answer.status === 200) return readBody(question.schema, answer);
      const { means, fault } = readError('ask', answer);
      if (means === 'missing') return null;
      throw fault();
    },
    async send({ call, path, form, key, schema }, { deadline, signal }) {
      const headers = { 'idempotency-key': key, 'content-type': 'application/x-www-form-urlencoded' };
      const body = encodeForm(form);
      const timeoutMs = timeLeft(deadline);
      const request = { method: 'POST', path, headers, body, timeoutMs, signal } as const;
      const answer = await inTime(timeoutMs, transport.exchange(request));
      const replayed = isReplayed(answer);
      if (answer.status === 200) return { kind: 'ok', value: readBody(schema, answer), replayed };
      const { means, error, fault } = readError(call, answer);
      if (isFault(means) || error === null) throw fault();
      return { kind: 'error', means, error, replayed };
    },
  };
}

/** @throws {ProcessorFault} if nothing can be sent in time any more. */
function timeLeft(deadline: number): number {
  const left = Math.floor(deadline - performance.now());
  if (left > 0) return Math.min(left, maxRequestMs);
  throw new ProcessorFault('processor_unavailable', 'The time of the call was over before it was sent', {
    presence: 'unknown',
  });
}

function isReplayed({ headers }: ProcessorAnswer): boolean {
  return headers['idempotent-replayed'] === 'true';
}

function readBody<T>(schema: z.ZodType<T>, answer: ProcessorAnswer): T {
  const parsed = schema.safeParse(parseJson(answer.body));
  if (parsed.success) return parsed.data;
  // Names of members and kinds of faults only: zod's messages may quote what it read.
  const where = parsed.error.issues.map(({ path, code }) => `${path.join('.')} ${code}`).join(', ');
  throw unreadable(`members are missing or unknown (${where.slice(0, 500)})`, {
    evidence: describeAnswer(answer),
  });
}

interface ReadError {
  means: Meaning;
  error: StripeError | null;
  /** The fault that it is, also where it is a decision that the call cannot use. */
  fault: () => ProcessorFault;
}

function readError(call: StripeCall, answer: ProcessorAnswer): ReadError {
  const parsed = errorAnswer.safeParse(parseJson(answer.body));
  const error = parsed.success ? parsed.data.error : null;
  const means = readMeaning(call, answer.status, error);
  const { status } = answer;
  const describe = () => ({
    status,
    error,
    replayed: isReplayed(answer),
    evidence: describeAnswer(answer),
  });
  return { means, error, fault: () => toFault(call, isFault(means) ? means : 'unknown', describe()) };
}

/** Returns `undefined` for what is not JSON: no schema fits it. */
function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Asks about what was sent before in the same call. `processor_unavailable` would say that the call had no effect, which
 * is not known here: it becomes `processor_timeout`.
 */
export async function afterSending<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProcessorFault) || error.code !== 'processor_unavailable') throw error;
    const { retryAfterMs, presence } = error;
    throw new ProcessorFault('processor_timeout', error.message, {
      cause: error,
      presence,
      ...(retryAfterMs !== null && { retryAfterMs }),
    });
  }
}
