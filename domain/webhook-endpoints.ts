import { addressTextFault } from './addresses.ts';
import type { ApiVersion } from './versions/version-change.ts';

/** A webhook endpoint: a URL of the merchant, the events that it receives, and its health. */

/** The members of an endpoint that the merchant sets. */
export interface WebhookEndpointProfile {
  url: string;
  /** Of `eventPatterns`. */
  events: string[];
  status: WebhookEndpointStatus;
  description: string | null;
  metadata: Record<string, string>;
  /** The version of its payloads. */
  apiVersion: ApiVersion;
  ordering: WebhookOrdering;
}

export type WebhookEndpointStatus =
  | 'enabled'
  /** Receives nothing; its open deliveries are cancelled. */
  | 'disabled';

/** `fifo`: one at a time, in the order of `sequence`, parked behind a failing one. */
export type WebhookOrdering = 'none' | 'fifo';

/**
 * Why an endpoint is disabled: its merchant asked for it, it failed for too long, or it answered 410 (Standard
 * Webhooks, "Deliverability and reliability").
 */
export type DisabledReason = 'requested' | 'failing' | 'gone';

export interface WebhookFailure {
  at: Date;
  /** `null`: there was no answer. */
  statusCode: number | null;
  message: string;
}

export interface WebhookEndpoint extends WebhookEndpointProfile {
  id: string;
  accountId: string;
  disabledReason: DisabledReason | null;
  /** When the first of the failures in a row was; `null` while deliveries succeed. */
  failingSince: Date | null;
  lastFailure: WebhookFailure | null;
  /** While it fails: no attempt is made before then; `null`: as soon as a delivery is due. */
  parkedUntil: Date | null;
  /** The first failure from then on disables it; `null` unless it fails. */
  disablesAt: Date | null;
  /** Newest first, those that still sign. */
  secrets: WebhookSecret[];
  createdAt: Date;
  updatedAt: Date;
  /** Set: only the id is left. */
  deletedAt: Date | null;
  /** Deliveries with an id below that are open are cancelled, though their rows may not say so yet. */
  cancelledBefore: string | null;
  /** Grows with every change that is shown; the ETag is made from it. */
  version: number;
}

/** A secret as it is listed, without its value. */
export interface WebhookSecret {
  id: string;
  createdAt: Date;
  /** `null`: the current one. Until then it signs beside the newer ones. */
  expiresAt: Date | null;
}

/** The most endpoints of an account: each of its events looks through all of them. */
export const maxEndpoints = 100;

/**
 * The most enabled endpoints of an account with one URL: each of them sends each event. Two serve a change of the version
 * or of the secret; more are room for different events in different orders.
 */
export const maxEndpointsPerUrl = 5;

/** Secrets that sign at once at most, the current one included: each makes the signature header longer. */
export const maxSecrets = 10;

/** Waits before each attempt, in milliseconds: 10 attempts over 75 h 35 min (`docs/webhooks.md`, "Retries"). */
export const defaultRetryScheduleMs: readonly number[] = [
  0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
];

/** Characters of a URL; no receiver needs more. */
export const maxUrlLength = 2_000;

/** Returns what is wrong with the form of a URL, or `null` if nothing is. Its host is not resolved. */
export function urlFault(text: string): string | null {
  const fault = addressTextFault(text);
  if (fault !== null) return fault;
  if (!URL.canParse(text)) return 'must be an absolute URL such as https://shop.example/webhooks';
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https://';
  if (username !== '' || password !== '') return 'must not carry credentials: deliveries are signed';
  return hash === '' ? null : 'must not carry a fragment';
}

/**
 * Returns a text that is the same for all spellings of one URL. The parser of URLs spells the scheme, the host and the port
 * in one way. This function removes what it keeps: the dot at the end of a host, an empty query, a fragment, and the
 * encoding of characters that need none (RFC 3986 §6.2.2.2).
 */
export function toSameUrl(text: string): string {
  const url = new URL(text);
  const host = url.hostname.replace(/\.$/, '');
  const target = (url.pathname + url.search).replaceAll(/%[0-9a-f]{2}/gi, (octet) => {
    const character = String.fromCodePoint(Number.parseInt(octet.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : octet.toUpperCase();
  });
  return `${url.protocol}//${host}:${url.port}${target}`;
}

/** A webhook endpoint over the wire. */
export interface WebhookEndpointResource {
  id: string;
  object: 'webhook_endpoint';
  url: string;
  events: string[];
  status: WebhookEndpointStatus;
  disabled_reason: DisabledReason | null;
  description: string | null;
  metadata: Record<string, string>;
  api_version: ApiVersion;
  ordering: WebhookOrdering;
  failing_since: string | null;
  last_failure: { at: string; status_code: number | null; message: string } | null;
  paused_until: string | null;
  disables_at: string | null;
  secrets: { id: string; created: string; expires_at: string | null }[];
  created: string;
  updated: string;
}

export function presentWebhookEndpoint(endpoint: WebhookEndpoint): WebhookEndpointResource {
  const { lastFailure: failure } = endpoint;
  return {
    id: endpoint.id,
    object: 'webhook_endpoint',
    url: endpoint.url,
    events: endpoint.events,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    description: endpoint.description,
    metadata: endpoint.metadata,
    api_version: endpoint.apiVersion,
    ordering: endpoint.ordering,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    last_failure: failure && {
      at: failure.at.toISOString(),
      status_code: failure.statusCode,
      message: failure.message,
    },
    paused_until: endpoint.failingSince && (endpoint.parkedUntil?.toISOString() ?? null),
    disables_at: endpoint.disablesAt?.toISOString() ?? null,
    secrets: endpoint.secrets.map(presentSecret),
    created: endpoint.createdAt.toISOString(),
    updated: endpoint.updatedAt.toISOString(),
  };
}

function presentSecret({
  id,
  createdAt,
  expiresAt,
}: WebhookSecret): WebhookEndpointResource['secrets'][number] {
  return { id, created: createdAt.toISOString(), expires_at: expiresAt?.toISOString() ?? null };
}
