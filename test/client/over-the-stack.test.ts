import assert from 'node:assert/strict';
import { CardDeclinedError, InvalidRequestError, Payments, type Event } from '#client/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { environment } from '../support/stack/environment.ts';
import { startReceiver, type Receiver } from '../support/stack/outside/receiver.ts';

const newCharge = { amount: 1999, currency: 'EUR', payment_method: 'tok_visa' } as const;

describe('The client, over the real stack', () => {
  let baseUrl: string;
  let merchant: Merchant;
  let client: Payments;
  let receiver: Receiver;

  before(async () => {
    baseUrl = (await environment()).stack.apiUrl;
    merchant = await createMerchant();
    client = new Payments({ baseUrl, accessToken: merchant.token });
    receiver = await startReceiver();
  });
  after(() => receiver?.close());

  it('takes a payment once, whatever is repeated', async () => {
    const pay = () => client.charges.create(newCharge, { idempotencyKey: 'order-1' }).answer();
    const [first, second] = [await pay(), await pay()];
    assert.deepEqual([first.body.status, first.body.amount_captured], ['succeeded', 1999]);
    assert.deepEqual([second.body.id, second.headers.isReplay], [first.body.id, true]);
    assert.equal(first.headers.location, `/v1/charges/${first.body.id}`);
  });

  it('tells a decline with its code and charge', async () => {
    const failed = client.charges.create({ ...newCharge, payment_method: 'tok_declined' });
    await assert.rejects(failed, (error) => {
      assert.ok(error instanceof CardDeclinedError);
      assert.match(error.charge ?? '', /^ch_/);
      assert.match(error.declineCode ?? '', /^[a-z_]+$/);
      assert.match(error.traceId ?? '', /^[\da-f]{32}$/);
      return true;
    });
  });

  it('names the member of a body that is wrong', async () => {
    await assert.rejects(client.charges.create({ ...newCharge, amount: 0 }), (error) => {
      assert.ok(error instanceof InvalidRequestError);
      assert.equal(error.param, 'amount');
      assert.match(error.message, /422 validation_failed: amount must be /);
      return true;
    });
  });

  it('walks a list over all its pages', async () => {
    const own = await createMerchant();
    const lister = new Payments({ baseUrl, accessToken: own.token });
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.unshift((await lister.charges.create(newCharge)).id);
    const walked: string[] = [];
    for await (const { id } of lister.charges.list({ limit: 2 })) walked.push(id);
    assert.deepEqual(walked, made);
  });

  it('changes a customer only as it was read', async () => {
    const { id } = await client.customers.create({ name: 'Ada' });
    const { headers } = await client.customers.get(id).answer();
    const ifMatch = headers.etag ?? '';
    assert.equal(
      (await client.customers.update(id, { name: 'Ada Lovelace' }, { ifMatch })).name,
      'Ada Lovelace',
    );
    await assert.rejects(client.customers.update(id, { name: 'Nobody' }, { ifMatch }), {
      name: 'ConflictError',
    });
    await client.customers.delete(id);
    await assert.rejects(client.customers.get(id), { name: 'NotFoundError', code: 'customer_deleted' });
  });

  it('downloads an export whose connection is cut midway', async () => {
    const ranges: (string | null)[] = [];
    // The first answer with the file ends after 100 bytes, as a lost connection does.
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const answer = await globalThis.fetch(url, init);
      if (!answer.url.includes('/result')) return answer;
      ranges.push(new Headers(init?.headers).get('range'));
      return ranges.length > 1
        ? answer
        : new Response(cut(new Uint8Array(await answer.arrayBuffer()), 100), answer);
    };
    const cutting = new Payments({ baseUrl, accessToken: merchant.token, fetch });
    const states: string[] = [];
    const begun = await cutting.exports.create({ resource: 'charges', format: 'ndjson' });
    const done = await cutting.operations.wait(begun, {
      onProgress: ({ status }) => void states.push(status),
    });
    assert.equal(done.status, 'succeeded');
    assert.equal(states.at(-1), 'succeeded');
    const lines = (await (await cutting.exports.download(done)).text()).trimEnd().split('\n');
    assert.ok(lines.length >= 2);
    for (const line of lines) assert.equal((JSON.parse(line) as { object: string }).object, 'charge');
    assert.deepEqual(ranges, [null, 'bytes=100-']);
  });

  it('unwraps the delivery of an event', async () => {
    const url = `${receiver.url}/webhooks`;
    const endpoint = await client.webhookEndpoints.create({ url, events: ['charge.succeeded'] });
    const { id } = await client.charges.create(newCharge);
    const delivery = await eventually('the delivery comes', () => Promise.resolve(receiver.received[0]));
    const event: Event = client.webhooks.unwrap(delivery.body, delivery.headers, endpoint.secret);
    if (event.type !== 'charge.succeeded') throw new Error(`It is ${event.type}`);
    assert.deepEqual([event.data.object.id, event.data.object.amount], [id, newCharge.amount]);
    const changed = delivery.body.replace(id, 'ch_other');
    assert.throws(() => client.webhooks.unwrap(changed, delivery.headers, endpoint.secret), {
      name: 'WebhookSignatureError',
    });
  });
});

function cut(bytes: Uint8Array, after: number): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new TypeError('terminated'));
      else controller.enqueue(bytes.subarray(0, after));
      isSent = true;
    },
  });
}
