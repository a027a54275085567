import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { wakeSignal } from '#temporal/messages.ts';
import { startChargingApi, type ChargingApi } from '../../support/stack/charging-api.ts';
import { narrowWindow } from '../../support/durations.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import {
  createMerchant,
  type ChargeBody,
  type HttpAnswer,
  type Merchant,
} from '../../support/resources/merchant.ts';
import type { HeldRow } from '../../support/stack/locks.ts';
import { assertChargedOnce, assertNothingHappened } from '../../support/resources/outcomes.ts';
import type { Proxy } from '../../support/stack/outside/proxy.ts';
import { untilAnswered } from '../../support/stack/persistent.ts';
import { chargeRuns, chargeWorkflowId } from '../../support/resources/runs.ts';
import {
  holdCommitOfBegin,
  holdSettle,
  pastStartBy,
  loseTemporalStore,
  restore,
  startTemporalProxy,
} from '../../support/stack/stages.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';
import { toStatusAndCode } from '../../support/status-and-code.ts';

/** Begin, the one statement that decides whether something may happen, in each race it is there for. */

let env: Environment;
let merchant: Merchant;
let key: string;
/** Its way to Temporal, which can fail. */
let link: Proxy;
/** An API over this link whose callers wait for a short time, so that `start_by` is soon over. */
let hasty: ChargingApi;

const claims = () => env.db('idempotency_keys').where({ account_id: merchant.accountId, key });
const charges = () => env.db('charges').where('account_id', merchant.accountId);
const findRun = () => env.temporal.workflow.getHandle(chargeWorkflowId(merchant, key));
const manual = { capture_method: 'manual' };

async function newCase(): Promise<{ merchant: Merchant; key: string }> {
  return { merchant: await createMerchant(), key: randomUUID() };
}

describe('Begin', () => {
  before(async () => {
    env = await environment();
    link = await startTemporalProxy(env);
    hasty = await startChargingApi(env, 'eager', { ...narrowWindow, TEMPORAL_ADDRESS: link.address });
  });
  beforeEach(async () => ({ merchant, key } = await newCase()));
  after(async () => {
    await hasty.part.stop();
    await link.close();
  });

  /** One kill meets a charge of each case, while nobody else runs charges. Then the others are started. */
  describe('of a killed API', () => {
    const cases = ['settled', 'swept', 'retried', 'unbegun'] as const;
    type Case = (typeof cases)[number];
    const met = {} as Record<Case, { merchant: Merchant; key: string; held: HeldRow }>;
    const take = (name: Case) => ({ merchant, key } = met[name]);
    const others = () => [env.stack.part('worker'), env.stack.part('api')];

    before(async () => {
      const fresh = await Promise.all(cases.map(newCase));
      await Promise.all(others().map((part) => part.stop()));
      const sent: Promise<unknown>[] = [];
      for (const [index, name] of cases.entries()) {
        ({ merchant, key } = fresh[index]!);
        if (name === 'unbegun') link.holdRequests();
        else met[name] = { merchant, key, held: await holdSettle(env, merchant) };
        sent.push(merchant.charge({}, { key, url: hasty.url }).catch(() => 'lost'));
        if (name === 'unbegun') {
          await eventually('the key is claimed', async () => (await claims()).length === 1);
          met.unbegun = { merchant, key, held: await holdCommitOfBegin(env, merchant) };
          link.open();
        }
        await met[name].held.untilBlocked(sent.length);
      }
      await hasty.part.kill();
      await Promise.all(sent);
      await met.unbegun.held.loseBlocked();
      for (const { held } of Object.values(met)) await held.release();
      for (const name of cases) {
        take(name);
        if (name === 'unbegun') {
          assert.equal((await findRun().describe()).status.name, 'RUNNING');
        } else {
          const [charge] = await charges();
          assert.equal(charge.status, 'pending');
          assert.equal((await env.books(charge.id)).length, 1);
        }
        await pastStartBy(env, merchant, key);
        if (name === 'swept' || name === 'retried') await findRun().terminate('an operator did it');
      }
      await Promise.all(others().map((part) => part.start()));
    });
    after(async () => {
      await restore(env);
      await hasty.ensure();
    });

    it('does nothing in a workflow task past start_by', async () => {
      take('unbegun');
      await runsRead(['COMPLETED not_started']);
      await assertNothingHappened(env, merchant, key);
      assert.equal((await merchant.charge({}, { key })).status, 201);
    });

    it('is settled past start_by by a worker', async () => {
      take('settled');
      await assertChargedOnce(
        env,
        merchant,
        await untilAnswered('the retry', () => merchant.charge({}, { key })),
      );
      await runsRead(['COMPLETED succeeded']);
    });

    it('is resumed by the sweep after its run’s termination', async () => {
      take('swept');
      const [begun] = await charges();
      await sweptToSuccess();
      await runsRead(['TERMINATED', 'COMPLETED succeeded']);
      const answer = await merchant.charge({}, { key });
      assert.equal(answer.body.id, begun.id);
      await assertChargedOnce(env, merchant, answer);
    });

    it('is resumed by a retry after its run’s termination', async () => {
      take('retried');
      const [begun] = await charges();
      const answer = await merchant.charge({}, { key });
      assert.deepEqual([answer.status, answer.body.id], [201, begun.id], answer.text);
      await assertChargedOnce(env, merchant, answer);
    });
  });

  describe('done, with two runs of a step at once', () => {
    afterEach(() => restore(env));

    it('settles once; the step with old data reads again', async () => {
      await env.stageFault({ route: 'charges', mode: 'garbage', when: 'after', times: 1 });
      const held = await holdSettle(env, merchant);
      const sent = merchant.charge(manual, { key });
      await held.untilBlocked();
      // News of the processor has the workflow ask again, while what it asked before is about to settle.
      await findRun().signal(wakeSignal);
      await held.untilBlocked(2);
      await held.release();
      const answer = await sent;
      assert.deepEqual([answer.status, answer.body.status], [201, 'requires_capture'], answer.text);
      await assertInvariants(env, { accountIds: [merchant.accountId] });
      assert.equal((await charges())[0].version, 2);
    });
  });

  describe('over a link to Temporal', () => {
    /** Another API over the link, whose callers wait for as long as usual. */
    let patient: ChargingApi;
    before(async () => {
      patient = await startChargingApi(env, 'eager', { TEMPORAL_ADDRESS: link.address });
    });
    afterEach(async () => {
      link.open();
      await restore(env);
    });
    after(() => patient.part.stop());

    /** Two call Temporal and are not heard; the one that waits for less deletes the claim; then both are heard. */
    async function arriveLate(
      send: (api: { url: string }) => Promise<HttpAnswer<ChargeBody>>,
    ): Promise<void> {
      link.holdRequests();
      const first = send(patient);
      await eventually('the first holds the key', async () => (await claims()).length === 1);
      assert.deepEqual(toStatusAndCode(await send(hasty)), [503, 'service_unavailable']);
      assert.deepEqual(await claims(), []);
      link.open();
      assert.deepEqual(toStatusAndCode(await first), [503, 'service_unavailable']);
    }

    it('does nothing for a start after its claim’s end', async () => {
      await arriveLate(({ url }) => merchant.charge({}, { key, url }));
      // Each call may have started a run of its own.
      await eventually('every run has seen it', async () => {
        const runs = await chargeRuns(env, merchant, key);
        return runs.length > 0 && runs.every(({ result }) => result === 'not_started');
      });
      await assertNothingHappened(env, merchant, key);
    });

    it('does nothing for a wake after its claim’s end', async () => {
      const { id } = (await merchant.charge(manual)).body;
      const capture = ({ url }: { url: string }) =>
        merchant.send<ChargeBody>('POST', `/v1/charges/${id}:capture`, {}, { key, url });
      await arriveLate(capture);
      assert.deepEqual(
        (await env.books(id)).map(({ kind }) => kind),
        ['authorization'],
      );
      assert.equal((await capture({ url: env.stack.apiUrl })).status, 200);
      await assertInvariants(env, { accountIds: [merchant.accountId] });
    });

    it('is not undone by the API’s older view', async () => {
      link.holdRequests();
      const sent = merchant.charge({}, { key, url: hasty.url });
      await eventually('the key is claimed', async () => (await claims()).length === 1);
      const held = await holdCommitOfBegin(env, merchant);
      link.open();
      // Begin, and the release that waits for it.
      await held.untilBlocked(2);
      await held.release();
      assert.deepEqual(toStatusAndCode(await sent), [504, 'processor_timeout']);
      await assertChargedOnce(env, merchant, await merchant.charge({}, { key }));
    });

    /** The API of the stack has the run, and hears the wake. The one that wakes it does not hear that it was taken. */
    async function captureUnheard({ url }: ChargingApi) {
      const { id } = (await merchant.charge(manual)).body;
      link.holdAnswers();
      const path = `/v1/charges/${id}:capture`;
      return { id, sent: merchant.send<ChargeBody>('POST', path, {}, { key, url }) };
    }

    async function assertCapturedOnce(id: string, answer: HttpAnswer<ChargeBody>): Promise<void> {
      assert.deepEqual([answer.status, answer.body.status], [200, 'succeeded'], answer.text);
      assert.equal(answer.headers.get('idempotent-replayed'), null);
      assert.deepEqual(
        (await env.books(id)).map(({ kind }) => kind),
        ['authorization', 'capture'],
      );
      await assertInvariants(env, { accountIds: [merchant.accountId] });
    }

    it('answers an unheard capture when the window ends', async () => {
      const { id, sent } = await captureUnheard(hasty);
      await assertCapturedOnce(id, await sent);
    });

    it('answers an unheard capture after a disconnect', async () => {
      const { id, sent } = await captureUnheard(patient);
      await eventually('it is settled', async () => (await charges())[0]?.status === 'succeeded');
      link.cut();
      link.open();
      await assertCapturedOnce(id, await sent);
    });

    it('settles once while a killed API’s settle waits', async () => {
      const held = await holdSettle(env, merchant);
      const sent = merchant.charge(manual, { key, url: patient.url }).catch(() => 'lost');
      await held.untilBlocked();
      await patient.part.kill();
      assert.equal(await sent, 'lost');
      await held.untilBlocked(2);
      await held.release();
      const send = () => merchant.charge(manual, { key });
      const answer = await untilAnswered('the retry', send);
      assert.deepEqual([answer.status, answer.body.status], [201, 'requires_capture'], answer.text);
      await assertInvariants(env, { accountIds: [merchant.accountId] });
      const [charge] = await charges();
      assert.equal(charge.version, 2);
      assert.equal((await send()).text, answer.text);
    });
  });

  describe('done, with Temporal’s store lost before settle', () => {
    afterEach(() => restore(env));

    it('is resumed by the sweep', async () => {
      await hasty.ensure();
      const held = await holdSettle(env, merchant);
      const sent = merchant.charge({}, { key, url: hasty.url }).catch(() => 'lost');
      await held.untilBlocked();
      await hasty.part.kill();
      // At once: in 4 s, Temporal would give the run to another process.
      await loseTemporalStore(env);
      assert.equal(await sent, 'lost');
      await held.loseBlocked();
      await held.release();
      const [charge] = await charges();
      assert.equal(charge.status, 'pending');
      assert.equal((await env.books(charge.id)).length, 1);
      await pastStartBy(env, merchant, key);
      await sweptToSuccess();
      await assertChargedOnce(env, merchant, await merchant.charge({}, { key }));
      const run = await findRun().describe();
      assert.deepEqual(run.searchAttributes['AccountId'], [merchant.accountId]);
    });
  });
});

/** Has the sweep settle the charge. The sweep takes a row again after a minute: that minute is skipped. */
async function sweptToSuccess(): Promise<void> {
  await eventually('the sweep settles the charge', async () => {
    await charges().update({ checked_at: null });
    await runMaintenance(env, 'sweep');
    return (await charges())[0].status === 'succeeded';
  });
}

/** All runs are closed like this, and answered for one claim. */
async function runsRead(expected: string[]): Promise<void> {
  const runs = await eventually('the runs are closed', async () => {
    const seen = await chargeRuns(env, merchant, key);
    return seen.length === expected.length && seen.every(({ state }) => state !== 'RUNNING') && seen;
  });
  assert.deepEqual(
    runs.map(({ state, result }) => (result ? `${state} ${result}` : state)),
    expected,
  );
  assert.equal(new Set(runs.map(({ claimId }) => claimId)).size, 1);
}
