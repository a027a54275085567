import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { chargeLeaseMs } from '#db/payments/charge-leases.ts';
import { startChargingApi, ways, type ChargingApi, type Way } from '../support/stack/charging-api.ts';
import { hastyWindow } from '../support/durations.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { assertInvariants } from '../support/invariants/invariants.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { assertChargedOnce, assertNothingHappened } from '../support/resources/outcomes.ts';
import { refundCharge } from '../support/resources/refunds.ts';
import { chargeRuns, chargeWorkflowId } from '../support/resources/runs.ts';
import type { Proxy } from '../support/stack/outside/proxy.ts';
import { restore, startTemporalProxy } from '../support/stack/stages.ts';
import { toStatusAndCode } from '../support/status-and-code.ts';

/** Who takes the first steps of a charge, and what that changes for the merchant: nothing but the time. */

let env: Environment;
let apis: Record<Way, ChargingApi>;
/** Its way to Temporal, which can fail. */
let link: Proxy;
/** Another one of each way whose callers wait for a short time. The eager ones go over the link. */
let hasty: Record<Way, ChargingApi>;
let merchant: Merchant;
let key: string;

const claims = () => env.db('idempotency_keys').where({ account_id: merchant.accountId, key });
const charges = () => env.db('charges').where('account_id', merchant.accountId);
const manual = { capture_method: 'manual' };
const capture = (id: string) => merchant.send('POST', `/v1/charges/${id}:capture`);

async function begin() {
  merchant = await createMerchant();
  key = randomUUID();
}

describe('An API that takes the steps of charges', () => {
  before(async () => {
    env = await environment();
    link = await startTemporalProxy(env);
    const over = { TEMPORAL_ADDRESS: link.address };
    const [eager, inline, hastyEager, hastyInline] = await Promise.all([
      startChargingApi(env, 'eager', over),
      startChargingApi(env, 'inline'),
      startChargingApi(env, 'eager', { ...hastyWindow, ...over }),
      startChargingApi(env, 'inline', hastyWindow),
    ]);
    apis = { eager, inline };
    hasty = { eager: hastyEager, inline: hastyInline };
  });
  beforeEach(begin);
  afterEach(() => restore(env));
  after(async () => {
    await Promise.all([apis, hasty].flatMap(Object.values<ChargingApi>).map(({ part }) => part.stop()));
    await link.close();
  });

  it('charges, refunds and captures inline without a worker', async () => {
    const { url, countBegun } = apis.eager;
    const [chargesBefore, refundsBefore] = [await countBegun('eager'), await countBegun('eager', 'refund')];
    await env.stack.part('worker').stop();
    const charge = await merchant.charge({}, { url });
    assert.equal(charge.status, 201, charge.text);
    const refund = await refundCharge(merchant, charge.body.id, { amount: 400 }, { url });
    assert.deepEqual([refund.status, refund.body.status], [201, 'processed'], refund.text);
    assert.equal(await countBegun('eager'), chargesBefore + 1);
    assert.equal(await countBegun('eager', 'refund'), refundsBefore + 1);

    const { body } = await merchant.charge(manual, { key, url: apis.inline.url });
    const begun = await apis.inline.countBegun('inline');
    const path = `/v1/charges/${body.id}:capture`;
    const captured = await merchant.send('POST', path, {}, { url: apis.inline.url });
    assert.equal(captured.status, 200, captured.text);
    assert.equal(await apis.inline.countBegun('inline'), begun + 1);
    await env.stack.part('worker').start();
    await eventually('its run has ended', async () =>
      (await chargeRuns(env, merchant, key)).every(({ result }) => result === 'succeeded'),
    );
    assert.deepEqual(
      (await env.books(body.id)).map(({ kind }) => kind),
      ['authorization', 'capture'],
    );
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });

  it('leaves an inline charge to no workflow meanwhile', async () => {
    const { url } = apis.inline;
    await env.stageFault({ route: 'charges', mode: 'slow', when: 'before', times: 1, delay_ms: 2_500 });
    const first = merchant.charge({}, { key, url });
    await eventually('it has begun', async () => (await charges()).length === 1);
    const second = await merchant.charge({}, { key });
    await assertChargedOnce(env, merchant, second);
    assert.equal((await first).text, second.text);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(await chargeRuns(env, merchant, key), []);
  });

  for (const way of ways) {
    it(`gives duplicates elsewhere the same answer (${way})`, async () => {
      const { url } = apis[way];
      const other = apis[way === 'eager' ? 'inline' : 'eager'].url;
      for (let round = 0; round < 5; round += 1) {
        await begin();
        const sent = [url, env.stack.apiUrl, other, url].map((at) => merchant.charge({}, { key, url: at }));
        const answers = await Promise.all(sent);
        assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
        const replays = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
        assert.equal(replays.length, answers.length - 1);
        await assertChargedOnce(env, merchant, answers[0]!);
      }
    });
  }

  it('follows the account rather than the deployment', async () => {
    for (const [way, execution, runs] of [
      ['inline', 'workflow', 1],
      ['eager', 'inline', 0],
    ] as const) {
      merchant = await createMerchant({ charge_execution: execution });
      const before = await apis[way].countBegun(way);
      await assertChargedOnce(env, merchant, await merchant.charge({}, { key, url: apis[way].url }));
      assert.equal(await apis[way].countBegun(way), before);
      const what = `${execution} at an API with ${way}`;
      if (runs > 0)
        await eventually(what, async () => (await chargeRuns(env, merchant, key)).length === runs);
      // Temporal lists a run late: it is asked for this one.
      else
        await assert.rejects(
          env.temporal.workflow.getHandle(chargeWorkflowId(merchant, key)).describe(),
          WorkflowNotFoundError,
          what,
        );
    }
  });

  it('gives an inline authorization its workflow at once', async () => {
    const { body } = await merchant.charge(manual, { key, url: apis.inline.url });
    const [run] = await eventually(
      'its run is there before its lease ends',
      async () => {
        const runs = await chargeRuns(env, merchant, key);
        return runs.length > 0 && runs;
      },
      chargeLeaseMs - 500,
    );
    assert.deepEqual([run?.state, run?.chargeId], ['RUNNING', body.id]);
    await eventually('its lease is over', async () => (await charges())[0].leased_until === null);
    assert.equal((await capture(body.id)).status, 200);
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });

  it('waits no longer than its window for itself', async () => {
    for (const way of ways) {
      await begin();
      await env.stageFault({ route: 'charges', mode: 'slow', when: 'after', times: 1, delay_ms: 5_500 });
      const answer = await merchant.charge({}, { key, url: hasty[way].url });
      assert.deepEqual(toStatusAndCode(answer), [504, 'processor_timeout'], way);
      await assertChargedOnce(env, merchant, await merchant.charge({}, { key }));
    }
  });

  it('that is far from Temporal, has a run anywhere answer', async () => {
    const far = apis.eager;
    const before = await far.countBegun('run');
    link.delay(900);
    const answer = await merchant.charge({}, { key, url: far.url }).finally(() => link.delay(0));
    await assertChargedOnce(env, merchant, answer);
    assert.equal(await far.countBegun('run'), before + 1);
  });

  describe('without Temporal', () => {
    it('refuses eager charges, goes on inline, and stops', async () => {
      const inlineKey = randomUUID();
      const { url } = apis.inline;
      const other = await createMerchant();
      await env.stack.part('temporal').kill();
      const refused = await merchant.charge({}, { key, url: apis.eager.url });
      assert.deepEqual(toStatusAndCode(refused), [503, 'service_unavailable']);
      assert.deepEqual(await claims(), []);

      assert.equal((await other.charge({}, { url })).status, 201);
      const { status, body } = await other.charge(manual, { key: inlineKey, url });
      assert.deepEqual([status, body.status], [201, 'requires_capture']);
      await stopsSoon(hasty.eager);

      await env.stack.part('temporal').start();
      await assertNothingHappened(env, merchant, key);
      await assertChargedOnce(env, merchant, await merchant.charge({}, { key, url: apis.eager.url }));
      // The workflow of the inline authorization is started later.
      const runs = await eventually('its workflow is started', async () => {
        const seen = await chargeRuns(env, other, inlineKey);
        return seen.length > 0 && seen;
      });
      assert.deepEqual(
        runs.map(({ state, chargeId }) => [state, chargeId]),
        [['RUNNING', body.id]],
      );
      assert.equal((await other.send('POST', `/v1/charges/${body.id}:capture`)).status, 200);
      await assertInvariants(env, { accountIds: [other.accountId] });
    });

    it('that is silent, stops as soon as with it', async () => {
      link.holdRequests();
      await stopsSoon(apis.eager);
    });
  });
});

async function stopsSoon({ part }: ChargingApi): Promise<void> {
  const since = Date.now();
  await part.stop(60_000);
  assert.ok(Date.now() - since < 30_000, `it took ${Date.now() - since} ms`);
}
