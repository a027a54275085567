import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { WebhookEndpointResource } from '#domain/webhook-endpoints.ts';
import { refuse, type Received, type Receiver } from '../../support/stack/outside/receiver.ts';
import { readEvent, type SeenEvent } from '../events/seen-events.ts';
import { readBody, type Merchant } from './merchants.ts';
import type { Random } from '../random.ts';

/** What an endpoint took, as its merchant wrote it down. */
export interface Receipt {
  endpointId: string;
  accountId: string;
  /** Of the header; the same for every delivery of the event. */
  eventId: string;
  /** Of the body. */
  event: SeenEvent | null;
  bodyHash: string;
  isSigned: boolean;
  /** What it answered; `null`: nothing. */
  status: number | null;
  at: number;
}

/** Receivers that fail at random, until they are told to stop. */
export interface Receivers {
  receipts: Receipt[];
  /** Registers one more endpoint of the merchant; `null`: it could not be had. */
  register(merchant: Merchant, subscription: Subscription, random: Random): Promise<Registered | null>;
  /** From now on they take everything. */
  behave(): void;
}

export interface Subscription {
  body: object;
  /** How many of its deliveries fail, from 0 to 1. */
  failing: number;
}

/** An endpoint, as its merchant knows it. */
export interface Registered {
  id: string;
  /** The merchant was told another secret; what it signed may have come before. */
  learn(secret: string): void;
}

const subscriptions: readonly Subscription[] = [
  { body: { events: ['*'] }, failing: 0.25 },
  { body: { events: ['charge.*'], ordering: 'fifo' }, failing: 0.1 },
  { body: { events: ['refund.*', 'operation.*'] }, failing: 0.4 },
];

/** Registers endpoints of each merchant, which stay as they are. */
export async function subscribe(
  merchants: readonly Merchant[],
  receiver: Receiver,
  url: string,
  random: Random,
): Promise<Receivers> {
  const receivers = createReceivers(receiver, url);
  for (const merchant of merchants) {
    for (const subscription of subscriptions) {
      const made = await receivers.register(merchant, subscription, random);
      if (!made) throw new Error(`no endpoint could be registered for ${merchant.accountId}`);
    }
  }
  return receivers;
}

function createReceivers(receiver: Receiver, url: string): Receivers {
  const receipts: Receipt[] = [];
  let behaves = false;
  let registered = 0;

  async function register(
    merchant: Merchant,
    { body, failing }: Subscription,
    random: Random,
  ): Promise<Registered | null> {
    const path = `/${merchant.accountId}/${registered++}`;
    // Its first deliveries may come before the answer that tells its id and its secret.
    receiver.answer(refuse(503), path);
    const answer = await merchant.insist(
      { endpoint: 'POST /v1/webhook-endpoints', key: random.word(), body: { url: url + path, ...body } },
      random,
    );
    if (answer.status !== 201) return null;
    const { id, secret } = readBody<WebhookEndpointResource & { secret: string }>(answer);
    const verifiers = [new Webhook(secret)];
    const unsigned = new Map<Receipt, Received>();
    const own = random.fork(path);
    receiver.answer((received, response) => {
      const reply = behaves || !own.chance(failing) ? 204 : own.pick([500, 503, 429, 302, null]);
      const receipt: Receipt = {
        endpointId: id,
        accountId: merchant.accountId,
        eventId: String(received.headers['webhook-id'] ?? ''),
        event: eventIn(received.body),
        bodyHash: createHash('sha256').update(received.body).digest('hex').slice(0, 24),
        isSigned: isSigned(verifiers, received),
        status: reply,
        at: received.at,
      };
      if (!receipt.isSigned) unsigned.set(receipt, received);
      receipts.push(receipt);
      if (reply === null) response.destroy();
      else response.writeHead(reply).end();
    }, path);
    return {
      id,
      learn(secret) {
        verifiers.push(new Webhook(secret));
        for (const [receipt, received] of unsigned) receipt.isSigned = isSigned(verifiers, received);
      },
    };
  }

  return {
    receipts,
    register,
    behave() {
      behaves = true;
    },
  };
}

function eventIn(body: string): SeenEvent | null {
  try {
    return readEvent(body);
  } catch {
    return null;
  }
}

function isSigned(verifiers: readonly Webhook[], { body, headers }: Received): boolean {
  return verifiers.some((verifier) => {
    try {
      verifier.verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  });
}
