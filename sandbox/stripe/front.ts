import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Fault, type Faults, spoil } from '../faults.ts';
import type { Reply } from '../replies.ts';
import type { Outcome } from './confirm.ts';
import type { Draft } from './draft.ts';
import * as errors from './errors.ts';
import { expandObjects } from './expand.ts';
import { parseParams, readForm, type FormTree } from './form.ts';
import { newId } from './ids.ts';
import { actionPage, pressButton } from './pages.ts';
import { apiVersion } from './present.ts';
import { recordOf } from './state.ts';
import { findRoute, type StripeRoute } from './routes.ts';
import type { StripeStore } from './store.ts';

/** A request as it came: the body is not read yet, since keys are bound to its very bytes. */
export interface RawRequest {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A second front of the sandbox, which speaks Stripe's dialect. */
export interface StripeFront {
  takes(path: string): boolean;
  answer(request: RawRequest): Promise<Reply>;
}

interface Front {
  store: StripeStore;
  faults: Faults;
  /** The account of each secret key. */
  accounts: ReadonlyMap<string, string>;
  /** How long answers are kept under their keys. */
  keysMs: number;
  /** Keys whose first request is under way, with the fingerprint. */
  running: Map<string, string>;
}

/** A request whose sender is known, and whose route was found. */
interface Call {
  raw: RawRequest;
  account: string;
  requestId: string;
  route: StripeRoute;
  id: string;
  form: FormTree;
  /** Only a POST has one. */
  key: string | undefined;
  fingerprint: string;
  origin: string;
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Returns the account behind a Bearer or Basic key, or `null`. */
function findAccount(front: Front, authorization = ''): string | null {
  const [scheme = '', given = ''] = authorization.split(' ', 2);
  const isBasic = scheme.toLowerCase() === 'basic';
  const key = isBasic ? Buffer.from(given, 'base64').toString().split(':', 1)[0]! : given;
  const found = [...front.accounts].find(([known]) => isSame(known, key));
  return found?.[1] ?? null;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Everything that a staged fault may name a call by. */
function namesOf(front: Front, call: Call): string[] {
  const { metadata, payment_intent, payment_method } = call.form;
  const given = typeof metadata === 'object' && !Array.isArray(metadata) ? Object.values(metadata) : [];
  const of = call.id || (isText(payment_intent) ? payment_intent : '');
  const intent = recordOf(front.store.state.get(of), 'payment_intent');
  const known = Object.values(intent?.metadata ?? {});
  return [of, call.key, payment_method, ...given, ...known].filter(isText);
}

function understand(front: Front, raw: RawRequest, requestId: string): Call | errors.Answer {
  const account = findAccount(front, raw.headers.authorization);
  if (account === null) return errors.unauthorized;
  const found = findRoute(raw.method, raw.path);
  if (!found) return errors.unknownUrl(raw.method, raw.path);
  const key = raw.method === 'POST' ? raw.headers['idempotency-key'] : undefined;
  if (isText(key) && key.length > 255) throw errors.invalidRequest('Keys are at most 255 characters long.');
  const fingerprint = createHash('sha256').update(`${raw.path}\n${raw.body}`).digest('hex');
  const form = readForm(raw.method === 'POST' ? raw.body : raw.query);
  const origin = `http://${raw.headers.host ?? 'localhost'}`;
  return { raw, account, requestId, ...found, form, key: isText(key) ? key : undefined, fingerprint, origin };
}

/** Returns what the key of a call answers by itself: its first answer, or why it cannot be used. */
function answerByKey(front: Front, call: Call): Reply | null {
  const { key, account, fingerprint } = call;
  if (key === undefined) return null;
  const running = front.running.get(`${account} ${key}`);
  const kept = front.store.state.kept(account, key);
  const isForgotten = !kept || kept.at + front.keysMs <= Date.now();
  const first = running ?? (isForgotten ? undefined : kept.fingerprint);
  if (first === undefined) return null;
  if (first !== fingerprint) return errors.keyOfAnother;
  if (running !== undefined) return errors.keyInUse;
  const headers = { 'idempotent-replayed': 'true', 'original-request': kept!.requestId };
  return { status: kept!.status, body: kept!.body, headers };
}

/** Runs the handler. What it refuses changes nothing. */
function handle(
  draft: Draft,
  front: Front,
  call: Call,
  params: object,
  fault: Fault | null,
): Outcome & { isRefused?: boolean } {
  const { route, id, origin } = call;
  const isPending = fault?.mode === 'pending';
  const { timing } = front.store;
  try {
    return route.handle({ draft, params: params as never, id, origin, timing, isPending });
  } catch (error) {
    if (error instanceof errors.StripeRefusal) return { ...errors.refusalAnswer(error), isRefused: true };
    throw error;
  }
}

function startDraft(front: Front, call: Call): Draft {
  const { account, requestId, key: idempotencyKey } = call;
  return front.store.begin({ account, requestId, idempotencyKey });
}

function keep(front: Front, call: Call, draft: Draft, answer: errors.Answer): void {
  const { key, account, fingerprint, requestId } = call;
  const { status, body } = answer;
  const isKept = key !== undefined && front.keysMs > 0;
  front.store.commit(draft, isKept ? { account, key, fingerprint, requestId, status, body } : undefined);
  front.store.state.forgetKept(Date.now() - front.keysMs);
}

/** Carries a call out, and keeps its effect and its answer in one line of the journal. */
function execute(front: Front, call: Call, params: object, fault: Fault | null): Reply {
  front.store.settleIfDue(call.id);
  const draft = startDraft(front, call);
  const outcome = handle(draft, front, call, params, fault);
  const { isKept = true, isRefused = false, delivery } = outcome;
  const made = isRefused ? startDraft(front, call) : draft;
  const paths = (params as { expand?: string[] }).expand;
  const body = outcome.status === 200 ? expandObjects(made, outcome.body, paths) : outcome.body;
  const answer = fault?.mode === 'stored_500' ? errors.serverError : { status: outcome.status, body };
  if (isKept) keep(front, call, made, answer);
  else front.store.commit(made);
  return delivery ? { ...answer, delivery } : answer;
}

/** Returns the answer of a fault before the effect, which then does not take place. */
function failBefore(front: Front, call: Call, fault: Fault): Reply {
  switch (fault.mode) {
    case 'in_progress':
      return errors.keyInUse;
    case 'stored_500':
      keep(front, call, startDraft(front, call), errors.serverError);
      return errors.serverError;
    case 'unavailable':
      return errors.serviceUnavailable;
    default:
      return spoil(fault, errors.serviceUnavailable);
  }
}

async function executeLate(front: Front, call: Call, params: object, fault: Fault): Promise<Reply> {
  const name = `${call.account} ${call.key}`;
  if (call.key !== undefined) front.running.set(name, call.fingerprint);
  try {
    await wait(fault.delay_ms);
    return execute(front, call, params, null);
  } finally {
    front.running.delete(name);
  }
}

/** Carries a call out, with the fault that a test has staged for it. */
async function carryOut(front: Front, call: Call): Promise<Reply> {
  const fault = call.route.fault && front.faults.take(call.route.fault, namesOf(front, call));
  if (fault?.mode === 'rate_limited') return errors.rateLimited;
  if (fault?.mode === 'locked') return errors.locked;
  const known = fault?.mode === 'forgotten' ? null : answerByKey(front, call);
  if (known) return fault?.when === 'after' ? spoil(fault, known) : known;
  const params = parseParams(call.route.params, call.form);
  if (!fault || fault.mode === 'pending' || fault.mode === 'forgotten')
    return execute(front, call, params, fault);
  if (fault.when === 'before') {
    if (fault.mode === 'slow') return executeLate(front, call, params, fault);
    return failBefore(front, call, fault);
  }
  const reply = execute(front, call, params, fault);
  return fault.mode === 'in_progress' ? errors.keyInUse : spoil(fault, reply);
}

async function answerCall(front: Front, raw: RawRequest, requestId: string): Promise<Reply> {
  try {
    const call = understand(front, raw, requestId);
    return 'route' in call ? await carryOut(front, call) : call;
  } catch (error) {
    if (error instanceof errors.StripeRefusal) return errors.refusalAnswer(error);
    throw error;
  }
}

/** Adds the headers that Stripe's answers have. */
async function answerApi(front: Front, raw: RawRequest): Promise<Reply> {
  const requestId = newId('req');
  const reply = await answerCall(front, raw, requestId);
  const key = raw.method === 'POST' ? raw.headers['idempotency-key'] : undefined;
  const headers = {
    'request-id': requestId,
    'stripe-version': String(raw.headers['stripe-version'] ?? apiVersion),
    ...(isText(key) && /^[\x20-\x7e]*$/.test(key) && { 'idempotency-key': key }),
    ...reply.headers,
  };
  return { ...reply, headers };
}

/** The page of 3-D Secure. It wants no key: the buyer opens it. */
function answerPage(front: Front, raw: RawRequest): Reply {
  const id = raw.path.slice('/3ds/'.length);
  const intent = recordOf(front.store.state.get(id), 'payment_intent');
  const outcome = new URLSearchParams(raw.body).get('outcome');
  if (raw.method !== 'POST' || !intent || (outcome !== 'confirm' && outcome !== 'fail')) {
    const page = actionPage(intent);
    return { status: page.status, body: {}, html: page.html };
  }
  const draft = front.store.begin({ account: intent.account });
  const { status, body, location } = pressButton(draft, id, outcome === 'confirm', front.store.timing);
  front.store.commit(draft);
  return { status, body, ...(location && { headers: { location } }) };
}

export function createStripeFront(options: Omit<Front, 'running'>): StripeFront {
  const front: Front = { ...options, running: new Map() };
  return {
    takes: (path) => path.startsWith('/v1/') || path.startsWith('/3ds/'),
    answer: async (raw) => (raw.path.startsWith('/v1/') ? answerApi(front, raw) : answerPage(front, raw)),
  };
}
