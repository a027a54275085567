import assert from 'node:assert/strict';
import type { Stripe } from 'stripe';
import StripeClient from 'stripe';
import { secret, startService, type Service } from '../service.ts';
import { specVersion } from './exchanges.ts';
import { startCheckingProxy, type CheckingProxy } from './proxy.ts';

/** The key and the secret of events that the sandbox has when no others are set. */
export const testKey = `sk_test_${secret}`;
export const webhookSecret = `whsec_${secret}`;

type IntentParams = Partial<Stripe.PaymentIntentCreateParams>;

/** The sandbox, Stripe's own SDK before it, and the checks between the two. */
export interface Dialect {
  service: Service;
  proxy: CheckingProxy;
  stripe: Stripe;
  /** A client with another key or another patience. */
  client(key?: string, config?: Stripe.StripeConfig): Stripe;
  /** An intent that is not confirmed: 19.99 EUR, confirmed by hand, with a charge of its own in the metadata. */
  prepare(token?: string, more?: IntentParams): Promise<Stripe.PaymentIntent>;
  /** An intent that is paid, or with `capture_method: manual` reserved. */
  pay(token?: string, more?: IntentParams): Promise<Stripe.PaymentIntent>;
  /** The books' entries of an intent. */
  booksUnder(intent: Stripe.PaymentIntent): Promise<{ kind: string; key: string; amount: number }[]>;
  stop(): Promise<void>;
}

function createClient(url: string, key: string, config: Stripe.StripeConfig = {}): Stripe {
  const { hostname, port } = new URL(url);
  return new StripeClient(key, {
    protocol: 'http',
    host: hostname,
    port,
    maxNetworkRetries: 0,
    telemetry: false,
    // Its type admits its own version alone; the file that answers are checked by is of another one.
    apiVersion: specVersion as never,
    ...config,
  });
}

/** Starts a sandbox of its own. @param env for example `PROCESSOR_KEYS_MS`. */
export async function startDialect(env: Record<string, string> = {}): Promise<Dialect> {
  const service = await startService(env);
  const proxy = await startCheckingProxy(service.url);
  const stripe = createClient(proxy.url, testKey);
  let charges = 0;

  async function prepare(token = 'tok_visa', more: IntentParams = {}): Promise<Stripe.PaymentIntent> {
    const method = await stripe.paymentMethods.create({ type: 'card', card: { token } });
    charges += 1;
    return stripe.paymentIntents.create({
      amount: 1999,
      currency: 'eur',
      payment_method: method.id,
      capture_method: 'automatic',
      confirmation_method: 'manual',
      metadata: { charge: `ch_${charges}` },
      ...more,
    });
  }

  return {
    service,
    proxy,
    stripe,
    client: (key = testKey, config = {}) => createClient(proxy.url, key, config),
    prepare,
    pay: async (token, more) => stripe.paymentIntents.confirm((await prepare(token, more)).id),
    booksUnder: ({ id, metadata }) => service.books(metadata['charge'] ?? id),
    async stop() {
      await Promise.all([proxy.stop(), service.stop()]);
    },
  };
}

/** Returns the error that the SDK throws. */
export async function refused(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof StripeClient.errors.StripeError) return error;
    throw error;
  }
  return assert.fail('it was not refused');
}

/** Presses a button on the page of 3-D Secure; returns where the buyer goes back to. */
export async function pressButton(intent: Stripe.PaymentIntent, outcome: 'confirm' | 'fail'): Promise<URL> {
  const url = intent.next_action?.redirect_to_url?.url ?? assert.fail('there is nothing to confirm');
  const page = await (await fetch(url)).text();
  assert.match(page, /name="outcome" value="confirm"/);
  const body = new URLSearchParams({ outcome });
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  assert.equal(answer.status, 303);
  return new URL(answer.headers.get('location')!);
}
