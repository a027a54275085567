import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { readLocalStack } from '#admin/context.ts';
import { waitUntilGone } from '#local/processes/processes.ts';
import { eventually } from '../support/eventually.ts';
import { Launcher, listPids, newFolder, processesNaming, runLauncher, type RunFile } from './launcher.ts';

interface Charge {
  id: string;
  status: string;
  amount_captured: number;
  amount_refunded: number;
  next_action: { type: string; url: string } | null;
}

interface StripeEvent {
  pending_webhooks: number;
  data: { object: { metadata: Record<string, string> } };
}

const command = [process.execPath, 'local/start.mjs', 'up'];

describe('PROCESSOR=stripe npm start', () => {
  let folder: string;
  let launcher: Launcher;
  let run: RunFile;
  let token: string;

  before(async () => {
    folder = newFolder();
    await start({ PROCESSOR: 'stripe' });
  });
  after(async () => {
    await launcher.end('SIGTERM');
    await eventually('everything ends', () => processesNaming(folder).length === 0);
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(env: NodeJS.ProcessEnv): Promise<void> {
    launcher = new Launcher(folder, command, env);
    run = await launcher.untilReady();
    const { client_id: id, client_secret: secret } = run.demo;
    const answer = await fetch(`${run.api}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    token = ((await answer.json()) as { access_token: string }).access_token;
  }

  async function send<Body>(path: string, body?: object): Promise<{ status: number; body: Body }> {
    const answer = await fetch(`${run.api}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  }

  const charge = (more: object = {}) =>
    send<Charge>('/v1/charges', { amount: 1999, currency: 'EUR', payment_method: 'tok_visa', ...more });

  /** What Stripe's API of the sandbox answers to the key that the greeting shows. */
  async function askStripe<Body>(path: string): Promise<Body> {
    const key = /^Stripe's key +(\S+)$/m.exec(launcher.output)![1]!;
    const url = /^Stripe's API +(\S+)$/m.exec(launcher.output)![1]!;
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
    return (await answer.json()) as Body;
  }

  function reconcile() {
    const env = readLocalStack(folder);
    const { status, stdout, stderr } = runLauncher(['reconcile', '--settle', '0'], env);
    return { status, said: stdout + stderr };
  }

  it('says that the demo account needs no account anywhere', () => {
    assert.match(launcher.output, /^Processor +prc_\w+: Stripe's dialect of the sandbox/m);
  });

  it('takes a charge, which Stripe’s API shows', async () => {
    const { status, body } = await charge();
    assert.deepEqual([status, body.status], [201, 'succeeded']);
    const { data } = await askStripe<{ data: { amount: number; metadata: { charge?: string } }[] }>(
      '/payment_intents',
    );
    const found = data.find(({ metadata }) => metadata.charge === body.id);
    assert.equal(found?.amount, 1999);
  });

  it('captures a part, and gives a part of it back', async () => {
    const held = await charge({ capture_method: 'manual' });
    assert.deepEqual([held.status, held.body.status], [201, 'requires_capture']);
    const captured = await send<Charge>(`/v1/charges/${held.body.id}:capture`, { amount: 500 });
    assert.deepEqual([captured.status, captured.body.amount_captured], [200, 500]);
    const refund = await send<{ id: string }>('/v1/refunds', { charge: held.body.id, amount: 200 });
    assert.equal(refund.status, 201);
    const now = await eventually('it is refunded', async () => {
      const { body } = await send<Charge>(`/v1/charges/${held.body.id}`);
      return body.amount_refunded === 200 && body;
    });
    assert.equal(now.amount_captured, 500);
  });

  it('declines as the card does', async () => {
    const { status } = await charge({ payment_method: 'tok_insufficient_funds' });
    assert.equal(status, 402);
  });

  it('has the buyer confirm, then takes the money', async () => {
    const asked = await charge({ payment_method: 'tok_3ds', return_url: 'https://shop.example/back' });
    assert.deepEqual([asked.status, asked.body.status], [202, 'requires_action']);
    const page = asked.body.next_action!.url;
    const pressed = await fetch(page, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'confirm' }),
      redirect: 'manual',
    });
    const back = await fetch(pressed.headers.get('location')!, { redirect: 'manual' });
    assert.equal(back.headers.get('location'), `https://shop.example/back?charge=${asked.body.id}`);
    await eventually('it has succeeded', async () => {
      const { body: now } = await send<Charge>(`/v1/charges/${asked.body.id}`);
      return now.status === 'succeeded';
    });
  });

  it('acknowledges the signed event of a late outcome', async () => {
    const { body } = await charge({ payment_method: 'tok_async' });
    await eventually('it has succeeded', async () => {
      const { body: now } = await send<Charge>(`/v1/charges/${body.id}`);
      return now.status === 'succeeded';
    });
    await eventually('its event is acknowledged', async () => {
      const { data } = await askStripe<{ data: StripeEvent[] }>(
        '/events?limit=100&type=payment_intent.succeeded',
      );
      const own = data.find((event) => event.data.object.metadata['charge'] === body.id);
      return own?.pending_webhooks === 0;
    });
  });

  it('reconciles without a difference', () => {
    const { status, said } = reconcile();
    assert.equal(status, 0, said);
  });

  it('goes back to the sandbox’s own dialect without it', async () => {
    const held = await charge({ capture_method: 'manual' });
    await launcher.end('SIGTERM');
    await start({ PROCESSOR: '' });
    assert.doesNotMatch(launcher.output, /Stripe/);
    assert.equal((await charge()).status, 201);
    const captured = await send<Charge>(`/v1/charges/${held.body.id}:capture`, {});
    assert.deepEqual([captured.status, captured.body.amount_captured], [200, 1999]);
    const { status, said } = reconcile();
    assert.equal(status, 0, said);
  });

  it('ends everything when it is killed', async () => {
    const pids = listPids(run);
    await launcher.end('SIGKILL');
    for (const pid of pids) assert.ok(await waitUntilGone(pid, 20_000), `${pid} is left`);
  });

  it('names a processor that it does not have', () => {
    const { status, stderr } = runLauncher(['up'], { PROCESSOR: 'paypal', LOCAL_DIR: newFolder() });
    assert.equal(status, 1);
    assert.match(stderr, /^PROCESSOR is sandbox or stripe, and not paypal$/m);
  });
});
