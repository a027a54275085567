import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Event } from './types.ts';
import { WebhookSignatureError } from './errors.ts';

/** Verifies deliveries (Standard Webhooks 1.0.0, symmetric signatures). */

/** As a server has them: `Headers`, or an object with names in lower case. */
export type ReceivedHeaders = Headers | Record<string, string | string[] | undefined>;

export interface UnwrapOptions {
  /** The largest difference between the delivery's time and now, in seconds. (Default: 300) */
  toleranceSeconds?: number;
  /** (Default: the clock of this machine) */
  now?: Date;
}

/** Verifies deliveries without a client: it needs no credentials. */
export class Webhooks {
  /**
   * Returns the event of a delivery. The same event may come again: act once for each `id`. New types of events may be
   * added, so let a switch over `type` have a default.
   *
   * @param body exactly as it was received, before any parsing.
   * @param secret of the endpoint (`whsec_…`); several while it is rotated.
   * @throws {WebhookSignatureError} if it was not signed with the secret, or not lately: answer 400.
   */
  unwrap(
    body: string | Uint8Array,
    headers: ReceivedHeaders,
    secret: string | readonly string[],
    options: UnwrapOptions = {},
  ): Event {
    const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      readHeader(headers, name),
    ) as [string, string, string];
    requireFresh(timestamp, options);
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const secrets = typeof secret === 'string' ? [secret] : secret;
    const expected = secrets.map((each) => sign(each, `${id}.${timestamp}.`, bytes));
    const isSigned = signatures
      .split(' ')
      .some((given) => expected.some((right) => isEqual(given, `v1,${right}`)));
    if (!isSigned) throw new WebhookSignatureError('The delivery was not signed with this secret');
    return JSON.parse(new TextDecoder().decode(bytes)) as Event;
  }
}

function readHeader(headers: ReceivedHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  const one = Array.isArray(value) ? value[0] : value;
  if (!one) throw new WebhookSignatureError(`The delivery has no ${name}`);
  return one;
}

function requireFresh(timestamp: string, { toleranceSeconds = 300, now = new Date() }: UnwrapOptions): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const isFresh = Math.abs(now.getTime() / 1_000 - seconds) <= toleranceSeconds;
  if (!isFresh)
    throw new WebhookSignatureError(`The time of the delivery is not within ${toleranceSeconds} s`);
}

/** Returns the signature in Base64. */
function sign(secret: string, prefix: string, body: Uint8Array): string {
  const mac = hmac.create(sha256, readKey(secret)).update(new TextEncoder().encode(prefix)).update(body);
  return btoa(String.fromCharCode(...mac.digest()));
}

function readKey(secret: string): Uint8Array {
  try {
    const text = atob(secret.replace(/^whsec_/, ''));
    if (text.length > 0) return Uint8Array.from(text, (char) => char.charCodeAt(0));
  } catch {
    // Reported below.
  }
  throw new WebhookSignatureError('The secret of the endpoint must be whsec_ and Base64');
}

/** Takes the same time wherever two texts of one length differ. */
function isEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
