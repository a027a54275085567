import type { z } from 'zod';
import type { Movement } from '#domain/reconciliation.ts';
import type { CallOptions, SentCharge } from '../port.ts';
import { within, type StripeClient, type Within } from './client.ts';
import { unreadable } from './errors.ts';
import { locateIntent } from './intents.ts';
import { findInPages } from './lists.ts';
import { fromStripeAmount } from './money.ts';
import * as objects from './objects.ts';
import { givesBack } from './refund-lists.ts';

/*
 * Stripe's books are its balance transactions, in the currency of settlement. So amounts come from their sources: the
 * charge or the refund. An authorization moves no balance, and is not in them.
 */

const listMs = 8_000;
/** To the beginning of an account with many movements. */
const firstMs = 60_000;
const pageSize = 100;

type Transaction = z.output<typeof objects.transaction>;
const path = '/v1/balance_transactions';
const expand = ['data.source'];
const schema = objects.pageOf(objects.transaction);

/** Reads the movements after `after`, oldest first. `next` is the last transaction that was read. */
export async function listMovements(
  stripe: StripeClient,
  after: string | null,
  options: CallOptions | undefined,
): Promise<{ movements: Movement[]; next: string | null }> {
  const time = within(after === null ? firstMs : listMs, options);
  const transactions = await (after === null
    ? readFirstPage(stripe, time)
    : readPageAfter(stripe, after, time));
  const movements: Movement[] = [];
  for (const one of transactions) movements.push(...(await readMovement(stripe, one, time)));
  return { movements, next: transactions.at(-1)?.id ?? null };
}

async function readPageAfter(stripe: StripeClient, after: string, time: Within): Promise<Transaction[]> {
  const query = { limit: pageSize, ending_before: after, expand };
  const page = await stripe.ask({ path, query, schema }, time);
  return page.data.toReversed();
}

/** The list has no beginning that one could ask for: it is read to its end once. */
async function readFirstPage(stripe: StripeClient, time: Within): Promise<Transaction[]> {
  let oldest: Transaction[] = [];
  for (let after: string | null = null; ;) {
    const query = { limit: pageSize, starting_after: after, expand };
    const page: objects.Page<Transaction> = await stripe.ask({ path, query, schema }, time);
    if (page.data.length > 0) oldest = page.data;
    const last = page.data.at(-1);
    if (!page.has_more || !last) return oldest.toReversed();
    if (last.id === after) throw unreadable('a list that does not go on');
    after = last.id;
  }
}

/** Returns the movement, or nothing if it is none of ours: a payout, a fee, a payment of another system. */
async function readMovement(
  stripe: StripeClient,
  transaction: Transaction,
  time: Within,
): Promise<Movement[]> {
  const { type, source } = transaction;
  if (type === 'charge' || type === 'payment') return toCapture(readSource(objects.charge, source));
  const isRefund = type === 'refund' || type === 'payment_refund';
  if (!isRefund && type !== 'refund_failure') return [];
  // What a partial capture leaves is booked as a refund that nobody asked for.
  if (transaction.reporting_category === 'partial_capture_reversal') return [];
  const refund = readSource(objects.refund, source);
  const kind = isRefund ? 'refund' : 'refund_reversal';
  return refund.metadata?.['refund'] === undefined
    ? toForeignReturn(stripe, refund, kind, time)
    : toReturn(refund, kind);
}

function readSource<T>(schema: z.ZodType<T>, source: Transaction['source']): T {
  const parsed = schema.safeParse(source);
  if (!parsed.success) throw unreadable('a movement without its source');
  return parsed.data;
}

function toCapture(charge: z.output<typeof objects.charge>): Movement[] {
  const key = charge.metadata['charge'];
  if (key === undefined) return [];
  return [{ kind: 'capture', key, chargeKey: key, amount: readAmount(charge.amount_captured, charge) }];
}

/** Our own refund; that of a void counts as one. */
function toReturn(refund: objects.Refund, kind: 'refund' | 'refund_reversal'): Movement[] {
  const { refund: key, charge: chargeKey } = refund.metadata ?? {};
  if (key === undefined || chargeKey === undefined) return [];
  const amount = readAmount(refund.amount, refund);
  if (!key.endsWith(':void')) return [{ kind, key, chargeKey, amount }];
  return [{ kind: kind === 'refund' ? 'void' : 'void_reversal', key: chargeKey, chargeKey, amount }];
}

/** What a refund in a list moved: nothing if it failed at once, and both ways if it failed later. */
function readRefund(refund: objects.Refund): Movement[] {
  if (givesBack(refund)) return toReturn(refund, 'refund');
  if (!refund.failure_balance_transaction) return [];
  return [...toReturn(refund, 'refund'), ...toReturn(refund, 'refund_reversal')];
}

/** A refund made elsewhere, in the Dashboard say, of a charge of ours. It keeps Stripe's id as its key. */
async function toForeignReturn(
  stripe: StripeClient,
  refund: objects.Refund,
  kind: 'refund' | 'refund_reversal',
  time: Within,
): Promise<Movement[]> {
  const { payment_intent: paid, id: key } = refund;
  const id = typeof paid === 'string' ? paid : paid?.id;
  if (id === undefined) return [];
  const question = { path: `/v1/payment_intents/${encodeURIComponent(id)}`, schema: objects.intent };
  const chargeKey = (await stripe.ask(question, time)).metadata['charge'];
  return chargeKey === undefined ? [] : [{ kind, key, chargeKey, amount: readAmount(refund.amount, refund) }];
}

function readAmount(amount: number, { currency }: { currency: string }): number {
  const read = fromStripeAmount(amount, currency);
  if (read === null) throw unreadable(`an amount of ${amount} in ${currency}`);
  return read;
}

/** Reads what moved for one charge, its authorization included. */
export async function listMovementsOf(
  stripe: StripeClient,
  charge: SentCharge,
  options: CallOptions | undefined,
): Promise<Movement[]> {
  const time = within(listMs, options);
  const intent = await locateIntent(stripe, charge, time);
  if (intent === null || intent === 'voided') return [];
  const query = { payment_intent: intent.id };
  const list = { path: '/v1/refunds', query, item: objects.refund };
  const refunds = await findInPages(stripe, list, () => true, time);
  return [...readPayment(intent, charge), ...refunds.toReversed().flatMap(readRefund)];
}

function readPayment(intent: objects.Intent, { key }: SentCharge): Movement[] {
  const movement = { key, chargeKey: key };
  const amount = readAmount(intent.amount, intent);
  const { capture_method, latest_charge: charge } = intent;
  const wasReserved = capture_method === 'manual' && typeof charge === 'object' && charge?.paid === true;
  const reserved: Movement[] = wasReserved ? [{ ...movement, kind: 'authorization', amount }] : [];
  switch (intent.status) {
    case 'requires_capture':
      return reserved;
    case 'succeeded':
      return [
        ...reserved,
        { ...movement, kind: 'capture', amount: readAmount(intent.amount_received, intent) },
      ];
    case 'canceled':
      return wasReserved ? [...reserved, { ...movement, kind: 'void', amount }] : [];
    default:
      return [];
  }
}
