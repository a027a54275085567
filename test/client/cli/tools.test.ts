import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { endpointEvents, recipes } from '#client/cli/tools/recipes.ts';
import { makeLive } from '../../support/resources/live-account.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { createWebhookEndpoint } from '../../support/resources/webhook-endpoints.ts';
import { environment } from '../../support/stack/environment.ts';
import { startReceiver, type Received, type Receiver } from '../../support/stack/outside/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { openShell, signedIn, type Shell } from './command.ts';

const webhookSecret = `whsec_${Buffer.from('a secret of the command line tests').toString('base64')}`;

interface Event {
  id: string;
  type: string;
  sequence: number;
  data: { object: { id: string } };
}

/** All of them: `TRIGGER_ALL=1 npm test -- test/client/cli/tools.test.ts`; `PROCESSOR=stripe` asks buyers too. */
const triggered = process.env['TRIGGER_ALL']
  ? [...Object.keys(recipes), ...endpointEvents].filter(
      (type) => process.env['PROCESSOR'] === 'stripe' || type !== 'charge.requires_action',
    )
  : ['charge.failed', 'refund.reversed', 'operation.succeeded', 'customer.deleted', 'endpoint.test'];

/** The tools of `payments`, each a process over the real stack. */
describe('The tools of the command line', () => {
  let merchant: Merchant;
  let shell: Shell;
  let receiver: Receiver;
  before(async () => {
    merchant = await createMerchant();
    shell = openShell({ ...(await signedIn(merchant)), PAYMENTS_WEBHOOK_SECRET: webhookSecret });
    receiver = await startReceiver();
  });
  after(async () => {
    await receiver.close();
    await shell.remove();
  });

  describe('trigger', () => {
    for (const type of triggered)
      it(`makes a real ${type}`, async () => {
        const event = await shell.json<Event & Record<string, unknown>>('trigger', type);
        assert.equal(event.type, type);
        const { body } = await merchant.get<Event>(`/v1/events/${event.id}`);
        assert.deepEqual(body.data.object.id, event.data.object.id);
      });

    it('says why nobody can cause an event', async () => {
      const { code, stderr } = await shell.run(['trigger', 'refund.settled']);
      assert.equal(code, 2);
      assert.match(stderr, /cannot be triggered. A refund settles by itself/);
    });
  });

  describe('listen', () => {
    it('forwards new events, signed, and shows the answers', async () => {
      const child = shell.start(['listen', '--forward-to', `${receiver.url}/listen`]);
      let shown = '';
      child.stdout?.on('data', (chunk: Buffer) => (shown += chunk.toString()));
      let notes = '';
      child.stderr?.on('data', (chunk: Buffer) => (notes += chunk.toString()));
      try {
        await eventually('it listens', () => notes.includes('Listening'));
        const { body: charge } = await merchant.charge();
        const [came] = await eventually(
          'the event',
          () => receiver.at('/listen').length > 0 && receiver.at('/listen'),
        );
        const event = verify(came) as Event;
        assert.deepEqual([event.type, event.data.object.id], ['charge.succeeded', charge.id]);
        await eventually('the answer is shown', () => /charge\.succeeded .* 204 {2}\d+ ms/.test(shown));
        assert.doesNotMatch(shown + notes, /whsec_/);
      } finally {
        child.kill();
      }
    });
  });

  it('replay posts an event to a receiver once more', async () => {
    await merchant.charge();
    const { body: list } = await merchant.get<{ data: Event[] }>('/v1/events?limit=1');
    const { code } = await shell.run(['replay', list.data[0]!.id, '--forward-to', `${receiver.url}/replay`]);
    assert.equal(code, 0);
    assert.deepEqual(verify(receiver.at('/replay')[0]), list.data[0]);
  });

  it('replay sends an event to its endpoints once more', async () => {
    await createWebhookEndpoint(merchant, { url: `${receiver.url}/again`, events: ['customer.*'] });
    const { body: customer } = await merchant.send<{ id: string }>('POST', '/v1/customers', { name: 'Ada' });
    const [came] = await eventually(
      'the event',
      () => receiver.at('/again').length > 0 && receiver.at('/again'),
    );
    const id = String(came?.headers['webhook-id']);
    const { code, stderr } = await shell.run(['replay', id]);
    assert.equal(code, 0, stderr);
    await eventually('it comes again', () => receiver.at('/again').length === 2);
    assert.deepEqual(
      receiver.at('/again').map(({ body }) => (JSON.parse(body) as Event).data.object.id),
      [customer.id, customer.id],
    );
  });

  it('logs tail shows each refusal as it comes', async () => {
    const child = shell.start(['logs', 'tail', '--failed']);
    let shown = '';
    child.stdout?.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    try {
      const before = await merchant.charge({ payment_method: 'tok_declined' });
      await eventually('the first is shown', () => shown.includes(before.headers.get('trace-id') ?? '-'));
      const { headers } = await merchant.charge({ payment_method: 'tok_lost_card' });
      const trace = headers.get('trace-id') ?? '-';
      await eventually('the next is shown', () => shown.includes(trace));
      const [line, ...again] = shown.split('\n').filter((text) => text.includes(trace));
      assert.match(line ?? '', /402 {2}POST {4}\/v1\/charges {2}card_declined/);
      assert.deepEqual(again, []);
    } finally {
      child.kill();
    }
  });

  describe('with a live account', () => {
    let live: Shell;
    let undo: () => Promise<void>;
    before(async () => {
      const account = await createMerchant();
      undo = await makeLive((await environment()).db, account.accountId);
      live = openShell(await signedIn(account));
    });
    after(async () => {
      await live.remove();
      await undo();
    });

    it('doctor warns of a local address', async () => {
      const { stdout } = await live.run(['doctor', '--no-endpoints']);
      assert.match(stdout, /^warning +mode +Live: .* real money, and 127\.0\.0\.1 is an address for dev/m);
    });

    it('trigger refuses to send anything', async () => {
      const { code, stderr } = await live.run(['trigger', 'charge.failed', '--test-account']);
      assert.equal(code, 2);
      assert.match(stderr, /of a live account: this would move real money/);
    });
  });

  it('doctor tests endpoints, and finds a receiver without signatures', async () => {
    const endpoint = await createWebhookEndpoint(merchant, { url: `${receiver.url}/endpoint` });
    const { code, stdout } = await shell.run(['doctor', '--webhook', `${receiver.url}/doctor`]);
    assert.match(stdout, new RegExp(`^ok +webhook ${endpoint.id} +.*/endpoint took a test event$`, 'm'));
    assert.equal(code, 1);
    assert.match(stdout, /^ok +service .* is ready/m);
    assert.match(stdout, /^ok +clock +The clocks agree$/m);
    assert.match(stdout, /^ok +mode +Test: no charge of this account moves real money$/m);
    assert.match(stdout, /^ok +scopes +The client has every scope$/m);
    assert.match(stdout, /^wrong +receiver signature +.*takes an event that anybody could have sent/m);
  });
});

function verify(came: Received | undefined): unknown {
  assert.ok(came);
  return new Webhook(webhookSecret).verify(came.body, came.headers as Record<string, string>);
}
