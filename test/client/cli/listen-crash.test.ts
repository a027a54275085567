import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { seedEvents } from '../../support/resources/seed-events.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { startReceiver, type Receiver } from '../../support/stack/outside/receiver.ts';
import { restore } from '../../support/stack/stages.ts';
import { openShell, signedIn, type Shell } from './command.ts';

/** The whole run: `LISTEN_EVENTS=10000 LISTEN_KILLS=20 npm test -- test/client/cli/listen-crash.test.ts`. */
const events = Number(process.env['LISTEN_EVENTS'] ?? 600);
const kills = Number(process.env['LISTEN_KILLS'] ?? 3);
/** Made by real charges, while the listener runs. */
const charged = Math.min(50, Math.floor(events / 20));

const webhookSecret = `whsec_${Buffer.from('a secret of the listening tests!').toString('base64')}`;

describe('payments listen, killed again and again', () => {
  let env: Environment;
  let merchant: Merchant;
  let receiver: Receiver;
  let shell: Shell;
  let listener: ChildProcess | null = null;
  /** The sequences in the order in which they came, each signed rightly. */
  const came: number[] = [];

  before(async () => {
    env = await environment();
    merchant = await createMerchant();
    await seedEvents(env, merchant.accountId, events - charged);
    receiver = await startReceiver();
    const webhook = new Webhook(webhookSecret);
    receiver.answer(({ body, headers }, response) => {
      const event = webhook.verify(body, headers as Record<string, string>) as { sequence: number };
      came.push(event.sequence);
      response.writeHead(204).end();
    });
    shell = openShell({ ...(await signedIn(merchant)), PAYMENTS_WEBHOOK_SECRET: webhookSecret });
  });
  afterEach(() => restore(env));
  after(async () => {
    listener?.kill('SIGKILL');
    await receiver.close();
    await shell.remove();
  });

  const listen = (...more: string[]) => {
    listener = shell.start(['listen', '--forward-to', receiver.url, ...more]);
    listener.stdout?.resume();
    listener.stderr?.resume();
  };
  const newest = () => came.reduce((most, sequence) => Math.max(most, sequence), 0);

  async function killAt(sequence: number): Promise<void> {
    await eventually(`event ${sequence} has come`, () => newest() >= sequence);
    const gone = once(listener as ChildProcess, 'exit');
    listener?.kill('SIGKILL');
    await Promise.all([gone, env.stack.part('api').kill()]);
    // It comes back before the API does, and waits for it.
    listen();
    await env.stack.part('api').start();
  }

  it(`forwards ${events} events at least once, in order`, async function () {
    this.timeout(600_000);
    const began = performance.now();
    listen('--after', '0');
    for (let kill = 1; kill <= kills; kill += 1)
      await killAt(Math.floor((kill * (events - charged)) / (kills + 1)));
    for (let made = 0; made < charged; made += 1) assert.equal((await merchant.charge()).status, 201);
    await eventually('every event has come', () => newest() >= events, 240_000);

    assert.deepEqual(
      [...new Set(came)],
      Array.from({ length: events }, (_, index) => index + 1),
    );
    const twice = came.length - events;
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    console.log(
      `    ${events} events, ${kills} kills of listener and API: ${twice} came twice, ${seconds} s`,
    );
  });
});
