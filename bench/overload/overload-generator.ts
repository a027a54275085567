import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { driveLoad, type Load, type Measured } from '../rig/closed-loop.ts';
import { sendOpenLoad, type Arrival, type OpenLoad } from './open-loop.ts';

/** The process that sends the charges of the overload benchmark, told over its channel; it ends with its parent. */

export type OverloadOrder = { token: string; url: string } & ({ closed: Load } | { open: OpenLoad });

export type OverloadReport = { measured: Measured } | { arrivals: Arrival[] } | { fault: string };

/** As many connections as there are requests: a crowd does not wait for another's answer. */
const dispatcher = new Agent({ connections: null, pipelining: 1 });
const pauseMs = 50;
const body = JSON.stringify({ amount: 1_999, currency: 'EUR', payment_method: 'tok_visa' });

async function charge(url: string, token: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const answer = await request(`${url}/v1/charges`, { dispatcher, method: 'POST', headers, body });
  await answer.body.dump();
  return answer.statusCode;
}

async function carryOut(order: OverloadOrder): Promise<OverloadReport> {
  const send = () => charge(order.url, order.token);
  if ('open' in order) return { arrivals: await sendOpenLoad(order.open, send) };
  // Who is turned away comes again, and its time until then counts.
  const call = async () => {
    for (let status = 0; status !== 201;) {
      status = await send();
      if (status === 503) await sleep(pauseMs);
      else if (status !== 201) throw new Error(`answered ${status}`);
    }
  };
  return { measured: await driveLoad(order.closed, call, () => undefined) };
}

process.on('message', (order: OverloadOrder) => {
  carryOut(order).then(
    (report) => process.send?.(report),
    (error: unknown) => process.send?.({ fault: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
