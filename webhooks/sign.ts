import { createHmac } from 'node:crypto';

/**
 * Signatures of deliveries: Standard Webhooks 1.0.0, "Signature scheme", symmetric.
 */

const prefix = 'whsec_';

/** The headers by which a receiver recognises a delivery of ours, and its age. */
export interface SignedHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** Returns the key of a secret: its bytes, not its text. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
}

/**
 * Signs with each live key, newest first, so that a receiver finds a signature that fits while its secret is
 * rotated. The time is the attempt's, not the event's: receivers refuse what is older than five minutes.
 */
export function sign(keys: readonly Buffer[], id: string, at: Date, body: Buffer): SignedHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = keys.map((key) => {
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
    return `v1,${mac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
