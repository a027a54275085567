import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PartName } from '#local/stack.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import type { HeldRow } from '../../support/stack/locks.ts';
import {
  createMerchant,
  type ChargeBody,
  type HttpAnswer,
  type Merchant,
} from '../../support/resources/merchant.ts';
import { assertChargedOnce } from '../../support/resources/outcomes.ts';
import { untilAnswered } from '../../support/stack/persistent.ts';
import { chargeRuns } from '../../support/resources/runs.ts';
import { holdNewCharges, holdSettle, linkToTemporal, restore } from '../../support/stack/stages.ts';

/**
 * The way of a charge is claim, start, begin, authorize, settle, answer. A process is killed between each two of
 * them; the client, who knows of nothing but its key, sends again. `crash-in-api.test.ts` kills the API, which takes the
 * first steps. Here it is Temporal, the processor, or the worker that repeats a step.
 */

let env: Environment;
let merchant: Merchant;
let key: string;
/** What became of the request that the crash met. */
let sent: Promise<HttpAnswer<ChargeBody> | 'lost'>;

/** What a kill meets when it meets two charges. */
type Met = { merchant: Merchant; key: string; sent: typeof sent };
const remember = (): Met => ({ merchant, key, sent });
const take = (met: Met) => ({ merchant, key, sent } = met);
async function newCase(): Promise<void> {
  merchant = await createMerchant();
  key = randomUUID();
}

const part = (name: PartName) => env.stack.part(name);
const send = (url?: string) => merchant.charge({}, { key, ...(url && { url }) });
const start = (url?: string): void => {
  sent = send(url).catch(() => 'lost');
};
const claims = () => env.db('idempotency_keys').where({ account_id: merchant.accountId, key });
const charges = () => env.db('charges').where('account_id', merchant.accountId);
const isSettled = async () => (await charges())[0].status === 'succeeded';

describe('kill -9', () => {
  before(async () => {
    env = await environment();
  });
  beforeEach(newCase);
  afterEach(() => restore(env));

  it('of the API before its start: ids are kept', async () => {
    const link = await linkToTemporal(env);
    const api = await link.addApi();
    link.proxy.holdRequests();
    start(api.url);
    const [claim] = await eventually('the key is claimed', async () => {
      const rows = await claims();
      return rows.length > 0 && rows;
    });
    await api.part.kill();
    assert.equal(await sent, 'lost');
    assert.deepEqual(await chargeRuns(env, merchant, key), []);

    const answer = await send();
    assert.equal(answer.body.id, claim.resource_id);
    await assertChargedOnce(env, merchant, answer);
  });

  describe('of Temporal', () => {
    it('between start and begin leads to one true answer', async () => {
      const held = await stopAtBegin();
      await part('temporal').kill();
      await part('temporal').start();
      assert.deepEqual(await charges(), []);
      await held.release();
      await oneTrueAnswer();
    });

    it('before settle and before the answer leads to true answers', async () => {
      const held = await holdSettle(env, merchant);
      start();
      await held.untilBlocked();
      const settled = remember();
      await newCase();
      await killWhileTaken('temporal', async () => {
        const taken = remember();
        take(settled);
        await held.release();
        await eventually('it is settled', isSettled);
        take(taken);
      });
      take(settled);
      await oneTrueAnswer();
    });
  });

  describe('of the processor', () => {
    it('between begin and authorize leads to one true answer', async () => {
      const held = await stopAtBegin();
      await part('processor').kill();
      await held.release();
      await eventually('it has begun', async () => (await charges()).length === 1);
      await part('processor').start();
      await oneTrueAnswer();
    });

    it('between authorize and settle leads to one true answer', () => killWhileTaken('processor'));
  });

  it('of a worker before and as it settles leads to true answers', async () => {
    const { held: heldToLose, pids } = await stopAtRepeatedSettle(1);
    const lost = remember();
    await newCase();
    const { held: heldToSettle } = await stopAtRepeatedSettle(2);
    const settled = remember();
    await part('worker').kill();
    await heldToLose.loseBlocked(pids);
    await heldToLose.release();
    await heldToSettle.release();
    await eventually('it is settled', isSettled);
    take(lost);
    assert.equal((await charges())[0].status, 'pending');
    await part('worker').start();
    for (const met of [lost, settled]) {
      take(met);
      await oneTrueAnswer();
    }
  });
});

/** The run is started, and its begin waits in Postgres. */
async function stopAtBegin(): Promise<HeldRow> {
  const held = await holdNewCharges(env);
  start();
  await held.untilBlocked(1, { text: 'insert into charges' });
  return held;
}

/** The first step understands no answer of the processor. So a worker asks again, and waits where it settles. */
async function stopAtRepeatedSettle(count: number): Promise<{ held: HeldRow; pids: number[] }> {
  await env.stageFault({ route: 'charges', mode: 'garbage', when: 'after', times: 1 });
  const held = await holdSettle(env, merchant);
  start();
  return { held, pids: await held.untilBlocked(count) };
}

/** The part is killed while the processor has taken the money and has not answered. */
async function killWhileTaken(victim: PartName, meanwhile = () => Promise.resolve()): Promise<void> {
  await env.stageFault({ route: 'charges', mode: 'slow', when: 'after', times: 1, delay_ms: 3_000 });
  start();
  const { id } = await eventually('the money is taken', async () => {
    const [charge] = await charges();
    return charge && (await env.books(charge.id)).length === 1 && charge;
  });
  await part(victim).kill();
  assert.equal((await charges())[0].status, 'pending');
  await meanwhile();
  await part(victim).start();
  const answer = await oneTrueAnswer();
  assert.equal(answer.body.id, id);
}

/** Whatever the first request came to, sending it again tells what happened, and it happened once. */
async function oneTrueAnswer(): Promise<HttpAnswer<ChargeBody>> {
  const answer = await untilAnswered('the retry', () => send());
  const first = await sent;
  if (first !== 'lost' && first.status < 500) assert.equal(first.text, answer.text);
  await assertChargedOnce(env, merchant, answer);
  return answer;
}
