import type { Database } from '#db/knex.ts';
import { findEndpointSet, type EndpointSet } from '#db/webhooks/webhook-endpoints.ts';
import { ProblemError } from '#domain/problems.ts';
import {
  maxEndpoints,
  maxEndpointsPerUrl,
  toSameUrl,
  type WebhookEndpoint,
} from '#domain/webhook-endpoints.ts';
import type { ApiDeps } from '../http/deps.ts';

/**
 * Where an account may send its events: to public addresses, and to one URL with a few endpoints only. Each of them sends
 * each event, so a hundred would turn one charge into a hundred requests.
 */

/** What a URL of an endpoint may be refused with. */
export const endpointProblems = [
  'https_required',
  'address_refused',
  'too_many_webhook_endpoints_of_url',
] as const;

/** Why there is no room for another endpoint. */
interface NoRoom {
  code: 'too_many_webhook_endpoints' | 'too_many_webhook_endpoints_of_url';
  detail?: string;
}

/** Returns the version of the set in which there is room for a new endpoint with this URL, or why there is none. */
export async function findRoom(
  db: Database,
  accountId: string,
  url: string,
): Promise<{ setVersion: number } | NoRoom> {
  const set = await findEndpointSet(db, accountId);
  if (set.endpoints.length >= maxEndpoints) return { code: 'too_many_webhook_endpoints' };
  if (isUrlFull(set, url)) return urlIsFull;
  return { setVersion: set.version };
}

/**
 * Returns the version of the set in which a change that has the endpoint deliver to a URL is allowed. Returns `null` for any
 * other change: it is allowed to an endpoint beyond the limit, too.
 *
 * @throws {ProblemError} `too_many_webhook_endpoints_of_url`
 */
export async function requireRoomAtUrl(
  db: Database,
  read: WebhookEndpoint,
  changed: WebhookEndpoint,
): Promise<number | null> {
  if (changed.status !== 'enabled') return null;
  if (read.status === 'enabled' && toSameUrl(read.url) === toSameUrl(changed.url)) return null;
  const set = await findEndpointSet(db, read.accountId);
  if (isUrlFull(set, changed.url)) throw new ProblemError(urlIsFull.code, { detail: urlIsFull.detail });
  return set.version;
}

const urlIsFull = {
  code: 'too_many_webhook_endpoints_of_url' as const,
  detail: `The account has ${maxEndpointsPerUrl} enabled endpoints with this URL, or with another spelling of it.`,
};

/** Returns whether the limit of enabled endpoints with this URL is reached. More may exist since before the limit. */
function isUrlFull({ endpoints }: EndpointSet, url: string): boolean {
  const same = toSameUrl(url);
  const count = endpoints.filter(
    (other) => other.status === 'enabled' && URL.canParse(other.url) && toSameUrl(other.url) === same,
  ).length;
  return count >= maxEndpointsPerUrl;
}

/** @throws {ProblemError} `https_required`, `address_refused` or `validation_failed` for a URL that events must not be sent to. */
export async function requireUrl(
  { webhookUrls }: Pick<ApiDeps, 'webhookUrls'>,
  accountId: string,
  url: string,
): Promise<void> {
  const refusal = await withLookupLimit(accountId, () => webhookUrls.findRefusal(new URL(url)));
  if (!refusal) return;
  const fault = (code: string, detail: string) => ({
    extras: { errors: [{ pointer: '/url', code, detail }] },
  });
  if (refusal === 'unresolvable') {
    throw new ProblemError('validation_failed', fault(refusal, 'The name of its host has no address.'));
  }
  const details = {
    https_required: 'must begin with https://',
    address_refused: 'leads to an address that is not public',
  };
  throw new ProblemError(refusal, fault(refusal, details[refusal]));
}

/** Lookups of one account at once in this process: a slow name server must not hold more of its writes. */
const atOnce = 4;

/** A lookup ends within 2 s. */
const retryAfter = '2';

const underWay = new Map<string, number>();

/**
 * Runs a lookup of a merchant's URL if the account has fewer than four under way.
 *
 * @throws {ProblemError} `rate_limited`
 */
export async function withLookupLimit<Result>(
  accountId: string,
  look: () => Promise<Result>,
): Promise<Result> {
  const before = underWay.get(accountId) ?? 0;
  if (before >= atOnce) {
    const detail = 'Too many of your URLs are being looked up at once. Wait for Retry-After seconds.';
    throw new ProblemError('rate_limited', { detail, headers: { 'Retry-After': retryAfter } });
  }
  underWay.set(accountId, before + 1);
  try {
    return await look();
  } finally {
    const left = (underWay.get(accountId) ?? 1) - 1;
    if (left > 0) underWay.set(accountId, left);
    else underWay.delete(accountId);
  }
}
