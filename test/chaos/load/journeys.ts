import { setTimeout as sleep } from 'node:timers/promises';
import type { ChargeResource } from '#domain/charges.ts';
import type { OperationResource } from '#domain/operations.ts';
import type { RefundResource } from '#domain/refunds.ts';
import type { WebhookEndpointResource } from '#domain/webhook-endpoints.ts';
import type { Exchange } from './journal.ts';
import { readBody, type Call, type Merchant } from './merchants.ts';
import type { Random } from '../random.ts';
import type { Receivers } from './receipts.ts';

/** What a client wants, from its first request to its last. */
export type Journey = (client: ChaosClient) => Promise<void>;

/** A client of one merchant for the time of a journey. */
export interface ChaosClient {
  merchant: Merchant;
  random: Random;
  receivers: Receivers;
  /** The run is over: nothing more is begun, and nothing waited for but answers. */
  isClosing: () => boolean;
}

type Status = ChargeResource['status'] | 'paid';

const tokens = [
  [40, 'tok_visa'],
  [8, 'tok_mastercard'],
  [4, 'tok_refund_fails'],
  [6, 'tok_declined'],
  [3, 'tok_insufficient_funds'],
  [8, 'tok_async'],
  [3, 'tok_async_declined'],
  [3, 'tok_async_silent'],
  [4, 'tok_async_twice'],
  [2, 'tok_slow'],
  [3, 'tok_timeout_charged'],
  [3, 'tok_timeout_not_charged'],
  [2, 'tok_silent'],
  [4, 'tok_garbage'],
  [4, 'tok_reset'],
  [4, 'tok_unavailable'],
] as const;

/** Whose outcome is not known at once. */
const unknownTokens = [
  [30, 'tok_silent'],
  [10, 'tok_slow'],
  [10, 'tok_timeout_charged'],
  [10, 'tok_timeout_not_charged'],
  [10, 'tok_garbage'],
  [10, 'tok_async_silent'],
] as const;

/** By how often each is begun. */
export const journeys: readonly (readonly [weight: number, name: string, journey: Journey])[] = [
  [30, 'charge', async (client) => void (await charge(client))],
  [12, 'manual capture', captureLater],
  [14, 'refunds', refundInParts],
  [14, 'cancel in every state', cancelInEveryState],
  [12, 'same key again', useKeyAgain],
  [4, 'batch', chargeBatch],
  [3, 'export', exportRows],
  [5, 'customer', payAsCustomer],
  [3, 'webhook', useWebhooks],
  [2, 'webhook endpoint', changeEndpoint],
];

const newCharge = (random: Random, body: object = {}) => ({
  amount: random.integer(100, 50_000),
  currency: random.pick(['EUR', 'USD', 'JPY']),
  payment_method: random.weighted(tokens),
  ...body,
});

async function charge(
  { merchant, random }: ChaosClient,
  body: object = {},
): Promise<{ id: string; status: Status; amount: number } | null> {
  const call: Call = { endpoint: 'POST /v1/charges', key: random.word(), body: newCharge(random, body) };
  if (random.chance(0.1)) call.headers = { prefer: 'respond-async' };
  const answer = await merchant.insist(call, random);
  // A client that is not sure that it got the answer asks again.
  if (random.chance(0.2)) await merchant.insist(call, random);
  return answer.status === 201 || answer.status === 202 ? readBody(answer) : null;
}

/** Reads until it is no longer pending, for a while. */
async function awaitOutcome(
  { merchant, random, isClosing }: ChaosClient,
  id: string,
): Promise<ChargeResource | null> {
  const until = Date.now() + 15_000;
  while (Date.now() < until && !isClosing()) {
    const read = await merchant.insist({ endpoint: 'GET /v1/charges/{id}', id }, random, 10_000);
    if (read.status !== 200) return null;
    const charge = readBody<ChargeResource>(read);
    if (charge.status !== 'pending') return charge;
    await sleep(500 + random.integer(0, 500));
  }
  return null;
}

async function captureLater(client: ChaosClient): Promise<void> {
  const { merchant, random } = client;
  const made = await charge(client, { capture_method: 'manual' });
  const read = made && (await awaitOutcome(client, made.id));
  if (!read || read.status !== 'requires_capture') return;
  const { id, amount } = read;
  const capture = (body: object): Call => ({
    endpoint: 'POST /v1/charges/{id}:capture',
    id,
    key: random.word(),
    body,
  });
  const cancel: Call = { endpoint: 'POST /v1/charges/{id}:cancel', id, body: {} };
  const part = capture({ amount: random.integer(1, amount) });
  const plan = random.weighted([
    [40, [part]],
    [15, [capture({})]],
    [10, [cancel]],
    // At the same moment: one wins.
    [15, [part, cancel]],
    [10, [capture({}), capture({})]],
    [5, [capture({ amount: amount + 1 })]],
    // Left alone, it expires.
    [5, []],
  ]);
  await Promise.all(plan.map((call) => merchant.insist(call, random)));
}

/** Cancels what is not known yet, what is known, and what is over; its creator asks again each time. */
async function cancelInEveryState(client: ChaosClient): Promise<void> {
  const { merchant, random } = client;
  const description = random.word();
  const body = newCharge(random, {
    description,
    payment_method: random.weighted([...tokens, ...unknownTokens]),
    capture_method: random.pick(['automatic', 'manual']),
  });
  const call: Call = { endpoint: 'POST /v1/charges', key: random.word(), body };
  if (random.chance(0.3)) call.headers = { prefer: 'respond-async' };
  const cancel = (id: string) =>
    merchant.insist({ endpoint: 'POST /v1/charges/{id}:cancel', id, body: {} }, random);

  const creating = merchant.insist(call, random);
  const early = random.chance(0.6) && (await findByDescription(client, description));
  if (early) await cancel(early);
  const told = await creating;
  const id = early || chargeIn(told);
  if (!id) return;
  await sleep(random.integer(0, 3_000));
  const capture: Call = { endpoint: 'POST /v1/charges/{id}:capture', id, key: random.word(), body: {} };
  const also = [merchant.insist(call, random)];
  if (random.chance(0.3)) also.push(merchant.insist(capture, random));
  await Promise.all([cancel(id), ...also]);
  await awaitOutcome(client, id);
  await cancel(id);
  await merchant.insist(call, random);
}

/** A charge that may not be answered yet, by the name that its creator gave it. */
async function findByDescription(
  { merchant, random, isClosing }: ChaosClient,
  description: string,
): Promise<string | null> {
  for (let attempt = 0; attempt < 8 && !isClosing(); attempt += 1) {
    const list = await merchant.insist({ endpoint: 'GET /v1/charges?limit=50' }, random, 5_000);
    const found =
      list.status === 200 &&
      readBody<{ data: ChargeResource[] }>(list).data.find((charge) => charge.description === description);
    if (found) return found.id;
    await sleep(random.integer(20, 200));
  }
  return null;
}

/** The charge that an answer is about, if there is one. */
function chargeIn({ status, text }: Exchange): string | null {
  if (status === null) return null;
  const { id, charge } = JSON.parse(text) as { id?: string; charge?: string };
  return id ?? charge ?? null;
}

async function refundInParts(client: ChaosClient): Promise<void> {
  const { merchant, random } = client;
  const token = random.weighted([
    [8, 'tok_visa'],
    [1, 'tok_async'],
    [2, 'tok_refund_fails'],
  ]);
  const made = await charge(client, { payment_method: token });
  const read = made && (await awaitOutcome(client, made.id));
  if (!read || !['succeeded', 'paid'].includes(read.status)) return;
  const refund = (amount?: number): Call => {
    const body = amount === undefined ? {} : { amount };
    const key = random.word();
    if (random.chance(0.5)) return { endpoint: 'POST /v1/refunds', key, body: { charge: read.id, ...body } };
    return { endpoint: 'POST /v1/charges/{id}/refunds', id: read.id, key, body };
  };
  const part = Math.max(1, Math.floor(read.amount / 3));
  const plan = random.weighted([
    [30, [refund(part)]],
    [20, [refund()]],
    // Four thirds: one of them is too many.
    [30, [refund(part), refund(part), refund(part), refund(part)]],
    [10, [refund(read.amount + 1)]],
  ]);
  const answers = await Promise.all(plan.map((call) => merchant.insist(call, random)));
  const regretted = answers.filter(() => random.chance(0.4));
  await Promise.all(regretted.map((answer) => reverse(client, answer)));
}

async function reverse({ merchant, random }: ChaosClient, answer: Exchange): Promise<void> {
  if (answer.status !== 201) return;
  const { id } = readBody<RefundResource>(answer);
  const call = { endpoint: 'POST /v1/refunds/{id}:cancel', id, key: random.word(), body: {} };
  await merchant.insist(call, random);
}

/** The same key: at the same moment, with another body, and at another route. */
async function useKeyAgain({ merchant, random }: ChaosClient): Promise<void> {
  const call: Call = { endpoint: 'POST /v1/charges', key: random.word(), body: newCharge(random) };
  const other: Call = { ...call, body: newCharge(random, { amount: 50_001 }) };
  const twins = Array.from({ length: random.integer(2, 4) }, () => merchant.insist(call, random));
  if (random.chance(0.5)) twins.push(merchant.send(other));
  await Promise.all(twins);
  await merchant.insist(call, random);
  await merchant.send(other);
  if (random.chance(0.3)) {
    await merchant.insist({ ...call, endpoint: 'POST /v1/customers', body: { name: 'Ada' } }, random);
  }
}

async function chargeBatch(client: ChaosClient): Promise<void> {
  const { merchant, random } = client;
  const charges = Array.from({ length: random.integer(3, 25) }, () =>
    newCharge(random, random.chance(0.1) ? { capture_method: 'manual' } : {}),
  );
  const call: Call = { endpoint: 'POST /v1/charge-batches', key: random.word(), body: { charges } };
  const answer = await merchant.insist(call, random);
  if (random.chance(0.3)) await merchant.insist(call, random);
  await followOperation(client, answer);
}

async function exportRows(client: ChaosClient): Promise<void> {
  const { merchant, random } = client;
  const body = {
    resource: random.pick(['charges', 'refunds', 'events']),
    format: random.pick(['csv', 'ndjson']),
  };
  const call: Call = { endpoint: 'POST /v1/exports', key: random.word(), body };
  await followOperation(client, await merchant.insist(call, random));
}

async function followOperation(client: ChaosClient, accepted: Exchange): Promise<void> {
  if (accepted.status !== 202) return;
  const { merchant, random } = client;
  const { id } = readBody<OperationResource>(accepted);
  if (random.chance(0.2)) {
    await sleep(random.integer(0, 1_500));
    const cancel = { endpoint: 'POST /v1/operations/{id}:cancel', id, body: {} };
    await merchant.insist(cancel, random);
  }
  const until = Date.now() + 15_000;
  while (Date.now() < until && !client.isClosing()) {
    const read = await merchant.insist({ endpoint: 'GET /v1/operations/{id}', id }, random, 10_000);
    if (read.status !== 200 || readBody<OperationResource>(read).done) return;
    await sleep(1_000);
  }
}

async function payAsCustomer({ merchant, random }: ChaosClient): Promise<void> {
  const body = { name: `Customer ${random.word()}` };
  const made = await merchant.insist({ endpoint: 'POST /v1/customers', key: random.word(), body }, random);
  if (made.status !== 201) return;
  const customer = readBody<{ id: string }>(made).id;
  const attached = await merchant.insist(
    {
      endpoint: 'POST /v1/customers/{id}:attach-payment-method',
      id: customer,
      key: random.word(),
      body: { token: 'tok_visa' },
    },
    random,
  );
  if (attached.status !== 200 && attached.status !== 201) return;
  const card = readBody<{ id?: string; payment_methods?: { id: string }[] }>(attached);
  const payment_method = card.payment_methods?.[0]?.id ?? card.id;
  await merchant.insist(
    {
      endpoint: 'POST /v1/charges',
      key: random.word(),
      body: newCharge(random, { customer, payment_method }),
    },
    random,
  );
}

/** Asks for a test event, or sends the events of a time again. */
async function useWebhooks(client: ChaosClient): Promise<void> {
  const { merchant, random } = client;
  const list = await merchant.insist({ endpoint: 'GET /v1/webhook-endpoints' }, random);
  if (list.status !== 200) return;
  const endpoints = readBody<{ data: WebhookEndpointResource[] }>(list).data;
  // A journey of its own may delete the others at any time.
  const { id } = random.pick(endpoints.filter(({ description }) => description !== passing));
  if (random.chance(0.6)) {
    const test = { endpoint: 'POST /v1/webhook-endpoints/{id}:test', id, key: random.word(), body: {} };
    await merchant.insist(test, random);
    return;
  }
  const since = new Date(Date.now() - 5_000).toISOString();
  const replay = {
    endpoint: 'POST /v1/webhook-endpoints/{id}:replay',
    id,
    key: random.word(),
    body: { since },
  };
  await followOperation(client, await merchant.insist(replay, random));
}

/** Marks an endpoint that its journey deletes at its end. */
const passing = 'of a journey';

/** An endpoint from its first secret to its end: its secret is rotated, it is disabled and enabled, and deleted. */
async function changeEndpoint({ merchant, random, receivers, isClosing }: ChaosClient): Promise<void> {
  const body = { events: ['*'], description: passing };
  const endpoint = await receivers.register(merchant, { body, failing: 0.2 }, random);
  if (!endpoint) return;
  const { id } = endpoint;
  const patch = (status: string): Call => ({
    endpoint: 'PATCH /v1/webhook-endpoints/{id}',
    id,
    body: { status },
    headers: { 'if-match': '*', 'content-type': 'application/merge-patch+json' },
  });
  const rotate = async () => {
    const call = { endpoint: 'POST /v1/webhook-endpoints/{id}:rotate-secret', id, key: random.word() };
    const answer = await merchant.insist({ ...call, body: { overlap_seconds: 60 } }, random);
    if (answer.status === 200) endpoint.learn(readBody<{ secret: string }>(answer).secret);
  };
  const changes = [
    rotate,
    () => merchant.insist(patch('disabled'), random),
    () => merchant.insist(patch('enabled'), random),
  ];
  for (let left = random.integer(1, 5); left > 0 && !isClosing(); left -= 1) {
    await sleep(random.integer(0, 3_000));
    await random.pick(changes)();
  }
  await merchant.insist({ endpoint: 'DELETE /v1/webhook-endpoints/{id}', id }, random);
}
