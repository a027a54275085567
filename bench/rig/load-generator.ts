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
  /** Charges, each with a key of its own, to these APIs in turn. */
  | { send: 'charges'; urls: string[]; token: string }
  /** The same charges to another route, which needs no token. `x-charge-key` repeats the key: see `peers/restate.ts`. */
  | { send: 'keyed'; url: string; status: number }
  /** These requests, in turn. */
  | { send: 'requests'; url: string; requests: LoadRequest[] };

export type ClosedOrder = Target & { load: Load };
export type OpenOrder = Extract<Target, { send: 'charges' }> & { open: OpenLoad };

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

function sendCharge(
  url: string,
  token: string,
  key: string,
  withinMs: number | null = null,
): Promise<number> {
  return sendKeyed(`${url}/v1/charges`, key, { authorization: `Bearer ${token}` }, withinMs);
}

/** Sends a charge of an open load. Resolves to 0 if it has no answer: the load goes on, and counts it. */
async function sendOpenCharge(url: string, token: string): Promise<number> {
  return sendCharge(url, token, randomUUID(), giveUpMs).catch(() => 0);
}

async function sendKeyed(
  url: string,
  key: string,
  more: Record<string, string> = {},
  headersTimeout: number | null = null,
): Promise<number> {
  const headers = { ...more, 'content-type': 'application/json', 'idempotency-key': key };
  const answer = await request(url, {
    dispatcher,
    method: 'POST',
    headers,
    body: chargeBody,
    headersTimeout,
  });
  await answer.body.dump();
  return answer.statusCode;
}

async function carryOut(order: ClosedOrder | OpenOrder): Promise<ClosedReport | OpenReport> {
  if ('open' in order) {
    const { token } = order;
    const nextUrl = inTurn(order.urls);
    return { arrivals: await sendOpenLoad(order.open, () => sendOpenCharge(nextUrl(), token)) };
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
  if (target.send === 'keyed') return () => sendOnce(target);
  const nextUrl = inTurn(target.urls);
  return async () => {
    const [key, url] = [randomUUID(), nextUrl()];
    for (;;) {
      const status = await sendCharge(url, target.token, key);
      if (status === 201) return;
      if (status !== 503) throw new Error(`a charge was answered ${status}`);
      counts.turnedAway += 1;
      await sleep(pauseMs);
    }
  };
}

function inTurn(urls: readonly string[]): () => string {
  let next = 0;
  return () => urls[next++ % urls.length]!;
}

async function sendOnce({ url, status }: Extract<Target, { send: 'keyed' }>): Promise<void> {
  const key = randomUUID();
  const answered = await sendKeyed(url, key, { 'x-charge-key': key });
  if (answered !== status) throw new Error(`a charge was answered ${answered}`);
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
