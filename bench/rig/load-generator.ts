import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { Pool } from 'undici';
import { bareOutcome, bareTaskQueue } from '../charges/bare-contract.ts';
import type { bare } from '../charges/bare-workflows.ts';
import { driveLoad, type Load, type Measured } from './closed-loop.ts';

/** The process that makes the calls, told over its channel what to do; it ends with its parent. */

export type Target = 'bare' | 'charges';

export interface LoadOrder {
  target: Target;
  load: Load;
  /** The bearer token of the charges. */
  token: string;
}

export interface LoadResult extends Measured {
  /** Charges that the API turned away, and that were sent again. */
  turnedAway: number;
}

export type LoadReport = { edge: 'open' | 'close' } | { result: LoadResult } | { fault: string };

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

const report = (message: LoadReport) => process.send?.(message);

const pool = new Pool(setting('BENCH_API_URL'), { connections: 128, pipelining: 1 });
const body = JSON.stringify({
  amount: 1_999,
  currency: 'EUR',
  payment_method: 'tok_visa',
  description: 'Order 6735',
  metadata: { order: '6735' },
});

/** Of the order under way. */
let turnedAway = 0;

/** One charge, sent again with its key as long as the answer is that nothing happened. */
async function charge(token: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  for (;;) {
    const answer = await pool.request({ method: 'POST', path: '/v1/charges', headers, body });
    const text = await answer.body.text();
    if (answer.statusCode === 201) return;
    if (answer.statusCode !== 503) throw new Error(`${answer.statusCode}: ${text}`);
    turnedAway += 1;
    await sleep(Number(answer.headers['retry-after'] ?? 1) * 1_000);
  }
}

const connection = await Connection.connect({ address: setting('TEMPORAL_ADDRESS') });
const client = new Client({ connection, namespace: setting('TEMPORAL_NAMESPACE') });

async function runBare(): Promise<void> {
  const id = randomUUID();
  await client.workflow.executeUpdateWithStart(bareOutcome, {
    updateId: id,
    startWorkflowOperation: new WithStartWorkflowOperation<typeof bare>('bare', {
      workflowId: `bare/${id}`,
      taskQueue: bareTaskQueue,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowTaskTimeout: '4s',
    }),
  });
}

process.on('message', ({ target, load, token }: LoadOrder) => {
  turnedAway = 0;
  const call = target === 'bare' ? runBare : () => charge(token);
  driveLoad(load, call, (edge) => report({ edge })).then(
    (measured) => report({ result: { ...measured, turnedAway } }),
    (error: unknown) => report({ fault: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
