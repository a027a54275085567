import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { wakeSignal } from '#temporal/messages.ts';
import { startChargingApi, type ChargingApi } from '../../support/stack/charging-api.ts';
import { hastyWindow, narrowWindow } from '../../support/durations.ts';
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
  holdCommitOfBegin,
  holdNewCharges,
  holdSettle,
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
let hasty: ChargingApi;

/** Until they are started, runs are those of `hasty` alone. */
const others = () => [env.stack.part('worker'), env.stack.part('api')];
const stopOthers = () => Promise.all(others().map((part) => part.stop()));
const startOthers = () => Promise.all(others().map((part) => part.start()));
const claims = () => env.db('idempotency_keys').where({ account_id: merchant.accountId, key });
const charges = () => env.db('charges').where('account_id', merchant.accountId);

describe('Begin', () => {
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    hasty = await startChargingApi(env, 'eager', hastyWindow);
  });
  beforeEach(async () => {
    merchant = await createMerchant();
    key = randomUUID();
    await hasty.ensure();
  });
  afterEach(() => restore(env));
  after(() => hasty.part.stop());

  describe('too late', () => {
    it('does nothing in a workflow task past start_by', async () => {
      await stopOthers();
      const held = await holdNewCharges(env);
      const sent = merchant.charge({}, { key, url: hasty.url }).catch(() => 'lost');
      await held.untilBlocked(1, { text: 'insert into charges' });
      await hasty.part.kill();
      assert.equal(await sent, 'lost');
      await held.loseBlocked();
      await held.release();
      assert.equal((await chargeRuns(env, merchant, key))[0]?.state, 'RUNNING');
      await pastStartBy(env, merchant, key);
      await startOthers();

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
      const [patient, impatient] = await Promise.all([link.addApi(), link.addApi(hastyWindow)]);
      link.proxy.holdRequests();
      const first = send(patient);
      await eventually('the first holds the key', async () => (await claims()).length === 1);
      assert.deepEqual(toStatusAndCode(await send(impatient)), [503, 'service_unavailable']);
      assert.deepEqual(await claims(), []);
      link.proxy.open();
      assert.deepEqual(toStatusAndCode(await first), [503, 'service_unavailable']);
    }

    it('does nothing for the start of a charge', async () => {
      await arriveLate(({ url }) => merchant.charge({}, { key, url }));
      // Each call may have started a run of its own.
      await eventually('every run has seen it', async () => {
        const runs = await chargeRuns(env, merchant, key);
        return runs.length > 0 && runs.every(({ result }) => result === 'not_started');
      });
      await assertNothingHappened(env, merchant, key);
    });

    it('does nothing for the wake of a capture', async () => {
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
      const api = await link.addApi(narrowWindow);
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
    it('is settled past start_by by a worker', async () => {
      await loseSettle();
      await startOthers();
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
      await startOthers();
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
      await startOthers();
      const answer = await merchant.charge({}, { key });
      assert.deepEqual([answer.status, answer.body.id], [201, begun.id], answer.text);
      await assertChargedOnce(env, merchant, answer);
    });

    it('is resumed after Temporal lost its store', async () => {
      await loseSettle();
      await loseTemporalStore(env);
      await startOthers();
      await sweptToSuccess();
      await assertChargedOnce(env, merchant, await merchant.charge({}, { key }));
      const run = await env.temporal.workflow.getHandle(chargeWorkflowId(merchant, key)).describe();
      assert.deepEqual(run.searchAttributes['AccountId'], [merchant.accountId]);
    });
  });

  describe('done twice at once', () => {
    it('settles once while a killed API’s settle waits', async () => {
      const held = await stopAtSettle({ capture_method: 'manual' });
      await hasty.part.kill();
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
      await env.temporal.workflow.getHandle(chargeWorkflowId(merchant, key)).signal(wakeSignal);
      await held.untilBlocked(2);
      await held.release();
      const answer = await sent;
      assert.deepEqual([answer.status, answer.body.status], [201, 'requires_capture'], answer.text);
      await assertInvariants(env, { accountIds: [merchant.accountId] });
      assert.equal((await charges())[0].version, 2);
    });
  });

  describe('of a capture, with Temporal’s answer lost', () => {
    /** Another API has the run, and hears the wake. The one that wakes it does not hear that it was taken. */
    async function captureUnheard(settings: Record<string, string> = {}) {
      const manual = { capture_method: 'manual' };
      const { id } = (await merchant.charge(manual, { url: hasty.url })).body;
      const link = await linkToTemporal(env);
      const { url } = await link.addApi(settings);
      link.proxy.holdAnswers();
      const path = `/v1/charges/${id}:capture`;
      return { id, link, sent: merchant.send<ChargeBody>('POST', path, {}, { key, url }) };
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

    it('is answered from the row when the window ends', async () => {
      const { id, sent } = await captureUnheard(narrowWindow);
      await assertCapturedOnce(id, await sent);
    });

    it('is answered from the row after a disconnect', async () => {
      const { id, link, sent } = await captureUnheard();
      await eventually('it is settled', async () => (await charges())[0]?.status === 'succeeded');
      link.proxy.cut();
      link.proxy.open();
      await assertCapturedOnce(id, await sent);
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

/** The API is killed where the processor has taken the money and nobody has written it down. Nobody else runs charges. */
async function loseSettle(): Promise<void> {
  await stopOthers();
  const held = await stopAtSettle({});
  await hasty.part.kill();
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
