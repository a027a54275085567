import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Part } from '#local/stack.ts';
import { processorNotifiedSignal } from '#temporal/messages.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import {
  createMerchant,
  type ChargeBody,
  type HttpAnswer,
  type Merchant,
} from '../../support/resources/merchant.ts';
import { takenOverWithinMs } from '../../support/stack/locks.ts';
import { assertChargedOnce, assertNothingHappened } from '../../support/resources/outcomes.ts';
import { untilAnswered } from '../../support/stack/persistent.ts';
import { chargeRuns, chargeWorkflowId } from '../../support/resources/runs.ts';
import {
  addApi,
  holdCommitOfBegin,
  holdSettle,
  leaveChargesToWorkers,
  linkToTemporal,
  pastStartBy,
  restore,
  loseTemporalStore,
} from '../../support/stack/stages.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';
import { toStatusAndCode } from '../../support/status-and-code.ts';

/** Begin, the one statement that decides whether something may happen, in each race it is there for. */

let env: Environment;
let merchant: Merchant;
let key: string;
/** An API whose callers wait for a short time, so that `start_by` is soon over. */
let hasty: { part: Part; url: string };

const worker = () => env.stack.part('worker');
const claims = () => env.db('idempotency_keys').where({ account_id: merchant.accountId, key });
const charges = () => env.db('charges').where('account_id', merchant.accountId);

describe('Begin', () => {
  leaveChargesToWorkers();
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    hasty = await env.stack.addApi({ SYNC_WINDOW_MS: '4000' });
  });
  beforeEach(async () => {
    merchant = await createMerchant();
    key = randomUUID();
  });
  afterEach(() => restore(env));
  after(() => hasty.part.stop());

  describe('too late', () => {
    it('does nothing in a workflow task past start_by', async () => {
      const api = await addApi(env, { SYNC_WINDOW_MS: '8000' });
      await worker().stop();
      const sent = merchant.charge({}, { key, url: api.url }).catch(() => 'lost');
      await eventually('the run is started', async () => (await chargeRuns(env, merchant, key)).length === 1);
      await api.part.kill();
      assert.equal(await sent, 'lost');
      await pastStartBy(env, merchant, key);
      await worker().start();

      await runsRead(['COMPLETED not_started']);
      await assertNothingHappened(env, merchant, key);
      assert.equal((await merchant.charge({}, { key })).status, 201);
    });
  });

  describe('reached late, when its claim was deleted', () => {
    /** Two call Temporal and are not heard; the one that waits for less deletes the claim; then both are heard. */
    async function arriveLate(
      send: (api: { url: string }) => Promise<HttpAnswer<ChargeBody>>,
    ): Promise<void> {
      const link = await linkToTemporal(env);
      const [patient, impatient] = await Promise.all([
        link.addApi(),
        link.addApi({ SYNC_WINDOW_MS: '2500' }),
      ]);
      link.proxy.holdRequests();
      const first = send(patient);
      await eventually('the first holds the key', async () => (await claims()).length === 1);
      assert.deepEqual(toStatusAndCode(await send(impatient)), [503, 'service_unavailable']);
      assert.deepEqual(await claims(), []);
      link.proxy.open();
      assert.deepEqual(toStatusAndCode(await first), [503, 'service_unavailable']);
    }

    it('does nothing for the update-with-start of a charge', async () => {
      await arriveLate(({ url }) => merchant.charge({}, { key, url }));
      await runsRead(['COMPLETED not_started']);
      await assertNothingHappened(env, merchant, key);
    });

    it('does nothing for the update of a capture', async () => {
      const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
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
  });

  describe('at the very end of the window', () => {
    it('is not undone by the API’s older view', async () => {
      const link = await linkToTemporal(env);
      const api = await link.addApi({ SYNC_WINDOW_MS: '6000' });
      link.proxy.holdRequests();
      const sent = merchant.charge({}, { key, url: api.url });
      await eventually('the key is claimed', async () => (await claims()).length === 1);
      const held = await holdCommitOfBegin(env, merchant);
      link.proxy.open();
      // Begin, and the release that waits for it.
      await held.untilBlocked(2);
      await held.release();
      assert.deepEqual(toStatusAndCode(await sent), [504, 'processor_timeout']);
      await assertChargedOnce(env, merchant, await merchant.charge({}, { key }));
    });
  });

  describe('done, with the run lost between the processor’s answer and settle', () => {
    it('is settled past start_by by a new worker', async () => {
      await loseSettle();
      await worker().start();
      await assertChargedOnce(
        env,
        merchant,
        await untilAnswered('the retry', () => merchant.charge({}, { key })),
      );
      await runsRead(['COMPLETED succeeded']);
    });

    it('is resumed by the sweep after its run’s termination', async () => {
      await loseSettle();
      await terminate();
      const [begun] = await charges();
      await worker().start();
      await sweptToSuccess();
      await runsRead(['TERMINATED', 'COMPLETED succeeded']);
      const answer = await merchant.charge({}, { key });
      assert.equal(answer.body.id, begun.id);
      await assertChargedOnce(env, merchant, answer);
    });

    it('is resumed by a retry after its run’s termination', async () => {
      await loseSettle();
      await terminate();
      const [begun] = await charges();
      await worker().start();
      const answer = await merchant.charge({}, { key });
      assert.deepEqual([answer.status, answer.body.id], [201, begun.id], answer.text);
      await assertChargedOnce(env, merchant, answer);
    });

    it('is resumed after Temporal lost its store', async () => {
      await loseSettle();
      await loseTemporalStore(env);
      await worker().start();
      await sweptToSuccess();
      await assertChargedOnce(env, merchant, await merchant.charge({}, { key }));
      const run = await env.temporal.workflow.getHandle(chargeWorkflowId(merchant, key)).describe();
      assert.deepEqual(run.searchAttributes['AccountId'], [merchant.accountId]);
    });
  });

  describe('done twice at once', () => {
    it('settles once despite a killed worker’s late settle', async () => {
      const held = await stopAtSettle({});
      await worker().kill();
      await held.release();
      await eventually('it has arrived', async () => (await charges())[0].status === 'succeeded');
      await worker().start();
      await assertChargedOnce(env, merchant, await merchant.charge({}, { key }));
      await runsRead(['COMPLETED succeeded']);
    });

    it('settles once while a killed worker’s settle waits', async () => {
      const held = await stopAtSettle({ capture_method: 'manual' });
      await worker().kill();
      await worker().start();
      await held.untilBlocked(2, { withinMs: takenOverWithinMs });
      await held.release();
      const send = () => merchant.charge({ capture_method: 'manual' }, { key });
      const answer = await untilAnswered('the retry', send);
      assert.deepEqual([answer.status, answer.body.status], [201, 'requires_capture'], answer.text);
      await assertInvariants(env, { accountIds: [merchant.accountId] });
      const [charge] = await charges();
      assert.equal(charge.version, 2);
      assert.equal((await send()).text, answer.text);
    });
  });

  describe('done, with two runs of a step at once', () => {
    it('settles once; the step with old data reads again', async () => {
      await env.stageFault({ route: 'charges', mode: 'garbage', when: 'after', times: 1 });
      const held = await holdSettle(env, merchant);
      const sent = merchant.charge({ capture_method: 'manual' }, { key });
      await held.untilBlocked();
      // News of the processor has the workflow ask again, while what it asked before is about to settle.
      await env.temporal.workflow.getHandle(chargeWorkflowId(merchant, key)).signal(processorNotifiedSignal);
      await held.untilBlocked(2);
      await held.release();
      const answer = await sent;
      assert.deepEqual([answer.status, answer.body.status], [201, 'requires_capture'], answer.text);
      await assertInvariants(env, { accountIds: [merchant.accountId] });
      assert.equal((await charges())[0].version, 2);
    });
  });

  describe('with Temporal’s answer lost', () => {
    it('is answered from the row when the window ends', async () => {
      const link = await linkToTemporal(env);
      const api = await link.addApi({ SYNC_WINDOW_MS: '5000' });
      link.proxy.holdAnswers();
      const answer = await merchant.charge({}, { key, url: api.url });
      await assertChargedOnce(env, merchant, answer);
      assert.equal(answer.headers.get('idempotent-replayed'), null);
    });

    it('is answered by a second call after a disconnect', async () => {
      const link = await linkToTemporal(env);
      const api = await link.addApi();
      link.proxy.holdAnswers();
      const sent = merchant.charge({}, { key, url: api.url });
      await eventually('it is settled', async () => (await charges())[0]?.status === 'succeeded');
      link.proxy.cut();
      link.proxy.open();
      await assertChargedOnce(env, merchant, await sent);
    });
  });
});

/** Sends a charge and stops it where the processor has answered and settle waits. */
async function stopAtSettle(body: Record<string, unknown>) {
  const held = await holdSettle(env, merchant);
  const [answer] = await Promise.all([merchant.charge(body, { key, url: hasty.url }), held.untilBlocked()]);
  assert.deepEqual(toStatusAndCode(answer), [504, 'processor_timeout']);
  return held;
}

/** The worker is killed where the processor has taken the money and nobody has written it down. */
async function loseSettle(): Promise<void> {
  const held = await stopAtSettle({});
  await worker().kill();
  await held.loseBlocked();
  await held.release();
  const [charge] = await charges();
  assert.equal(charge.status, 'pending');
  assert.equal((await env.books(charge.id)).length, 1);
  await pastStartBy(env, merchant, key);
}

function terminate(): Promise<unknown> {
  return env.temporal.workflow.getHandle(chargeWorkflowId(merchant, key)).terminate('an operator did it');
}

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
