import { z } from 'zod';
import { sendCapture, sendCharge, sendVoid } from './charges.ts';
import { refundInDashboard } from './dashboard.ts';
import { faultBody, type FaultRoute, type Faults, type Staged } from './faults.ts';
import type { BookEntry } from './ledger.ts';
import { reverseRefund, sendRefund } from './refunds.ts';
import { notFound, presentCapture, presentCharge, presentRefund, type Reply } from './replies.ts';
import type { Sandbox } from './sandbox.ts';
import { listSent } from './sent.ts';
import { findToken } from './tokens.ts';

const key = z.string().min(1).max(255);
const amount = z.int().min(1).max(99_999_999_999);
const currency = z.string().regex(/^[A-Z]{3}$/);

const origin = z.string().max(2_000).optional();

const chargeBody = z.strictObject({
  key,
  token: z.string().min(1).max(255),
  amount,
  currency,
  capture: z.boolean(),
  statement_descriptor: z
    .string()
    .regex(/^[\x20-\x7e]{1,22}$/)
    .optional(),
  origin,
});
const captureBody = z.strictObject({ key, charge_key: key, amount });
const refundBody = captureBody.extend({ origin });
const dashboardBody = z.strictObject({ charge_key: key, amount });
const voidBody = z.strictObject({ charge_key: key, only_reserved: z.boolean().optional() });
const reversalBody = z.strictObject({ refund_key: key });
const entriesQuery = z.strictObject({
  key: key.optional(),
  after: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(10_000).default(1000),
  /** Whether the listing shows what came by Stripe's dialect too. The entries under a key always do. */
  dialect: z.enum(['own', 'all']).default('own'),
});

/** A call that was understood, and is not carried out yet: a fault may come in between. */
export interface Call {
  /** `null`: no fault can be staged for it. */
  route: FaultRoute | null;
  keys: string[];
  execute(staged: Staged): Reply;
}

export interface Routes {
  /** `null` when there is no such route. @throws {z.ZodError} */
  post(path: string, body: unknown): Call | null;
  get(path: string, query: URLSearchParams): Call | null;
  delete(path: string): Call | null;
}

/** Returns the ledger's entries under a key: all of a charge, or of one capture or refund. */
function entriesUnder(sandbox: Sandbox, ours: string): BookEntry[] {
  const charges = [...(sandbox.ledger.underKey.get(ours) ?? [])];
  return charges
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.key === ours || entry.charge_key === ours)
    .toSorted((one, other) => one.seq - other.seq);
}

function readEntries(sandbox: Sandbox, query: URLSearchParams): Reply {
  const { key: ours, after, limit, dialect } = entriesQuery.parse(Object.fromEntries(query));
  sandbox.outcomes.settleAllDue();
  const { entries } = sandbox.ledger;
  // `seq` counts from 1 without a gap, so it is a position too.
  const rest = ours === undefined ? entries.slice(after, after + limit + 1) : entriesUnder(sandbox, ours);
  const page = ours === undefined ? rest.slice(0, limit) : rest;
  const hasMore = rest.length > page.length;
  const isShown = (entry: BookEntry) =>
    ours !== undefined || dialect === 'all' || entry.dialect === undefined;
  const next = hasMore ? page.at(-1)!.seq : null;
  return { status: 200, body: { data: page.filter(isShown), has_more: hasMore, next_after: next } };
}

function findCharge(sandbox: Sandbox, ours: string): Reply {
  const charge = sandbox.ledger.charges.get(ours);
  if (!charge) return notFound;
  sandbox.outcomes.settleIfDue(charge);
  return { status: 200, body: presentCharge(charge) };
}

function findCapture(sandbox: Sandbox, ours: string): Reply {
  const capture = sandbox.ledger.captures.get(ours);
  return capture ? { status: 200, body: presentCapture(capture) } : notFound;
}

function findRefund(sandbox: Sandbox, ours: string): Reply {
  const refund = sandbox.ledger.refunds.get(ours);
  if (!refund) return notFound;
  sandbox.outcomes.settleIfDue(refund);
  return { status: 200, body: presentRefund(refund) };
}

function describeToken(_sandbox: Sandbox, name: string): Reply {
  const card = findToken(name)?.card;
  if (!card) return notFound;
  const { brand, last4, expMonth: exp_month, expYear: exp_year } = card;
  return { status: 200, body: { key: name, brand, last4, exp_month, exp_year } };
}

const lookups: Record<string, (sandbox: Sandbox, ours: string) => Reply> = {
  charges: findCharge,
  captures: findCapture,
  refunds: findRefund,
  tokens: describeToken,
};

function stageFault(faults: Faults, body: unknown): Call {
  const fault = faultBody.parse(body);
  const execute = (): Reply =>
    faults.stage(fault)
      ? { status: 201, body: fault }
      : { status: 409, body: { error: 'too_many_faults', detail: 'DELETE /faults clears them' } };
  return { route: null, keys: [], execute };
}

function postRoutes(sandbox: Sandbox, faults: Faults): Record<string, (body: unknown) => Call> {
  return {
    '/charges': (body) => {
      const sent = chargeBody.parse(body);
      return {
        route: 'charges',
        keys: [sent.key],
        execute: (staged) => sendCharge(sandbox, sent, staged.isForgotten),
      };
    },
    '/captures': (body) => {
      const sent = captureBody.parse(body);
      const keys = [sent.key, sent.charge_key];
      return { route: 'captures', keys, execute: () => sendCapture(sandbox, sent) };
    },
    '/voids': (body) => {
      const sent = voidBody.parse(body);
      return { route: 'voids', keys: [sent.charge_key], execute: () => sendVoid(sandbox, sent) };
    },
    '/refunds': (body) => {
      const sent = refundBody.parse(body);
      const keys = [sent.key, sent.charge_key];
      return { route: 'refunds', keys, execute: (staged) => sendRefund(sandbox, sent, staged) };
    },
    '/refund-reversals': (body) => {
      const sent = reversalBody.parse(body);
      const keys = [sent.refund_key];
      return { route: 'refund-reversals', keys, execute: () => reverseRefund(sandbox, sent) };
    },
    '/dashboard/refunds': (body) => {
      const asked = dashboardBody.parse(body);
      return { route: null, keys: [], execute: () => refundInDashboard(sandbox, asked) };
    },
    '/faults': (body) => stageFault(faults, body),
  };
}

/** Every route but `/health`, each in two steps: understand the call, then carry it out. */
export function createRoutes(sandbox: Sandbox, faults: Faults): Routes {
  const posts = new Map(Object.entries(postRoutes(sandbox, faults)));
  const gets = new Map(Object.entries(lookups));
  return {
    post: (path, body) => posts.get(path)?.(body) ?? null,
    get(path, query) {
      if (path === '/sent') return { route: 'lookups', keys: [], execute: () => listSent(sandbox, query) };
      if (path === '/books') return { route: null, keys: [], execute: () => readEntries(sandbox, query) };
      const [, collection = '', encoded = '', ...more] = path.split('/');
      const find = more.length === 0 && encoded !== '' ? gets.get(collection) : undefined;
      if (!find) return null;
      const ours = decodeURIComponent(encoded);
      const execute = ({ isForgotten }: Staged) => (isForgotten ? notFound : find(sandbox, ours));
      return { route: 'lookups', keys: [ours], execute };
    },
    delete(path) {
      if (path !== '/faults') return null;
      const execute = (): Reply => {
        faults.clear();
        return { status: 200, body: { cleared: true } };
      };
      return { route: null, keys: [], execute };
    },
  };
}
