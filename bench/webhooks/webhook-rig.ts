import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { generate } from 'selfsigned';
import { Waker } from '#webhooks/wake.ts';
import type { Database } from '#db/knex.ts';
import type { Stack } from '#local/stack.ts';
import { endpointStart, wakeRun } from '#temporal/client/starts.ts';
import type { BenchmarkContext } from '../rig/benchmark.ts';
import { ask, type BenchChild } from '../rig/children.ts';
import { raisedLimits, withStack, type Bench } from '../rig/stack.ts';
import type { ReceiverOrder, ReceiverPorts } from './webhook-receiver.ts';

/** Everything that deliveries are measured with. */
export interface WebhookRig extends Receiver {
  stack: Stack;
  /** A process that announces deliveries on it has their endpoints woken, as in the API. */
  db: Database;
  /** For statements that take long. */
  sql: pg.Client;
  temporal: Client;
  bare: BenchChild;
  /** Starts another receiver, which ends with the rig. */
  startReceiver(): Promise<Receiver>;
}

export interface Receiver {
  receiver: BenchChild;
  /** Where it listens; `https` with a certificate that worker and bare loop trust. */
  urls: Record<'http' | 'https', string>;
}

/**
 * Brings up a stack, a receiver, and a bare loop.
 *
 * @throws {LauncherError} one line that says what to do.
 */
export async function withWebhookRig<Result>(
  context: BenchmarkContext,
  work: (rig: WebhookRig) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-webhooks-'));
  try {
    const certificate = await createCertificate();
    const trusted = { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
    writeFileSync(trusted.NODE_EXTRA_CA_CERTS, certificate.cert);
    return await withStack(context, { ...raisedLimits, ...trusted }, async (bench) => {
      const env = { ...process.env, ...trusted, DATABASE_URL: bench.stack.databaseUrl };
      const startReceiver = async (): Promise<Receiver> => {
        const receiver = await bench.startChild('webhooks/webhook-receiver.ts', env);
        const order = { order: 'open', certificate } satisfies ReceiverOrder;
        const { http, https } = await ask<ReceiverPorts>(receiver, order);
        return { receiver, urls: { http: `http://127.0.0.1:${http}`, https: `https://localhost:${https}` } };
      };
      return work({
        stack: bench.stack,
        ...(await startReceiver()),
        startReceiver,
        bare: await bench.startChild('webhooks/bare-sender.ts', env),
        ...(await connect(bench, context)),
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
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
  { stack, openDatabase, onEnd }: Bench,
  { say }: BenchmarkContext,
): Promise<Pick<WebhookRig, 'db' | 'sql' | 'temporal'>> {
  const db = openDatabase(4);
  const sql = new pg.Client({ connectionString: stack.databaseUrl });
  await sql.connect();
  onEnd(() => sql.end());
  const connection = await Connection.connect({ address: stack.temporalAddress });
  onEnd(() => connection.close());
  const temporal = new Client({ connection, namespace: stack.temporalNamespace });
  const wake = (id: string) => wakeRun({ client: temporal }, endpointStart(id));
  const waker = new Waker({ db, log: { warn: say, error: say }, wake });
  onEnd(() => waker.close());
  return { db, sql, temporal };
}
