import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { Agent, request } from 'undici';
import { bareOutcome, bareTaskQueue } from '../charges/bare-contract.ts';
import { openBareEager } from '../charges/bare-eager.ts';
import type { bare } from '../charges/bare-workflows.ts';
import { answerParent } from './child.ts';
import { driveLoad, type Load, type Measured } from './closed-loop.ts';
import { sampleCharge } from './sample-charge.ts';
import { sendOpenLoad, type Arrival, type OpenLoad } from './open-loop.ts';

/** The process that makes the calls. It takes orders over its channel. */

/** A request of a load. */
export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** The status of its answer; any other ends the measuring. */
  status: number;
}

type Target =
  /** Bare workflows, on the Temporal service of the environment. */
  | { send: 'bare' }
  /** Bare workflows that run in this very process. */
  | { send: 'bare eager' }
  /** Charges, each with a key of its own. */
  | { send: 'charges'; url: string; token: string }
  /** These requests, in turn. */
  | { send: 'requests'; url: string; requests: LoadRequest[] };

type ChargeTarget = Extract<Target, { send: 'charges' }>;

export type ClosedOrder = Target & { load: Load };
export type OpenOrder = ChargeTarget & { open: OpenLoad };

export interface ClosedReport {
  measured: Measured;
  /** All calls, those before and after the measuring included. */
  calls: number;
  /** Charges that the API turned away, and that were sent again. */
  turnedAway: number;
}

export interface OpenReport {
  arrivals: Arrival[];
}

/** As many connections as there are requests: no request waits for the answer of another. */
const dispatcher = new Agent({ connections: null, pipelining: 1 });

/** A charge that was turned away is sent again after this time, which counts. */
const pauseMs = 50;

/** A charge of an open load waits for its answer for so long. (ms) */
const giveUpMs = 60_000;

const chargeBody = JSON.stringify(sampleCharge);

/** @param withinMs how long it waits for its answer. (Default: as long as undici waits) */
async function sendCharge(
  { url, token }: ChargeTarget,
  key: string,
  withinMs: number | null = null,
): Promise<number> {
  const answer = await request(`${url}/v1/charges`, {
    dispatcher,
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: chargeBody,
    headersTimeout: withinMs,
  });
  await answer.body.dump();
  return answer.statusCode;
}

/** Sends a charge of an open load. Resolves to 0 if it has no answer: the load goes on, and counts it. */
async function sendOpenCharge(target: ChargeTarget): Promise<number> {
  return sendCharge(target, randomUUID(), giveUpMs).catch(() => 0);
}

async function carryOut(order: ClosedOrder | OpenOrder): Promise<ClosedReport | OpenReport> {
  if ('open' in order) {
    return { arrivals: await sendOpenLoad(order.open, () => sendOpenCharge(order)) };
  }
  const counts = { calls: 0, turnedAway: 0 };
  const call = await createCall(order, counts);
  const measured = await driveLoad(order.load, () => {
    counts.calls += 1;
    return call();
  });
  return { measured, ...counts };
}

async function createCall(target: Target, counts: { turnedAway: number }): Promise<() => Promise<void>> {
  if (target.send === 'bare') return createBareCall();
  if (target.send === 'bare eager') return await (eager ??= openBareEager());
  if (target.send === 'requests') return createRequestCall(target);
  return async () => {
    const key = randomUUID();
    for (;;) {
      const status = await sendCharge(target, key);
      if (status === 201) return;
      if (status !== 503) throw new Error(`a charge was answered ${status}`);
      counts.turnedAway += 1;
      await sleep(pauseMs);
    }
  };
}

function createRequestCall({ url, requests }: Extract<Target, { send: 'requests' }>): () => Promise<void> {
  let next = 0;
  return async () => {
    const { status, path, ...sent } = requests[next++ % requests.length]!;
    const answer = await request(url + path, { dispatcher, ...sent });
    const text = await answer.body.text();
    if (answer.statusCode !== status) throw new Error(`${path}: ${answer.statusCode} ${text}`);
  };
}

let eager: ReturnType<typeof openBareEager> | undefined;
let temporal: Promise<Client> | undefined;

async function connectTemporal(): Promise<Client> {
  const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
  return new Client({ connection, namespace: process.env['TEMPORAL_NAMESPACE'] ?? '' });
}

async function createBareCall(): Promise<() => Promise<void>> {
  temporal ??= connectTemporal();
  const { workflow } = await temporal;
  return async () => {
    const id = randomUUID();
    await workflow.executeUpdateWithStart(bareOutcome, {
      updateId: id,
      startWorkflowOperation: new WithStartWorkflowOperation<typeof bare>('bare', {
        workflowId: `bare/${id}`,
        taskQueue: bareTaskQueue,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowTaskTimeout: '4s',
      }),
    });
  };
}

answerParent(carryOut);
