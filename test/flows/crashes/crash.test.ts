import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Part, PartName } from '#local/stack.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
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
import {
  holdBegin,
  holdSettle,
  leaveChargesToWorkers,
  linkToTemporal,
  restore,
} from '../../support/stack/stages.ts';

/**
 * The way of a charge is claim, start, begin, authorize, settle, answer. A process is killed between each two of
 * them; the client, who knows of nothing but its key, sends again. Workers take the steps here; `crash-in-api.test.ts` is
 * about those that the API takes.
 */

let env: Environment;
let merchant: Merchant;
let key: string;
/** An API that leaves the slowest machine the time to start a worker before `start_by`. */
let patient: { part: Part; url: string };
/** What became of the request that the crash met. */
let sent: Promise<HttpAnswer<ChargeBody> | 'lost'>;

const names = { worker: 'the worker', processor: 'the processor', temporal: 'Temporal', api: 'the API' };
const part = (name: PartName) => env.stack.part(name);
const send = (url?: string) => merchant.charge({}, { key, ...(url && { url }) });
const start = (url?: string): void => {
  sent = send(url).catch(() => 'lost');
};
const claims = () => env.db('idempotency_keys').where({ account_id: merchant.accountId, key });
const charges = () => env.db('charges').where('account_id', merchant.accountId);

describe('kill -9', () => {
  leaveChargesToWorkers();
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    patient = await env.stack.addApi({ SYNC_WINDOW_MS: '60000' });
  });
  after(() => patient.part.stop());
  beforeEach(async () => {
    merchant = await createMerchant();
    key = randomUUID();
  });
  afterEach(() => restore(env));

  describe('between claim and start', () => {
    it('of the API: the retry uses the claim’s ids', async () => {
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
  });

  describe('between start and begin', () => {
    it('of the worker leads to one true answer', async () => {
      const held = await stopAtBegin();
      await part('worker').kill();
      await held.loseBlocked();
      await held.release();
      assert.deepEqual(await charges(), []);
      await part('worker').start();
      await oneTrueAnswer();
    });

    it('of Temporal leads to one true answer', async () => {
      await part('worker').stop();
      start(patient.url);
      await eventually('the run is started', async () => (await chargeRuns(env, merchant, key)).length === 1);
      await part('temporal').kill();
      await part('temporal').start();
      await part('worker').start();
      await oneTrueAnswer();
    });
  });

  describe('between begin and authorize', () => {
    it('of the worker leads to one true answer', async () => {
      const held = await stopAtBegin();
      await part('worker').kill();
      await held.release();
      const [charge] = await eventually('begin has arrived without it', async () => {
        const rows = await charges();
        return rows.length > 0 && rows;
      });
      assert.deepEqual([charge.status, await env.books(charge.id)], ['pending', []]);
      await part('worker').start();
      await oneTrueAnswer();
    });

    it('of the processor leads to one true answer', async () => {
      const held = await stopAtBegin();
      await part('processor').kill();
      await held.release();
      await eventually('it has begun', async () => (await charges()).length === 1);
      await part('processor').start();
      await oneTrueAnswer();
    });
  });

  describe('between authorize and settle', () => {
    for (const victim of ['worker', 'processor', 'temporal', 'api'] as const) {
      it(`of ${names[victim]} leads to one true answer`, async () => {
        await env.stageFault({ route: 'charges', mode: 'slow', when: 'after', times: 1, delay_ms: 3_000 });
        start();
        const { id } = await eventually('the money is taken', async () => {
          const [charge] = await charges();
          return charge && (await env.books(charge.id)).length === 1 && charge;
        });
        await part(victim).kill();
        assert.equal((await charges())[0].status, 'pending');
        await part(victim).start();
        const answer = await oneTrueAnswer();
        assert.equal(answer.body.id, id);
      });
    }
  });

  describe('between settle and answer', () => {
    for (const victim of ['worker', 'temporal'] as const) {
      it(`of ${names[victim]} leads to one true answer`, async () => {
        const held = await holdSettle(env, merchant);
        start();
        await held.untilBlocked();
        await part(victim).kill();
        await held.release();
        await eventually('it is settled', async () => (await charges())[0].status === 'succeeded');
        await part(victim).start();
        await oneTrueAnswer();
      });
    }

    it('of the API: another API replays the same bytes', async () => {
      const link = await linkToTemporal(env);
      const api = await link.addApi();
      link.proxy.holdAnswers();
      start(api.url);
      const [claim] = await eventually('the answer is stored', async () => {
        const rows = await claims().whereNotNull('answered_at');
        return rows.length > 0 && rows;
      });
      await api.part.kill();
      assert.equal(await sent, 'lost');
      const answer = await send();
      assert.equal(answer.headers.get('idempotent-replayed'), 'true');
      assert.equal(answer.text, claim.answer_body.toString());
      await assertChargedOnce(env, merchant, answer);
    });
  });

  describe('in a capture', () => {
    it('before it, of the worker: the next one answers', async () => {
      const id = await authorized();
      await part('worker').kill();
      await part('worker').start();
      await capturedOnce(id, await untilAnswered('the capture', () => capture(id)));
    });

    const capture = (id: string) =>
      merchant.send<ChargeBody>('POST', `/v1/charges/${id}:capture`, {}, { key });
    const authorized = async () => (await merchant.charge({ capture_method: 'manual' })).body.id;

    it('between begin and authorize, of the worker', async () => {
      const id = await authorized();
      await env.stageFault({ route: 'captures', mode: 'slow', when: 'before', times: 1, delay_ms: 3_000 });
      const first = capture(id).catch(() => 'lost');
      await eventually('the capture is intended', async () => (await charges())[0].capture_claim_id);
      await part('worker').kill();
      await part('worker').start();
      await capturedOnce(id, await untilAnswered('the retry', () => capture(id)));
      await first;
    });

    it('between authorize and settle, of the worker', async () => {
      const id = await authorized();
      const held = await holdSettle(env, merchant);
      const first = capture(id).catch(() => 'lost');
      await held.untilBlocked();
      await part('worker').kill();
      await held.loseBlocked();
      await held.release();
      assert.equal((await charges())[0].status, 'requires_capture');
      await part('worker').start();
      await capturedOnce(id, await untilAnswered('the retry', () => capture(id)));
      await first;
    });
  });
});

/** The worker is about to begin, and waits; Postgres may go on without it. */
async function stopAtBegin(): Promise<HeldRow> {
  await part('worker').stop();
  start(patient.url);
  await eventually('the run is started', async () => (await chargeRuns(env, merchant, key)).length === 1);
  const held = await holdBegin(env, merchant, key);
  await part('worker').start();
  await held.untilBlocked();
  return held;
}

/** Whatever the first request came to, sending it again tells what happened, and it happened once. */
async function oneTrueAnswer(): Promise<HttpAnswer<ChargeBody>> {
  const answer = await untilAnswered('the retry', () => send());
  const first = await sent;
  if (first !== 'lost' && first.status < 500) assert.equal(first.text, answer.text);
  await assertChargedOnce(env, merchant, answer);
  return answer;
}

async function capturedOnce(id: string, answer: HttpAnswer<ChargeBody>): Promise<void> {
  assert.deepEqual([answer.status, answer.body.status], [200, 'succeeded'], answer.text);
  assert.deepEqual(
    (await env.books(id)).map(({ kind }) => kind),
    ['authorization', 'capture'],
  );
  await assertInvariants(env, { accountIds: [merchant.accountId] });
}
