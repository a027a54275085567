import type { z } from 'zod';
import { readOrigin } from '../origins.ts';
import type { CallOptions, TakenCharge, TakenPage, TakenRefund } from '../port.ts';
import { within, type StripeClient, type Within } from './client.ts';
import { unreadable } from './errors.ts';
import { fromStripeAmount } from './money.ts';
import * as objects from './objects.ts';
import { givesBack } from './refund-lists.ts';

/*
 * What was sent with a charge or a refund is kept in the metadata of its intent or refund. A value of Stripe's holds 500
 * characters, so the text is cut into parts.
 */

const listMs = 8_000;
const pageSize = 100;
/** A text of `processor/origins.ts` has less than 2,000 characters. */
const partNames = ['origin_1', 'origin_2', 'origin_3', 'origin_4'];

/** Returns the members of the metadata that hold the text. */
export function writeParts(origin: string | undefined): Record<string, string> {
  const parts = (origin ?? '').match(/.{1,500}/gsu) ?? [];
  return Object.fromEntries(partNames.slice(0, parts.length).map((name, n) => [name, parts[n]!]));
}

/** Returns the text that the metadata hold; `null` if they hold none. */
function readParts(metadata: Record<string, string>): string | null {
  return partNames.map((name) => metadata[name] ?? '').join('') || null;
}

interface TakenList<T> {
  name: string;
  path: string;
  expand: string[];
  item: z.ZodType<T>;
  read: (item: T) => (TakenCharge | TakenRefund)[];
}

const intents: TakenList<objects.Intent> = {
  name: 'intents',
  path: '/v1/payment_intents',
  expand: ['data.latest_charge'],
  item: objects.intent,
  read: toTakenCharge,
};
const refunds: TakenList<objects.Refund> = {
  name: 'refunds',
  path: '/v1/refunds',
  expand: [],
  item: objects.refund,
  read: toTakenRefund,
};

/** Lists what was sent since a time, the newest first: all charges, then all refunds. Positions are `LIST:ID`. */
export function listTaken(
  stripe: StripeClient,
  { since, after }: TakenPage,
  options: CallOptions | undefined,
): Promise<{ taken: (TakenCharge | TakenRefund)[]; next: string | null }> {
  const time = within(listMs, options);
  const [name, last] = (after ?? `${intents.name}:`).split(':');
  return name === intents.name
    ? readPage(stripe, intents, { since, last }, `${refunds.name}:`, time)
    : readPage(stripe, refunds, { since, last }, null, time);
}

/** @param then the position after the list's end. */
async function readPage<T extends { id: string }>(
  stripe: StripeClient,
  { name, path, expand, item, read }: TakenList<T>,
  { since, last }: { since: Date; last: string | undefined },
  then: string | null,
  time: Within,
): Promise<{ taken: (TakenCharge | TakenRefund)[]; next: string | null }> {
  const created = { gte: Math.floor(since.getTime() / 1_000) };
  const query = { created, limit: pageSize, starting_after: last || null, expand };
  const page = await stripe.ask({ path, query, schema: objects.pageOf(item) }, time);
  const id = page.data.at(-1)?.id;
  if (page.has_more && (id === undefined || id === last)) throw unreadable('a list that does not go on');
  return { taken: page.data.flatMap(read), next: page.has_more ? `${name}:${id}` : then };
}

/** Nothing for a payment of another system, and for one that was never confirmed: it cannot move money. */
function toTakenCharge(intent: objects.Intent): TakenCharge[] {
  const { metadata, status, latest_charge: paid } = intent;
  const { charge: key } = metadata;
  const isDeclined = status === 'requires_payment_method' && Boolean(intent.last_payment_error);
  const isUnconfirmed =
    status === 'requires_confirmation' || (status === 'requires_payment_method' && !isDeclined);
  if (key === undefined || isUnconfirmed) return [];
  const origin = readParts(metadata);
  const isReturned = typeof paid === 'object' && paid?.refunded === true;
  return [
    {
      kind: 'charge',
      key,
      ref: intent.id,
      token: readOrigin(origin)?.paymentMethod ?? '',
      amount: readAmount(intent),
      currency: intent.currency.toUpperCase(),
      capture: intent.capture_method !== 'manual',
      statementDescriptor: intent.statement_descriptor_suffix ?? null,
      isOver: isDeclined || status === 'canceled' || isReturned,
      origin,
    },
  ];
}

/** Nothing for a refund of the Dashboard, or of a void: the latter is part of its charge. */
function toTakenRefund(refund: objects.Refund): TakenRefund[] {
  const metadata = refund.metadata ?? {};
  const { refund: key, charge: chargeKey } = metadata;
  if (key === undefined || chargeKey === undefined || key.endsWith(':void')) return [];
  const origin = readParts(metadata);
  return [{ kind: 'refund', key, chargeKey, amount: readAmount(refund), isOver: !givesBack(refund), origin }];
}

function readAmount({ amount, currency }: { amount: number; currency: string }): number {
  const read = fromStripeAmount(amount, currency);
  if (read === null) throw unreadable(`an amount of ${amount} in ${currency}`);
  return read;
}
