import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '#db/migrate.ts';
import { startPostgres } from '#local/postgres/postgres.ts';
import { freePort } from '#local/processes/ports.ts';
import { startStack, type Part, type Stack } from '#local/stack.ts';
import { placeBundle } from '../support/bundle.ts';
import { eventually } from '../support/eventually.ts';
import { assertInvariants } from '../support/invariants/invariants.ts';
import { startChargeLoad } from '../support/resources/charge-load.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { startBalancer, untilReady } from '../support/stack/outside/balancer.ts';
import { connectTo, type Environment } from '../support/stack/environment.ts';
import { startReceiver, type Receiver } from '../support/stack/outside/receiver.ts';
import { ReleaseError, type Release } from './checkout.ts';

const run = promisify(execFile);

const settings = {
  RATE_LIMIT_RPS: '100000',
  RATE_LIMIT_BURST: '100000',
  // Longer than the balancer's probe takes to see it.
  SHUTDOWN_DRAIN_MS: '1000',
};
/** Authorizations that are open while all is replaced. */
const openCharges = 10;

export interface Upgraded {
  /** How many answers of each kind the load had, such as `POST 201`. */
  answers: Map<string, number>;
  seconds: number;
}

/**
 * Upgrades two APIs and two workers from a release to this one, as the documents say: migrations, then the workers one by
 * one, then the APIs. Meanwhile clients charge and read, and authorizations are open.
 *
 * @throws {AssertionError} for an answer that is no success, a broken connection, an authorization that cannot be captured,
 * an event that its receiver never got, or a broken invariant.
 */
export async function upgrade(from: Release, log: (line: string) => void): Promise<Upgraded> {
  const folder = mkdtempSync(join(tmpdir(), 'payments-upgrade-'));
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    port: await freePort(),
    logFile: join(folder, 'postgres.log'),
    log,
  });
  const receiver = await startReceiver();
  const localDir = join(folder, 'stack');
  await placeBundle(localDir);
  let stack: Stack | undefined;
  let env: (Environment & { stop(): Promise<void> }) | undefined;
  try {
    log(`Release ${from.commit.slice(0, 7)}: migrations, workers and APIs …`);
    await migrateBy(from, postgres.url);
    stack = await startStack({
      localDir,
      parts: ['temporal', 'processor', 'worker', 'api'],
      restart: false,
      env: { ...process.env, ...settings, DATABASE_URL: postgres.url, PROGRAMS: from.programs },
    });
    env = await connectTo(stack);
    const second = { worker: await stack.addWorker(), api: await stack.addApi() };
    const processes = {
      workers: [stack.part('worker'), second.worker],
      apis: [{ part: stack.part('api'), url: stack.apiUrl }, second.api],
    };
    return await upgradeUnderLoad(env, { processes, receiver }, log);
  } finally {
    await env?.stop();
    await stack?.stop();
    await receiver.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Migrates with the release, which must have the schema that migrations go forward from. */
async function migrateBy(release: Release, url: string): Promise<void> {
  if (!existsSync(join(release.root, 'db/schema')))
    throw new ReleaseError(`${release.commit.slice(0, 7)} is from before 1.0.0: its databases are made anew`);
  const ask = "import('./db/migrate.ts').then((m) => m.migrate(process.env.DATABASE_URL))";
  const env = { ...process.env, DATABASE_URL: url };
  await run(process.execPath, ['--import', 'tsx', '--eval', ask], { cwd: release.root, env });
}

interface Processes {
  workers: Part[];
  apis: { part: Part; url: string }[];
}

async function upgradeUnderLoad(
  env: Environment,
  given: { processes: Processes; receiver: Receiver },
  log: (line: string) => void,
): Promise<Upgraded> {
  const { workers, apis } = given.processes;
  const balancer = await startBalancer(apis.map(({ url }) => url));
  const began = Date.now();
  try {
    const merchant = await createMerchant({}, undefined, env);
    const { token } = merchant;
    const endpoint = { url: given.receiver.url, events: ['charge.succeeded'] };
    await post(apis[0]!.url, token, '/v1/webhook-endpoints', endpoint);
    const open = await authorize(apis[0]!.url, token);
    const load = startChargeLoad(balancer.url, token);
    await load.goesOn('before');

    log('Migrations of this release …');
    await migrate(env.stack.databaseUrl);
    await load.goesOn('after the migrations');
    env.stack.changeSettings({ PROGRAMS: '' });
    for (const [n, worker] of workers.entries()) {
      log(`Worker ${n + 1} of ${workers.length} …`);
      await worker.restart();
      await load.goesOn('after a worker came back');
    }
    for (const [n, { part, url }] of apis.entries()) {
      log(`API ${n + 1} of ${apis.length} …`);
      await part.restart();
      await untilReady(url);
      await load.goesOn('after an API came back');
    }
    const { answers, faults } = await load.stop();
    assert.deepEqual(faults, []);
    const seconds = (Date.now() - began) / 1_000;

    log('Authorizations of the release before are captured, and events compared …');
    for (const id of open) await post(apis[0]!.url, token, `/v1/charges/${id}:capture`, {});
    await assertDelivered(env, merchant, given.receiver);
    await assertInvariants(env, { accountIds: [merchant.accountId] });
    return { answers, seconds };
  } finally {
    await balancer.close();
  }
}

/** Posts as a client of either release: its answers are not held against the document of this one. */
async function post(url: string, token: string, path: string, body: object): Promise<{ id: string }> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  assert.ok(answer.ok, `${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as { id: string };
}

async function authorize(url: string, token: string): Promise<string[]> {
  const charge = { amount: 1000, currency: 'EUR', payment_method: 'tok_visa', capture_method: 'manual' };
  const made = await Promise.all(
    Array.from({ length: openCharges }, () => post(url, token, '/v1/charges', charge)),
  );
  return made.map(({ id }) => id);
}

/** Each event of the account came at least once. */
async function assertDelivered(
  { db }: Environment,
  { accountId }: Merchant,
  { received }: Receiver,
): Promise<void> {
  const ids: string[] = await db('events')
    .where({ account_id: accountId, type: 'charge.succeeded' })
    .pluck('id');
  assert.ok(ids.length > 0);
  await eventually('each event has come', () => {
    const all = received.map(({ body }) => body).join('\n');
    return ids.every((id) => all.includes(id));
  });
}
