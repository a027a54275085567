import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { WebhookEndpointResource } from '../../domain/webhook-endpoints.ts';
import type { Receiver } from '../support/receiver.ts';
import { bodyOf, type Merchant } from './merchants.ts';
import type { Random } from './random.ts';

/** What an endpoint took, as its merchant wrote it down. */
export interface Receipt {
  endpointId: string;
  accountId: string;
  /** Of the header; the same for every delivery of the event. */
  eventId: string;
  /** Of the body. */
  event: { id: string; type: string; sequence: number; account: string } | null;
  bodyHash: string;
  isSigned: boolean;
  /** What it answered; `null`: nothing. */
  status: number | null;
  at: number;
}

/** Receivers that fail at random, until they are told to stop. */
export interface Receivers {
  receipts: Receipt[];
  /** From now on they take everything. */
  behave(): void;
}

const subscriptions = [
  { name: 'everything', body: { events: ['*'] }, failing: 0.25 },
  { name: 'charges in order', body: { events: ['charge.*'], ordering: 'fifo' }, failing: 0.1 },
  { name: 'refunds and operations', body: { events: ['refund.*', 'operation.*'] }, failing: 0.4 },
];

/** Registers endpoints of each merchant. */
export async function subscribe(
  merchants: readonly Merchant[],
  receiver: Receiver,
  url: string,
  random: Random,
): Promise<Receivers> {
  const receipts: Receipt[] = [];
  let behaves = false;
  for (const merchant of merchants) {
    for (const [n, { body, failing }] of subscriptions.entries()) {
      const path = `/${merchant.accountId}/${n}`;
      const answer = await merchant.insist(
        { endpoint: 'POST /v1/webhook-endpoints', key: random.word(), body: { url: url + path, ...body } },
        random,
      );
      if (answer.status !== 201) throw new Error(`not registered: ${answer.text}`);
      const { id, secret } = bodyOf<WebhookEndpointResource & { secret: string }>(answer);
      const verifier = new Webhook(secret);
      const own = random.fork(path);
      receiver.answer((received, response) => {
        const reply = behaves || !own.chance(failing) ? 204 : own.pick([500, 503, 429, 302, null]);
        const headers = received.headers as Record<string, string>;
        receipts.push({
          endpointId: id,
          accountId: merchant.accountId,
          eventId: headers['webhook-id'] ?? '',
          event: eventIn(received.body),
          bodyHash: createHash('sha256').update(received.body).digest('hex').slice(0, 24),
          isSigned: isSigned(verifier, received.body, headers),
          status: reply,
          at: received.at,
        });
        if (reply === null) response.destroy();
        else response.writeHead(reply).end();
      }, path);
    }
  }
  return {
    receipts,
    behave() {
      behaves = true;
    },
  };
}

function eventIn(body: string): Receipt['event'] {
  try {
    const { id, type, sequence, account } = JSON.parse(body) as NonNullable<Receipt['event']>;
    return { id, type, sequence, account };
  } catch {
    return null;
  }
}

function isSigned(verifier: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    verifier.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
