import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import type { RefundResource } from '#domain/refunds.ts';
import type { Role } from '#domain/roles.ts';
import { eventually } from '../support/eventually.ts';
import { createReader, findLink, type PageReader } from '../support/page-reader.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { subscribe } from '../support/resources/subscriptions.ts';
import { findSealed, sharedConsole } from '../support/stack/console.ts';
import { environment } from '../support/stack/environment.ts';
import { takePicture } from '../support/pictures.ts';
import { accept, startReceiver } from '../support/stack/outside/receiver.ts';

/** What people come to the console for, from link to link, as a browser without scripts follows them. */
describe('With the console', () => {
  let url: string;
  let merchant: Merchant;
  before(async () => {
    ({ url } = await sharedConsole());
    merchant = await createMerchant();
    const { db } = await environment();
    await db('accounts').where('id', merchant.accountId).update({ name: 'Corner shop' });
  });

  async function signIn(role: Role, name: string): Promise<PageReader> {
    const console = await sharedConsole();
    return createReader(await console.signIn({ accountId: merchant.accountId, role, name }));
  }

  it('support finds an order, refunds it once, and exports it', async () => {
    const ana = await signIn('support', 'Ana');
    const reference = `order-${randomUUID().slice(0, 8)}`;
    const { body: charge } = await merchant.charge({ amount: 1999, reference, description: 'Two mugs' });
    const found = await ana.post('/search', { q: reference });
    assert.deepEqual([found.status, found.location], [303, `/payments/${charge.id}`]);
    const payment = await ana.get(`/payments/${charge.id}`);
    assert.match(payment.text, /19\.99 EUR/);

    const path = findLink(payment, 'Refund…');
    const preview = await ana.preview(path, { amount: '5.00' });
    assert.match(preview.text, /14\.99 EUR can be refunded after this\..*Refund 5\.00 EUR/);
    await takePicture('refund', url, preview.html);
    const form = { amount: '5.00', sealed: findSealed(preview.html), step: 'send' };
    const clicks = await Promise.all([ana.post(path, form), ana.post(path, form)]);
    assert.ok(clicks.some(({ location }) => location?.startsWith('/refunds/re_')));
    const { body: refunds } = await merchant.get<{ data: RefundResource[] }>(
      `/v1/refunds?charge=${charge.id}`,
    );
    assert.deepEqual(
      refunds.data.map(({ amount }) => amount),
      [500],
    );
    const refunded = await ana.get(`/payments/${charge.id}`);
    assert.match(refunded.text, /14\.99 EUR/);
    await takePicture('payment', url, refunded.html);

    const list = await ana.get(`/payments?reference=${reference}`);
    await takePicture('payments', url, list.html);
    const [exportPath = '', query] = findLink(list, 'Export these…').split('?');
    const asked = await ana.act(exportPath, {
      ...Object.fromEntries(new URLSearchParams(query)),
      format: 'csv',
    });
    const operation = await eventually('the export is done', async () => {
      const page = await ana.get(asked.location ?? '');
      return page.text.includes('SHA-256') && page;
    });
    await takePicture('export', url, operation.html);
    const { html: file } = await ana.get(findLink(operation, 'Download'));
    assert.equal(createHash('sha256').update(file).digest('hex'), /[0-9a-f]{64}/.exec(operation.text)?.[0]);
    assert.equal(file.trim().split('\n').length, 2);
    assert.ok(file.includes(charge.id));
  });

  it('a developer finds out why a request was refused', async () => {
    const ben = await signIn('developer', 'Ben');
    const refused = await merchant.charge({ amount: -5 });
    assert.equal(refused.status, 422);
    const trace = String(refused.headers.get('trace-id'));
    const isLogged = async () => (await merchant.get(`/v1/requests/${trace}`)).status === 200;
    await eventually('the request is in the log', isLogged);
    const { location } = await ben.post('/search', { q: trace });
    assert.equal(location, `/requests/${trace}`);
    assert.match((await ben.get(location)).text, /validation_failed.*\/amount/);
  });

  it('a developer mends a failing endpoint, and replays the event', async () => {
    const ben = await signIn('developer', 'Ben');
    const receiver = await startReceiver();
    try {
      const endpoint = await subscribe(merchant, receiver, { events: ['charge.*'] });
      receiver.answer(
        (_received, response) => void response.writeHead(500).end('no room left on disk'),
        endpoint.path,
      );
      await merchant.charge();
      await eventually('it was tried', () => endpoint.raw().length > 0);

      const list = await ben.get('/webhooks');
      const failing = await eventually('the page says that it fails', async () => {
        const page = await ben.get(findLink(list, receiver.url + endpoint.path));
        return page.text.includes('It has failed for') && page;
      });
      await takePicture('endpoint', url, failing.html);
      const [, deliveries = ''] = failing.html.split('id="deliveries"');
      const delivery = await ben.get(findLink({ html: deliveries }, 'charge.succeeded'));
      assert.match(delivery.text, /no room left on disk/);
      await takePicture('delivery', url, delivery.html);

      receiver.answer(accept, endpoint.path);
      const path = findLink(delivery, 'Replay…');
      const preview = await ben.get(path);
      assert.match(preview.text, /It keeps its id.*Send it again/);
      const sent = await ben.post(path, { sealed: findSealed(preview.html), step: 'send' });
      assert.match(sent.location ?? '', /^\/webhooks\/deliveries\/wd_/);
      await eventually('it is delivered', async () =>
        (await ben.get(sent.location ?? '')).text.includes('HTTP 204, delivered'),
      );
    } finally {
      await receiver.close();
    }
  });
});
