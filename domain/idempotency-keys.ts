import { isId, type IdKind } from './ids.ts';

/** The uses of an Idempotency-Key, over the wire. */

/** One request that was made under a key; a key may be used once an endpoint. */
export interface KeyUse {
  /** Method and route template. */
  endpoint: string;
  isDone: boolean;
  since: Date;
  /** Until when it is kept at least. */
  until: Date;
  /** Path of the resource that the request made or acted on; `null` if there is none, or none yet. */
  resource: string | null;
}

export interface IdempotencyKeyResource {
  object: 'idempotency_key';
  key: string;
  uses: {
    endpoint: string;
    status: 'in_progress' | 'done';
    since: string;
    until: string;
    resource: string | null;
  }[];
}

export function presentIdempotencyKey(key: string, uses: readonly KeyUse[]): IdempotencyKeyResource {
  return {
    object: 'idempotency_key',
    key,
    uses: uses.map(({ endpoint, isDone, since, until, resource }) => ({
      endpoint,
      status: isDone ? 'done' : 'in_progress',
      since: since.toISOString(),
      until: until.toISOString(),
      resource,
    })),
  };
}

/** The most of a key that the log of requests shows. */
const shownLetters = 8;

/**
 * Returns the beginning of a key, half of it at most, and `…`, which no key can hold: who reads the log of requests can
 * recognise a key, and not send it.
 */
export function shortenKey(key: string): string {
  return `${key.slice(0, Math.min(shownLetters, Math.floor(key.length / 2)))}…`;
}

/** Collections whose items a request with a key makes or acts on. */
const collections: Partial<Record<IdKind, string>> = {
  charge: 'charges',
  refund: 'refunds',
  customer: 'customers',
  operation: 'operations',
  client: 'clients',
  webhookEndpoint: 'webhook-endpoints',
  webhookDelivery: 'webhook-deliveries',
};

/** Returns the path of the resource with this id, or `null` if it has none. */
export function resourcePath(id: string): string | null {
  for (const [kind, collection] of Object.entries(collections)) {
    if (isId(kind as IdKind, id)) return `/v1/${collection}/${id}`;
  }
  return null;
}
