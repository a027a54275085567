import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { isId } from '#domain/ids.ts';
import type { NotificationParser, ProcessorNotification } from '../port.ts';
import { refund } from './objects.ts';

/** The largest difference between Stripe's clock and ours. */
const toleranceSeconds = 5 * 60;
/** Longer bodies are not read at all. */
const maxBytes = 256 * 1024;
/** Signatures in one header: Stripe sends one for each secret of the endpoint. */
const maxSignatures = 10;

const event = z.object({
  object: z.literal('event'),
  id: z.string().min(1).max(255),
  type: z.string().max(255),
  livemode: z.boolean(),
  data: z.object({
    object: z.object({
      metadata: z.record(z.string(), z.string()).nullish(),
      /** Of a refund. */
      status: z.string().nullish().catch(null),
      destination_details: refund.shape.destination_details,
      payment_intent: z.string().max(255).nullish().catch(null),
    }),
  }),
});

type EventObject = z.output<typeof event>['data']['object'];

interface Signed {
  timestamp: string;
  signatures: Buffer[];
}

/** Reads `t=…,v1=…[,v1=…]`. Other schemes in it are left out. */
function readSignature(header: string | undefined): Signed | null {
  if (header === undefined || header.length > 4_096) return null;
  const parts = header.split(',').map((part) => part.trim());
  const values = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [timestamp] = values('t');
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return null;
  const signatures = values('v1')
    .filter((value) => /^[0-9a-f]{64}$/.test(value))
    .slice(0, maxSignatures)
    .map((value) => Buffer.from(value, 'hex'));
  return { timestamp, signatures };
}

function isSigned(secrets: readonly string[], { timestamp, signatures }: Signed, rawBody: Buffer): boolean {
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
    return signatures.some((given) => timingSafeEqual(given, expected));
  });
}

/** Returns our key in an event: the charge of a payment, or a refund. A refund that voids a charge names the charge. */
function readKey(type: string, metadata: Record<string, string>): string | null {
  const isRefund = isRefundEvent(type);
  const isPayment = type.startsWith('payment_intent.') || type.startsWith('charge.');
  const key = isRefund ? metadata['refund'] : isPayment ? metadata['charge'] : undefined;
  if (key === undefined) return null;
  if (isRefund && isId('refund', key)) return key;
  const chargeKey = isRefund ? key.replace(/:void$/, '') : key;
  return isId('charge', chargeKey) ? chargeKey : null;
}

function parseEvent(rawBody: Buffer, livemode: boolean): ProcessorNotification | 'ignored' | null {
  const parsed = event.safeParse(parseJson(rawBody));
  if (!parsed.success) return isEvent(rawBody) ? 'ignored' : null;
  const { id, type, data } = parsed.data;
  if (parsed.data.livemode !== livemode) return 'ignored';
  const { metadata, payment_intent: paymentRef } = data.object;
  // Somebody made it in the Dashboard.
  if (isRefundEvent(type) && metadata?.['refund'] === undefined && paymentRef)
    return { id, key: null, paymentRef, isLate: true };
  const key = readKey(type, metadata ?? {});
  if (key === null) return 'ignored';
  const isLate = isRefundEvent(type) && isLateNews(key, data.object);
  return { id, key, ...(isLate && { isLate }) };
}

/**
 * Whether an event may be news of what is at its end. A refund that succeeded may fail later, by weeks: so may the one that
 * gives a voided charge back. The reference of the bank comes by days.
 */
function isLateNews(key: string, { status, destination_details: destination }: EventObject): boolean {
  if (status === 'failed' || status === 'canceled') return true;
  return isId('refund', key) && destination?.card?.reference_status === 'available';
}

function isRefundEvent(type: string): boolean {
  return type.startsWith('refund.') || type === 'charge.refund.updated';
}

/** An event of a kind that we never asked for may have another shape. It is answered, or Stripe sends it for days. */
function isEvent(rawBody: Buffer): boolean {
  return z.object({ object: z.literal('event') }).safeParse(parseJson(rawBody)).success;
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Authenticates Stripe's events: `Stripe-Signature` with an HMAC-SHA256 over time and raw body, by any of the endpoint's
 * secrets, not older than 5 minutes. Only our own key, or the payment of a refund that was made in the Dashboard, is taken from an event, and then Stripe is asked: repeated and
 * disordered events do no harm. Source: docs.stripe.com/webhooks.
 *
 * @param settings.livemode of the key that belongs to the endpoint. Events of the other mode are ignored.
 * @param now in ms since 1970.
 */
export function createStripeNotificationParser(
  secrets: readonly string[],
  settings: { livemode: boolean },
  now: () => number = Date.now,
): NotificationParser {
  return {
    parseNotification(headers, rawBody) {
      if (rawBody.length > maxBytes) return null;
      const signed = readSignature(headers['stripe-signature']);
      if (!signed || Math.abs(now() / 1_000 - Number(signed.timestamp)) > toleranceSeconds) return null;
      return isSigned(secrets, signed, rawBody) ? parseEvent(rawBody, settings.livemode) : null;
    },
  };
}
