import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { startChargingApi, ways, type ChargingApi, type Way } from '../../support/stack/charging-api.ts';
import { standstillMs, takenUpWithinMs } from '../../support/durations.ts';
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
import { startProxy, type Proxy } from '../../support/stack/outside/proxy.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import { untilAnswered } from '../../support/stack/persistent.ts';
import { chargeRuns, chargeWorkflowId } from '../../support/resources/runs.ts';
import { holdNewCharges, holdSettle, linkToTemporal, restore } from '../../support/stack/stages.ts';

/**
 * The API that takes the steps of a charge itself is killed between each two of them, or stands still. The client, who
 * knows of nothing but its key, sends again to another API, or does not.
 */

let env: Environment;
let merchant: Merchant;
let key: string;
let api: ChargingApi;
/** What became of the request that the crash met. */
let sent: Promise<HttpAnswer<ChargeBody> | 'lost'>;

const retry = () => merchant.charge({}, { key });
const start = (url = api.url): void => {
  sent = merchant.charge({}, { key, url }).catch(() => 'lost');
};
const claims = () => env.db('idempotency_keys').where({ account_id: merchant.accountId, key });
const charges = () => env.db('charges').where('account_id', merchant.accountId);
const isSettled = async () => (await charges())[0]?.status === 'succeeded';

async function begin(): Promise<void> {
  merchant = await createMerchant();
  key = randomUUID();
}

/** Has each test of a suite begin with a running API that charges in this way. */
function withApi(way: Way): void {
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    api = await startChargingApi(env, way);
  });
  beforeEach(begin);
  beforeEach(() => api.ensure());
  afterEach(() => restore(env));
  after(() => api.part.stop());
}

for (const way of ways) {
  describe(`With ${way} charges`, () => {
    withApi(way);

    describe('kill -9 of an API', () => {
      it('between claim and begin: the retry charges once', async () => {
        const held = await stopAtBegin();
        await api.part.kill();
        await held.loseBlocked();
        await held.release();
        const [claim] = await claims();
        assert.deepEqual([claim.begun_at, await charges()], [null, []]);
        assert.equal((await oneTrueAnswer()).body.id, claim.resource_id);
      });

      it('between begin and processor: the retry charges once', async () => {
        const id = await loseBegun();
        assert.equal((await oneTrueAnswer()).body.id, id);
      });

      it('between processor and settle: the retry charges once', async () => {
        const id = await untilTaken(3_000);
        await api.part.kill();
        assert.equal((await charges())[0].status, 'pending');
        assert.equal((await oneTrueAnswer()).body.id, id);
      });

      it('while settle waits: Postgres’s commit is the answer', async () => {
        const held = await stopAtSettle();
        await api.part.kill();
        await held.release();
        await eventually('it is settled', isSettled);
        await assertReplayed(await retry());
      });

      it('while settle waits and is lost: it settles once', async () => {
        const held = await stopAtSettle();
        await api.part.kill();
        await held.loseBlocked();
        await held.release();
        assert.equal((await charges())[0].status, 'pending');
        await oneTrueAnswer();
      });

      it('without a retry: the charge ends by itself', async () => {
        await loseBegun();
        await eventually('it is settled', isSettled, 20_000);
        if (way === 'inline') {
          const [{ begun_at: begunAt }] = await claims();
          const { startTime } = await env.temporal.workflow
            .getHandle(chargeWorkflowId(merchant, key))
            .describe();
          const takenUpMs = startTime.getTime() - begunAt.getTime();
          assert.ok(takenUpMs < takenUpWithinMs, `its workflow began after ${takenUpMs} ms`);
        }
        await assertReplayed(await retry());
      });
    });

    describe('a standstill of an API', () => {
      it('before it hears the processor settles nothing twice', async () => {
        await untilTaken(1_000);
        await standstill(async (since) => {
          const isOver = async () => Date.now() - since > standstillMs && isSettled();
          await eventually('another process settles it meanwhile', isOver, 30_000);
        });
      });

      it('of its connections settles nothing twice', async function () {
        this.timeout(120_000);
        const usual = api;
        const { links, settings } = await linkToStores();
        api = await startChargingApi(env, way, settings);
        try {
          await untilTaken(1_000);
          for (const link of links) link.holdRequests();
          await eventually('another process settles it meanwhile', isSettled, 30_000);
          for (const link of links) link.open();
          await assertSettledOnce();
        } finally {
          await api.part.stop();
          await Promise.all(links.map((link) => link.close()));
          api = usual;
        }
      });
    });

    describe('kill -9 of an API that captures', () => {
      for (const when of ['before', 'after'] as const) {
        it(`${when} the processor took it: the run takes it once`, async () => {
          const { body } = await merchant.charge({ capture_method: 'manual' }, { url: api.url });
          const capture = (url?: string) =>
            merchant.send<ChargeBody>(
              'POST',
              `/v1/charges/${body.id}:capture`,
              {},
              { key, ...(url && { url }) },
            );
          await env.stageFault({ route: 'captures', mode: 'slow', when, times: 1, delay_ms: 3_000 });
          const lost = capture(api.url).catch(() => 'lost');
          await eventually('it is under way', async () => (await charges())[0].capture_claim_id !== null);
          const moved = when === 'after' ? 2 : 1;
          await eventually('the processor is there', async () => (await env.books(body.id)).length === moved);
          await api.part.kill();
          assert.equal(await lost, 'lost');
          // Temporal may give a task or two to the process that is gone, for 4 s each.
          await eventually('it is settled', isSettled, 60_000);
          const replay = await capture();
          assert.deepEqual([replay.status, replay.headers.get('idempotent-replayed')], [200, 'true']);
          assert.deepEqual(
            (await env.books(body.id)).map(({ kind }) => kind),
            ['authorization', 'capture'],
          );
          await assertInvariants(env, { accountIds: [merchant.accountId] });
        });
      }
    });
  });
}

describe('kill -9 of an API with eager charges, cut off from Temporal', () => {
  before(async function () {
    this.timeout(120_000);
    env = await environment();
  });
  beforeEach(begin);
  afterEach(() => restore(env));

  it('between its answer and its run’s completion changes nothing', async function () {
    this.timeout(120_000);
    const link = await linkToTemporal(env);
    api = await startChargingApi(env, 'eager', { TEMPORAL_ADDRESS: link.proxy.address });
    await untilTaken(1_500);
    link.proxy.holdRequests();
    const answer = await sent;
    assert.ok(answer !== 'lost');
    assert.deepEqual(
      (await chargeRuns(env, merchant, key)).map(({ state }) => state),
      ['RUNNING'],
    );
    await api.part.kill();
    await eventually('another worker completes the run', async () => {
      const runs = await chargeRuns(env, merchant, key);
      return runs.length === 1 && runs[0]!.result === 'succeeded';
    });
    const replay = await retry();
    assert.equal(replay.text, answer.text);
    await assertReplayed(replay);
  });
});

/** The API is about to begin, and waits. */
async function stopAtBegin(): Promise<HeldRow> {
  const held = await holdNewCharges(env);
  start();
  await held.untilBlocked(1, { text: 'insert into charges' });
  return held;
}

/** The API is killed where the charge has begun and nothing was sent. Returns the charge's id. */
async function loseBegun(): Promise<string> {
  const held = await stopAtBegin();
  await api.part.kill();
  await held.release();
  const [charge] = await eventually('begin has arrived without it', async () => {
    const rows = await charges();
    return rows.length > 0 && rows;
  });
  assert.deepEqual([charge.status, await env.books(charge.id)], ['pending', []]);
  return charge.id;
}

/** The processor has taken the money, and answers later. Returns the charge's id. */
async function untilTaken(laterMs: number): Promise<string> {
  await env.stageFault({ route: 'charges', mode: 'slow', when: 'after', times: 1, delay_ms: laterMs });
  start();
  const { id } = await eventually('the money is taken', async () => {
    const [charge] = await charges();
    return charge && (await env.books(charge.id)).length === 1 && charge;
  });
  return id;
}

/** The processor has answered, and what the API writes down waits in Postgres. */
async function stopAtSettle(): Promise<HeldRow> {
  const held = await holdSettle(env, merchant);
  start();
  await held.untilBlocked();
  return held;
}

/** The API stands still meanwhile, and then goes on with what it had begun. */
async function standstill(meanwhile: (since: number) => Promise<void>): Promise<void> {
  const pid = api.part.pid!;
  process.kill(pid, 'SIGSTOP');
  try {
    await meanwhile(Date.now());
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await assertSettledOnce();
}

async function assertSettledOnce(): Promise<void> {
  await oneTrueAnswer();
  await sent;
  assert.equal((await charges())[0].version, 2);
}

/** Ways to Postgres and Temporal that can fail, and the settings with which an API takes them. */
async function linkToStores(): Promise<{ links: Proxy[]; settings: NodeJS.ProcessEnv }> {
  const database = new URL(env.stack.databaseUrl);
  const temporal = new URL(`http://${env.stack.temporalAddress}`);
  const start = ({ hostname: host, port }: URL) => startProxy({ host, port: Number(port) });
  const links = [await start(database), await start(temporal)] as const;
  database.port = String(links[0].port);
  return { links: [...links], settings: { DATABASE_URL: database.href, TEMPORAL_ADDRESS: links[1].address } };
}

/** Whatever the first request came to, sending it again to another API tells what happened, and it happened once. */
async function oneTrueAnswer(): Promise<HttpAnswer<ChargeBody>> {
  const answer = await untilAnswered('the retry', retry);
  const first = await sent;
  if (first !== 'lost' && first.status < 500) assert.equal(first.text, answer.text);
  await assertChargedOnce(env, merchant, answer);
  return answer;
}

/** The answer is the stored one, byte for byte. */
async function assertReplayed(answer: HttpAnswer<ChargeBody>): Promise<void> {
  const [claim] = await claims();
  assert.equal(answer.headers.get('idempotent-replayed'), 'true');
  assert.equal(answer.text, claim.answer_body.toString());
  await assertChargedOnce(env, merchant, answer);
}
