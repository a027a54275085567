import { createStripeProcessor, openStripeTransport } from '#processor/stripe/adapter.ts';
import type { ProcessorRequest, Transport } from '#processor/transport.ts';
import { startCheckingProxy } from '../../sandbox/stripe/proxy.ts';
import { secret, startService, type Service } from '../../sandbox/service.ts';
import { injectFaults } from '../faults.ts';
import { ChargeRow } from '../rows.ts';
import type { ActionElsewhere, Subject, Target, Tokens } from '../subject.ts';
import { readServiceBooks } from './sandbox.ts';
import { stripeProtocol, stripeTokens } from './stripe-protocol.ts';

const key = `sk_test_${secret}`;

const tokens: Tokens = {
  ...stripeTokens,
  advises: {
    retry_later: 'tok_declined_retry_later',
    ask_buyer: 'tok_declined_ask_buyer',
    do_not_retry: 'tok_declined_do_not_retry',
  },
  succeedsLater: 'tok_async_silent',
  refundsFail: 'tok_refund_fails',
  bankTellsLater: 'tok_mastercard',
  voidsFailLater: 'tok_void_fails_later',
};

const lacksAlways: Target['lacks'] = {
  remembered_voids: 'the row remembers it, with a mark in the place of the reference',
  reversals: 'a refund of a card payment cannot be taken back at Stripe',
  cards: 'a PaymentMethod that was used once cannot be used again without a customer of Stripe',
  late_capture_failures: 'a capture of a card payment stays as it is at Stripe',
};

/** What a sandbox with this memory has not. */
export function dialectLacks(memory: Memory): Target['lacks'] {
  return memory === 'keeps keys' ? lacksAlways : { ...lacksAlways, kept_keys: 'it forgets each key at once' };
}

/** How the sandbox answers in Stripe's dialect: it keeps keys for a day, or forgets each at once. */
export type Memory = 'keeps keys' | 'forgets keys';

export interface DialectTarget extends Target {
  /** @param below stands between the adapter and the faults of the kit. */
  newSubject(below?: (inner: Transport) => Transport): Subject;
  /** Requests that were answered with 200, one of each kind and form. */
  accepted: ProcessorRequest[];
  /** What Stripe's own OpenAPI file says against an exchange, a line each. */
  violations: readonly string[];
}

/** The adapter of Stripe over the sandbox, with each exchange checked by Stripe's own OpenAPI file. */
export async function openDialectTarget(memory: Memory): Promise<DialectTarget> {
  const service = await startService(memory === 'forgets keys' ? { PROCESSOR_KEYS_MS: '0' } : {});
  const proxy = await startCheckingProxy(service.url);
  const settings = { key, url: proxy.url };
  const accepted: ProcessorRequest[] = [];
  const transport = record(openStripeTransport(settings), accepted);
  // Port 1 is privileged and free: a connection to it is refused.
  const unreachable = createStripeProcessor({ key, url: 'http://127.0.0.1:1' });
  const lacks = dialectLacks(memory);

  function newSubject(below = (inner: Transport) => inner): Subject {
    const faults = injectFaults(transport, stripeProtocol);
    return {
      processor: createStripeProcessor(settings, below(faults.transport)),
      unreachable,
      tokens,
      lacks,
      faults,
      newCharge: (how = {}) => new ChargeRow({ token: tokens.succeeds, ...how }),
      books: (row) => readServiceBooks(service, row),
      actAsBuyer,
      makeToken: () => makeToken(service),
      refundElsewhere: (row, amount) => refundElsewhere(service, row, amount),
      actElsewhere: (row, action) => actElsewhere(service, row, action),
      delayRefund: (refund) => service.stageFault({ route: 'stripe_refund', mode: 'pending', key: refund }),
    };
  }

  return {
    name: `stripe (sandbox, ${memory})`,
    lacks,
    newSubject,
    accepted,
    violations: proxy.faults,
    async stop() {
      await Promise.all([transport.close(), unreachable.close()]);
      await proxy.stop();
      await service.stop();
    },
  };
}

/** Keeps one of each kind of request that was accepted. */
function record(inner: Transport, accepted: ProcessorRequest[]): Transport {
  const seen = new Set<string>();
  return {
    async exchange(request) {
      const answer = await inner.exchange(request);
      const shape = `${request.method} ${describeShape(request)}`;
      if (answer.status === 200 && !seen.has(shape)) {
        seen.add(shape);
        accepted.push(request);
      }
      return answer;
    },
    close: () => inner.close(),
  };
}

function describeShape({ path, body }: ProcessorRequest): string {
  const [route = '', query = ''] = path.split('?');
  const names = [...new URLSearchParams(body ?? query).keys()].toSorted();
  return `${route.replace(/\/(?:pi|re|pm|tok|txn)_\w+/, '/{id}')} ${names.join('&')}`;
}

async function actAsBuyer(url: string, outcome: 'confirm' | 'fail'): Promise<void> {
  const body = new URLSearchParams({ outcome });
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  if (answer.status !== 303) throw new Error(`the page answered ${answer.status}`);
}

/** As Stripe.js does in the buyer's browser. */
async function makeToken(service: Service): Promise<string> {
  const card = { 'card[number]': '4242424242424242', 'card[exp_month]': '12', 'card[exp_year]': '2034' };
  const answer = await fetch(`${service.url}/v1/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: new URLSearchParams(card),
  });
  const { id } = (await answer.json()) as { id?: string };
  if (id === undefined) throw new Error(`the token was answered with ${answer.status}`);
  return id;
}

/** As in the Dashboard: without a key and without metadata of ours. */
async function refundElsewhere(service: Service, row: ChargeRow, amount: number): Promise<void> {
  const answer = await fetch(`${service.url}/v1/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: new URLSearchParams({ payment_intent: row.sent().ref ?? '', amount: String(amount) }),
  });
  if (answer.status !== 200) throw new Error(`the refund was answered with ${answer.status}`);
}

/** As in the Dashboard. */
async function actElsewhere(service: Service, row: ChargeRow, action: ActionElsewhere): Promise<void> {
  const name = action.do === 'void' ? 'cancel' : 'capture';
  const answer = await fetch(`${service.url}/v1/payment_intents/${row.sent().ref}/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: new URLSearchParams(action.do === 'void' ? {} : { amount_to_capture: String(action.amount) }),
  });
  if (answer.status !== 200) throw new Error(`the ${name} was answered with ${answer.status}`);
}
