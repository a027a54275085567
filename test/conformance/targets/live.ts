import { setTimeout as wait } from 'node:timers/promises';
import { createStripeProcessor, openStripeTransport } from '#processor/stripe/adapter.ts';
import { readKey } from '#processor/stripe/keys.ts';
import type { Transport } from '#processor/transport.ts';
import { injectFaults } from '../faults.ts';
import { ChargeRow } from '../rows.ts';
import type { Books, Subject, Target } from '../subject.ts';
import { stripeProtocol, stripeTokens } from './stripe-protocol.ts';

const lacks: Target['lacks'] = {
  remembered_voids: 'the row remembers it, with a mark in the place of the reference',
  reversals: 'a refund of a card payment cannot be taken back at Stripe',
  cards: 'a PaymentMethod that was used once cannot be used again without a customer of Stripe',
  actions: 'nobody is there to press the button on the page of the bank',
  advice: 'no card of the test mode is promised to come with it',
  pending_charges: 'no card of the test mode is decided later',
  pending_refunds: 'no refund of the test mode can be delayed by a request',
  instant_refund_failures: 'no card of the test mode refuses a refund at once',
  late_refund_failures: 'it takes longer than the kit waits',
  late_bank_references: 'it takes longer than the kit waits',
  late_capture_failures: 'a capture of a card payment stays as it is at Stripe',
  late_void_failures: 'it takes longer than the kit waits',
  exact_currencies: 'what an account may charge depends on its country',
  one_off_tokens: 'to make one takes the number of a card, which never comes here',
  books: 'balance transactions of a whole account may be too many to read',
};

/** Far below what Stripe allows an account in test mode. */
const requestsPerSecond = 10;

/** @throws {ProcessorKeyError} for what is no key, and {Error} for a live one: the kit takes no real money. */
export function checkTestKey(key: string): void {
  if (readKey(key).mode === 'live')
    throw new Error('STRIPE_SECRET_KEY is a live key: the kit takes no real money');
}

/** The adapter of Stripe over Stripe's own test mode. */
export function openLiveTarget(key: string): Target {
  checkTestKey(key);
  const settings = { key, url: null };
  const transport = slowDown(openStripeTransport(settings));
  const unreachable = createStripeProcessor({ key, url: 'http://127.0.0.1:1' });

  function newSubject(): Subject {
    const faults = injectFaults(transport, stripeProtocol);
    return {
      processor: createStripeProcessor(settings, faults.transport),
      unreachable,
      tokens: stripeTokens,
      lacks,
      faults,
      newCharge: (how = {}) => new ChargeRow({ token: stripeTokens.succeeds, ...how }),
      books: (row) => readBooks(transport, row),
      async refundElsewhere(row, amount) {
        const form = { payment_intent: row.sent().ref ?? '', amount: String(amount) };
        await call(transport, 'POST', '/v1/refunds', form);
      },
      async actElsewhere(row, action) {
        const path = `/v1/payment_intents/${row.sent().ref}/${action.do === 'void' ? 'cancel' : 'capture'}`;
        await call(
          transport,
          'POST',
          path,
          action.do === 'void' ? {} : { amount_to_capture: `${action.amount}` },
        );
      },
    };
  }

  return {
    name: 'stripe (test mode)',
    lacks,
    newSubject,
    async stop() {
      await Promise.all([transport.close(), unreachable.close()]);
    },
  };
}

function slowDown(inner: Transport): Transport {
  let next = 0;
  return {
    async exchange(request) {
      const now = Date.now();
      const at = Math.max(now, next);
      next = at + 1_000 / requestsPerSecond;
      await wait(at - now);
      return inner.exchange(request);
    },
    close: () => inner.close(),
  };
}

async function call(
  transport: Transport,
  method: 'GET' | 'POST',
  path: string,
  form: Record<string, string>,
): Promise<unknown> {
  const text = new URLSearchParams(form).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const isPost = method === 'POST';
  const request = isPost ? { path, headers, body: text } : { path: `${path}?${text}` };
  const answer = await transport.exchange({ method, timeoutMs: 10_000, ...request });
  if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
  return JSON.parse(answer.body);
}

interface Intent {
  id: string;
  amount_received: number;
  metadata: Record<string, string>;
}
interface Refund {
  amount: number;
  status: string;
  metadata: Record<string, string> | null;
}

/** Reads every intent of the charge, and what was given back of them, without the adapter. */
async function readBooks(transport: Transport, row: ChargeRow): Promise<Books> {
  const since = String(Math.floor(Date.now() / 1_000) - 600);
  const query = { 'created[gte]': since, limit: '100' };
  const { data } = (await call(transport, 'GET', '/v1/payment_intents', query)) as { data: Intent[] };
  const ours = data.filter(({ metadata }) => metadata['charge'] === row.key);
  const paid = ours.filter(({ amount_received }) => amount_received > 0);
  const refunds: Refund[] = [];
  for (const { id } of paid) {
    const list = await call(transport, 'GET', '/v1/refunds', { payment_intent: id, limit: '100' });
    refunds.push(...(list as { data: Refund[] }).data.filter(({ status }) => status !== 'failed'));
  }
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const isVoid = ({ metadata }: Refund) => metadata?.['refund']?.endsWith(':void') ?? false;
  const given = refunds.filter((one) => one.metadata?.['refund'] !== undefined && !isVoid(one));
  return {
    captures: paid.length,
    captured: sum(paid.map(({ amount_received }) => amount_received)),
    refunds: given.length,
    refunded: sum(given.map(({ amount }) => amount)),
    voided: sum(refunds.filter(isVoid).map(({ amount }) => amount)),
  };
}
