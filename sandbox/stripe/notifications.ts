import { createHmac } from 'node:crypto';
import { createSender } from '../notifications.ts';
import { presentEvent } from './present.ts';
import type { EventRecord } from './records.ts';
import { recordOf, type Reader, type StripeState } from './state.ts';
import { findStripeToken } from './tokens.ts';

/** An event owed for longer than this is not worth sending after a restart. */
const notifyWithinMs = 5 * 60_000;

/** Posts events, signed as Stripe signs them: `Stripe-Signature: t=...,v1=...`. */
export interface EventNotifier {
  /** Sends an event until it is acknowledged or given up, and calls `onTold`, unless stopped meanwhile. */
  notify(event: EventRecord): void;
  stop(): Promise<void>;
}

/** Returns the headers of an event's notification. HMAC-SHA256 over the time, a dot and the body. */
export function signEvent(secret: string, body: string, at: number): Record<string, string> {
  const time = Math.floor(at / 1000);
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': `t=${time},v1=${signature}`,
  };
}

/** Returns how often an event about this object is sent: as the token of its payment method says. */
export function countSends(reader: Reader, of: string): number {
  const record = reader.get(of);
  const intent = recordOf(record, 'payment_intent');
  const method = intent ? (intent.method ?? intent.failure?.method) : recordOf(record, 'charge')?.method;
  const token = findStripeToken(recordOf(reader.get(method ?? ''), 'payment_method')?.token ?? '');
  if (token?.notified === 'never') return 0;
  return token?.notified === 'twice' ? 2 : 1;
}

export function createEventNotifier(options: {
  url: string;
  secret: string;
  state: StripeState;
  onTold(event: EventRecord): void;
}): EventNotifier {
  const sender = createSender({ url: options.url });
  let isStopped = false;

  async function send(event: EventRecord): Promise<void> {
    const shown = options.state.shownEvent(event.id);
    if (!shown || Date.now() / 1000 - event.created > notifyWithinMs / 1000) return;
    const body = JSON.stringify(presentEvent(options.state, shown));
    for (let sent = 0; sent < event.owed; sent += 1) {
      await sender.send(() => ({ body, headers: signEvent(options.secret, body, Date.now()) }));
    }
  }

  async function sendAndTell(event: EventRecord): Promise<void> {
    await send(event);
    if (!isStopped) options.onTold(event);
  }

  return {
    notify(event) {
      sendAndTell(event).catch((error: unknown) =>
        console.error(`The notification about ${event.id} failed:`, error),
      );
    },
    async stop() {
      isStopped = true;
      await sender.stop();
    },
  };
}
