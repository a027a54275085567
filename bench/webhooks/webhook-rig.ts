import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { generate } from 'selfsigned';
import { Waker } from '#webhooks/wake.ts';
import { readConfig } from '#startup/config.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { endpointStart, signalRun } from '#temporal/client/starts.ts';
import { wakeSignal } from '#temporal/messages.ts';
import type { BenchmarkContext } from '../rig/benchmark.ts';
import { ask, startChild, type BenchChild } from '../rig/children.ts';
import { startBenchStack, type BenchStack } from '../rig/stack.ts';
import type { ReceiverOrder, ReceiverPorts } from './webhook-receiver.ts';

/** Everything that deliveries are measured with. */
export interface WebhookRig extends Receiver {
  stack: BenchStack;
  /** Whoever announces deliveries on it has their endpoints woken, as in the API. */
  db: Database;
  /** For statements that take long. */
  sql: pg.Client;
  temporal: Client;
  bare: BenchChild;
  /** Starts another receiver, which ends with the rig. */
  startReceiver(): Promise<Receiver>;
  stop(): Promise<void>;
}

export interface Receiver {
  receiver: BenchChild;
  /** Where it listens; `https` with a certificate that worker and bare loop trust. */
  urls: Record<'http' | 'https', string>;
}

/** Limits are on, and too wide to be met: they are not what is measured. */
const settings = { RATE_LIMIT_RPS: '1000000', RATE_LIMIT_BURST: '1000000', MAX_WRITES_IN_FLIGHT: '10000' };

/**
 * Brings up a stack, a receiver, and a bare loop.
 *
 * @throws {LauncherError} one line that says what to do.
 */
export async function startWebhookRig(context: BenchmarkContext): Promise<WebhookRig> {
  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), 'bench-webhooks-'));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    const certificate = await createCertificate();
    const trusted = { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
    writeFileSync(trusted.NODE_EXTRA_CA_CERTS, certificate.cert);
    const stack = await startBenchStack(context, { ...settings, ...trusted });
    undo.push(() => stack.stop());
    const child = async (entry: string) => {
      const env = { ...process.env, ...trusted, DATABASE_URL: stack.databaseUrl };
      const started = await startChild(entry, env);
      context.signal.addEventListener('abort', () => void started.stop());
      undo.push(() => started.stop());
      return started;
    };
    const startReceiver = async () => {
      const receiver = await child('webhooks/webhook-receiver.ts');
      const order = { order: 'open', certificate } satisfies ReceiverOrder;
      const { http, https } = await ask<ReceiverPorts>(receiver, order);
      return { receiver, urls: { http: `http://127.0.0.1:${http}`, https: `https://localhost:${https}` } };
    };
    const [first, bare] = [await startReceiver(), await child('webhooks/bare-sender.ts')];
    return { stack, ...first, startReceiver, bare, stop, ...(await connect(stack, context, undo)) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createCertificate(): Promise<{ key: string; cert: string }> {
  const extensions = [
    { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    { name: 'basicConstraints', cA: true },
  ] as never;
  const made = await generate([{ name: 'commonName', value: 'localhost' }], { extensions });
  return { key: made.private, cert: made.cert };
}

async function connect(
  stack: BenchStack,
  { say }: BenchmarkContext,
  undo: (() => unknown)[],
): Promise<Pick<WebhookRig, 'db' | 'sql' | 'temporal'>> {
  const db = createDatabase(stack.databaseUrl, 4);
  undo.push(() => db.destroy());
  const sql = new pg.Client({ connectionString: stack.databaseUrl });
  await sql.connect();
  undo.push(() => sql.end());
  const connection = await Connection.connect({ address: stack.temporalAddress });
  undo.push(() => connection.close());
  const temporal = new Client({ connection, namespace: stack.temporalNamespace });
  const { taskQueues } = readConfig(stack.env).temporal;
  const wake = (id: string) => signalRun({ client: temporal, taskQueues }, endpointStart(id), wakeSignal);
  const waker = new Waker({ db, log: { warn: say, error: say }, wake });
  undo.push(() => waker.close());
  return { db, sql, temporal };
}
