import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '../../support/eventually.ts';
import { startDialect, webhookSecret, type Dialect } from './dialect.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

describe("Notifications of Stripe's dialect", () => {
  const received: Received[] = [];
  /** Answers that the receiver gives before it acknowledges. */
  const refusals: number[] = [];
  let server: Server;
  let dialect: Dialect;
  before(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers, body });
        response.writeHead(refusals.shift() ?? 204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    dialect = await startDialect({ PROCESSOR_STRIPE_NOTIFY_URL: `http://127.0.0.1:${port}/hooks` });
  });
  after(async () => {
    await dialect.stop();
    server.close();
  });

  function verify({ headers, body }: Received, secret = webhookSecret) {
    return dialect.stripe.webhooks.constructEvent(body, String(headers['stripe-signature']), secret);
  }

  /** The verified events about an object, as they came. */
  const about = (id: string) =>
    received.map((one) => verify(one)).filter(({ data }) => (data.object as { id?: string }).id === id);
  const paidEvents = (id: string) => about(id).filter(({ type }) => type === 'payment_intent.succeeded');

  it("are verified by the SDK's constructEvent", async () => {
    const paid = await dialect.pay();
    await eventually('the event', () => paidEvents(paid.id).length === 1);
    const [event] = paidEvents(paid.id);
    assert.equal(event!.livemode, false);
    assert.throws(() => verify(received.at(-1)!, 'whsec_another_secret'), /signature/);
    const changed = { ...received.at(-1)!, body: received.at(-1)!.body.replace('{', '{ ') };
    assert.throws(() => verify(changed), /signature/);
  });

  it('name the object as the listing of events does', async () => {
    const paid = await dialect.pay();
    await eventually('the event', () => paidEvents(paid.id).length === 1);
    const [event] = paidEvents(paid.id);
    const listed = await dialect.stripe.events.retrieve(event!.id);
    assert.deepEqual(listed.data.object, event!.data.object);
    await eventually('it is acknowledged', async () => {
      return (await dialect.stripe.events.retrieve(event!.id)).pending_webhooks === 0;
    });
  });

  it('are sent again until they are acknowledged', async () => {
    refusals.push(500, 500, 500, 500, 500);
    const paid = await dialect.pay();
    await eventually('the event', () => paidEvents(paid.id).length > 1);
    assert.equal(new Set(paidEvents(paid.id).map(({ id }) => id)).size, 1, 'under one id');
  });

  it('come twice, or never, as the token says', async () => {
    const [twice, silent] = [await dialect.pay('tok_async_twice'), await dialect.pay('tok_async_silent')];
    await eventually('the second event', () => paidEvents(twice.id).length === 2);
    await eventually('the silent one is paid', async () => {
      return (await dialect.stripe.paymentIntents.retrieve(silent.id)).status === 'succeeded';
    });
    assert.deepEqual(paidEvents(silent.id), []);
  });

  it('tell of a refund that fails later', async () => {
    const paid = await dialect.pay('tok_refund_fails_later');
    const refund = await dialect.stripe.refunds.create({ payment_intent: paid.id });
    await eventually('the event', () => about(refund.id).some(({ type }) => type === 'refund.failed'));
  });
});
