import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { answerParent } from '../rig/child.ts';
import { sendOpenLoad, type Arrival } from '../rig/open-loop.ts';

/** The process of an honest merchant beside an attacker, which takes orders over its channel. */

export interface NeighbourOrder {
  url: string;
  token: string;
  chargesPerSecond: number;
  readsPerSecond: number;
  seconds: number;
}

export interface NeighbourReport {
  charges: Arrival[];
  reads: Arrival[];
}

const dispatcher = new Agent({ connections: null, pipelining: 1 });
const body = JSON.stringify({ amount: 1_999, currency: 'EUR', payment_method: 'tok_visa' });

async function call(url: string, token: string, init: object): Promise<[status: number, text: string]> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const answer = await request(url, { dispatcher, headers, ...init });
  return [answer.statusCode, await answer.body.text()];
}

/** Charges, and reads of the last charge that was made: each must read as what it is. */
async function carryOut(order: NeighbourOrder): Promise<NeighbourReport> {
  const { url, token, seconds } = order;
  const [status, first] = await call(`${url}/v1/charges`, token, { method: 'POST', body });
  if (status !== 201) throw new Error(`${status} ${first}`);
  let id = (JSON.parse(first) as { id: string }).id;
  const charge = async () => {
    const [made, text] = await call(`${url}/v1/charges`, token, { method: 'POST', body });
    if (made === 201) ({ id } = JSON.parse(text) as { id: string });
    return made;
  };
  const read = async () => {
    const asked = id;
    const [found, text] = await call(`${url}/v1/charges/${asked}`, token, { method: 'GET' });
    const isRight = found !== 200 || (JSON.parse(text) as { id: string }).id === asked;
    return isRight ? found : 0;
  };
  const [charges, reads] = await Promise.all([
    sendOpenLoad({ perSecond: order.chargesPerSecond, seconds }, charge),
    sendOpenLoad({ perSecond: order.readsPerSecond, seconds }, read),
  ]);
  return { charges, reads };
}

answerParent(carryOut);
