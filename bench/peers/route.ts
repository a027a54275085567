import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Router } from '@koa/router';
import Koa from 'koa';
import getRawBody from 'raw-body';
import { answerParent } from '../rig/child.ts';
import { driveLoad, type Load } from '../rig/closed-loop.ts';
import type { ClosedReport } from '../rig/load-generator.ts';
import type { Charge, ChargeRequest } from './steps.ts';

/** What the rig asks of a peer's process: where it listens and what it did, or to make charges without HTTP. */
export type PeerOrder = { tell: 'state' } | { load: Load };

export interface PeerState {
  url: string;
  /** How often it called the processor. */
  calls: number;
}

/** What the process of a peer offers to the rig. */
export interface Peer {
  charge: (key: string, request: ChargeRequest) => Promise<Charge>;
  countCalls: () => number;
  /** Makes charges in this process, without HTTP, if it can. */
  drive?: () => Promise<void>;
}

/** Serves `POST /charges` with an Idempotency-Key, JSON in and JSON out, and nothing else; then obeys the rig. */
export async function serve({ charge, countCalls, drive }: Peer): Promise<void> {
  const router = new Router();
  router.post('/charges', async (ctx) => {
    const body = JSON.parse(await getRawBody(ctx.req, { encoding: 'utf8' })) as ChargeRequest;
    ctx.body = await charge(ctx.get('Idempotency-Key'), body);
    ctx.status = 201;
  });
  const app = new Koa();
  app.use(router.routes() as unknown as Koa.Middleware);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  answerParent<PeerOrder>(async (order): Promise<PeerState | ClosedReport> => {
    if ('tell' in order) return { url: `http://127.0.0.1:${port}/charges`, calls: countCalls() };
    if (!drive) throw new Error('this peer is not called in its process');
    return { ...(await countAll(order.load, drive)), turnedAway: 0 };
  });
}

async function countAll(load: Load, drive: () => Promise<void>) {
  let calls = 0;
  const measured = await driveLoad(load, () => {
    calls += 1;
    return drive();
  });
  return { measured, calls };
}
