import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { startChargingApi, ways, type ChargingApi } from '../../support/stack/charging-api.ts';
import { standstillMs, takenUpWithinMs } from '../../support/durations.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
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
import { holdNewCharges, holdSettle, restore, startTemporalProxy } from '../../support/stack/stages.ts';

/**
 * The API that takes the steps of a charge itself is killed between each two of them, or stands still. The client, who
 * knows of nothing but its key, sends again to another API, or does not.
 *
 * One kill meets several charges, each at another point: to start an API again costs more than all that a case does.
 */

let env: Environment;
let api: ChargingApi;
/** Its ways to the stores, which can fail. */
let links: { database: Proxy; temporal: Proxy };

/** A charge that a crash meets, of an account of its own. */
interface MetCharge {
  merchant: Merchant;
  key: string;
  /** What became of the request. */
  sent: Promise<HttpAnswer<ChargeBody> | 'lost'>;
}

const claims = ({ merchant, key }: MetCharge) =>
  env.db('idempotency_keys').where({ account_id: merchant.accountId, key });
const charges = ({ merchant }: MetCharge) => env.db('charges').where('account_id', merchant.accountId);
const isSettled = async (met: MetCharge) => (await charges(met))[0]?.status === 'succeeded';
const untilSettled = (met: MetCharge) => eventually('it is settled', () => isSettled(met));
const retry = ({ merchant, key }: MetCharge) => merchant.charge({}, { key });

async function send(of?: Merchant): Promise<MetCharge> {
  const merchant = of ?? (await createMerchant());
  const key = randomUUID();
  return { merchant, key, sent: merchant.charge({}, { key, url: api.url }).catch(() => 'lost') };
}

for (const way of ways) {
  describe(`With ${way} charges`, () => {
    before(async () => {
      env = await environment();
      const stores = await linkToStores();
      links = stores.links;
      api = await startChargingApi(env, way, stores.settings);
    });
    after(async () => {
      await api.part.stop();
      await Promise.all(Object.values(links).map((link) => link.close()));
    });

    describe('a standstill of an API', () => {
      afterEach(() => restore(env));

      it('before it hears the processor settles nothing twice', async () => {
        const met = await untilTaken(1_000);
        const pid = api.part.pid!;
        process.kill(pid, 'SIGSTOP');
        try {
          const since = Date.now();
          const isOver = async () => Date.now() - since > standstillMs && isSettled(met);
          await eventually('another process settles it meanwhile', isOver);
        } finally {
          process.kill(pid, 'SIGCONT');
        }
        await assertSettledOnce(met);
      });

      it('of its connections settles nothing twice', async () => {
        const met = await untilTaken(1_000);
        const both = [links.database, links.temporal];
        for (const link of both) link.holdRequests();
        try {
          await untilSettled(met);
        } finally {
          for (const link of both) link.open();
        }
        await assertSettledOnce(met);
      });
    });

    describe('kill -9 of an API before the processor took it', () => {
      let unbegun: MetCharge;
      let begun: MetCharge;
      let alone: MetCharge;
      before(async () => {
        await api.ensure();
        const held = await holdNewCharges(env);
        const untilBlocked = (count: number) => held.untilBlocked(count, { text: 'insert into charges' });
        unbegun = await send();
        const first = await untilBlocked(1);
        begun = await send();
        await untilBlocked(2);
        alone = await send();
        await untilBlocked(3);
        await api.part.kill();
        await held.loseBlocked(first);
        await held.release();
        for (const met of [begun, alone]) {
          const [charge] = await eventually('begin has arrived without it', async () => {
            const rows = await charges(met);
            return rows.length > 0 && rows;
          });
          assert.deepEqual([charge.status, await env.books(charge.id)], ['pending', []]);
        }
      });
      after(() => restore(env));

      it('between claim and begin: the retry charges once', async () => {
        const [claim] = await claims(unbegun);
        assert.deepEqual([claim.begun_at, await charges(unbegun)], [null, []]);
        assert.equal((await oneTrueAnswer(unbegun)).body.id, claim.resource_id);
      });

      it('between begin and processor: the retry charges once', async () => {
        const [charge] = await charges(begun);
        assert.equal((await oneTrueAnswer(begun)).body.id, charge.id);
      });

      it('without a retry: the charge ends by itself', async () => {
        await untilSettled(alone);
        if (way === 'inline') {
          const [{ begun_at: begunAt }] = await claims(alone);
          const run = env.temporal.workflow.getHandle(chargeWorkflowId(alone.merchant, alone.key));
          const { startTime } = await run.describe();
          const takenUpMs = startTime.getTime() - begunAt.getTime();
          assert.ok(takenUpMs < takenUpWithinMs, `its workflow began after ${takenUpMs} ms`);
        }
        await assertReplayed(alone, await retry(alone));
      });
    });

    describe('kill -9 of an API at the processor', () => {
      let taken: MetCharge;
      let committed: MetCharge;
      let lost: MetCharge;
      const captures: Partial<Record<'before' | 'after', Capture>> = {};
      before(async () => {
        await api.ensure();
        for (const when of ['before', 'after'] as const) captures[when] = await authorize();
        const [late, never] = [await createMerchant(), await createMerchant()];
        const heldToCommit = await holdSettle(env, late);
        committed = await send(late);
        const first = await heldToCommit.untilBlocked(1);
        const heldToLose = await holdSettle(env, never);
        lost = await send(never);
        const both = await heldToLose.untilBlocked(2);
        for (const when of ['before', 'after'] as const) await captures[when]!.send(when);
        taken = await untilTaken(3_500);
        await api.part.kill();
        await heldToLose.loseBlocked(both.filter((pid) => !first.includes(pid)));
        await heldToLose.release();
        await heldToCommit.release();
        for (const met of [taken, lost]) assert.equal((await charges(met))[0].status, 'pending');
        for (const { sent } of Object.values(captures)) assert.equal(await sent, 'lost');
      });
      after(() => restore(env));

      it('between processor and settle: the retry charges once', async () => {
        const [charge] = await charges(taken);
        assert.equal((await oneTrueAnswer(taken)).body.id, charge.id);
      });

      it('while settle waits: Postgres’s commit is the answer', async () => {
        await untilSettled(committed);
        await assertReplayed(committed, await retry(committed));
      });

      it('while settle waits and is lost: it settles once', async () => {
        await oneTrueAnswer(lost);
      });

      for (const when of ['before', 'after'] as const) {
        it(`${when} it took a capture: the run takes it once`, async () => {
          const { merchant, id, capture } = captures[when]!;
          const isCaptured = async () =>
            (await env.db('charges').where({ id }).first('status')).status === 'succeeded';
          // Temporal may give a task or two to the process that is gone, for 4 s each.
          await eventually('it is settled', isCaptured);
          const replay = await capture();
          assert.deepEqual([replay.status, replay.headers.get('idempotent-replayed')], [200, 'true']);
          assert.deepEqual(
            (await env.books(id)).map(({ kind }) => kind),
            ['authorization', 'capture'],
          );
          await assertInvariants(env, { accountIds: [merchant.accountId] });
        });
      }
    });

    if (way === 'eager')
      describe('kill -9 of an API, cut off from Temporal', () => {
        afterEach(() => restore(env));

        it('between its answer and its run’s completion changes nothing', async () => {
          await api.ensure();
          const met = await untilTaken(1_500);
          links.temporal.holdRequests();
          const answer = await met.sent;
          assert.ok(answer !== 'lost');
          const runs = () => chargeRuns(env, met.merchant, met.key);
          assert.deepEqual(
            (await runs()).map(({ state }) => state),
            ['RUNNING'],
          );
          await api.part.kill();
          await eventually('another worker completes the run', async () => {
            const seen = await runs();
            return seen.length === 1 && seen[0]!.result === 'succeeded';
          });
          const replay = await retry(met);
          assert.equal(replay.text, answer.text);
          await assertReplayed(met, replay);
        });
      });
  });
}

/** An authorization whose capture a crash meets. */
interface Capture {
  merchant: Merchant;
  id: string;
  /** Sends the capture: by default to an API that lives. */
  capture: (url?: string) => Promise<HttpAnswer<ChargeBody>>;
  /** Sends it to the API that will be killed. Resolves when the processor is there, and has or has not taken it. */
  send: (when: 'before' | 'after') => Promise<void>;
  sent?: Promise<HttpAnswer<ChargeBody> | 'lost'>;
}

async function authorize(): Promise<Capture> {
  const merchant = await createMerchant();
  const { id } = (await merchant.charge({ capture_method: 'manual' }, { url: api.url })).body;
  const key = randomUUID();
  const path = `/v1/charges/${id}:capture`;
  const one: Capture = {
    merchant,
    id,
    capture: (url) => merchant.send<ChargeBody>('POST', path, {}, { key, ...(url && { url }) }),
    async send(when) {
      await env.stageFault({ route: 'captures', key: id, mode: 'slow', when, times: 1, delay_ms: 3_500 });
      one.sent = one.capture(api.url).catch(() => 'lost');
      const isUnderWay = async () =>
        (await env.db('charges').where({ id }).first('capture_claim_id')).capture_claim_id !== null;
      await eventually('it is under way', isUnderWay);
      const moved = when === 'after' ? 2 : 1;
      await eventually('the processor is there', async () => (await env.books(id)).length === moved);
    },
  };
  return one;
}

/** Sends a charge. The processor has taken the money, and answers later. */
async function untilTaken(laterMs: number): Promise<MetCharge> {
  await env.stageFault({ route: 'charges', mode: 'slow', when: 'after', times: 1, delay_ms: laterMs });
  const met = await send();
  await eventually('the money is taken', async () => {
    const [charge] = await charges(met);
    return charge && (await env.books(charge.id)).length === 1;
  });
  return met;
}

/** The process goes on with what it had begun. */
async function assertSettledOnce(met: MetCharge): Promise<void> {
  await oneTrueAnswer(met);
  await met.sent;
  assert.equal((await charges(met))[0].version, 2);
}

/** Ways to Postgres and Temporal that can fail, and the settings with which an API takes them. */
async function linkToStores(): Promise<{ links: typeof links; settings: NodeJS.ProcessEnv }> {
  const url = new URL(env.stack.databaseUrl);
  const database = await startProxy({ host: url.hostname, port: Number(url.port) });
  const temporal = await startTemporalProxy(env);
  url.port = String(database.port);
  return {
    links: { database, temporal },
    settings: { DATABASE_URL: url.href, TEMPORAL_ADDRESS: temporal.address },
  };
}

/** Whatever the first request came to, sending it again to another API tells what happened, and it happened once. */
async function oneTrueAnswer(met: MetCharge): Promise<HttpAnswer<ChargeBody>> {
  const answer = await untilAnswered('the retry', () => retry(met));
  const first = await met.sent;
  if (first !== 'lost' && first.status < 500) assert.equal(first.text, answer.text);
  await assertChargedOnce(env, met.merchant, answer);
  return answer;
}

/** The answer is the stored one, byte for byte. */
async function assertReplayed(met: MetCharge, answer: HttpAnswer<ChargeBody>): Promise<void> {
  const [claim] = await claims(met);
  assert.equal(answer.headers.get('idempotent-replayed'), 'true');
  assert.equal(answer.text, claim.answer_body.toString());
  await assertChargedOnce(env, met.merchant, answer);
}
