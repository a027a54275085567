import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { accountId, resourceId } from '#temporal/search-attributes.ts';
import type { RunLimits } from '#temporal/run-limits.ts';
import { chargeStart, refundStart, type RunMemo } from '#temporal/client/starts.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { assertInvariants } from '../support/invariants/invariants.ts';
import {
  createMerchant,
  type ChargeBody,
  type HttpAnswer,
  type Merchant,
} from '../support/resources/merchant.ts';
import { sendNotification } from '../support/resources/processor-news.ts';
import { startAgain } from '../support/resources/runs.ts';
import { voidAtProcessor } from '../support/resources/refunds.ts';
import { restore } from '../support/stack/stages.ts';

/** Charges and refunds that are asked for more than one run of a workflow can take. */

let env: Environment;
let merchant: Merchant;

const toStatusText = ({ status, body }: HttpAnswer<ChargeBody>) => `${status} ${body.code}`;
const durations = { authorizationTtlMs: 3_600_000, unknownTimeoutMs: 600_000 };

/** Sends so many requests, some at a time, and counts their answers. */
async function countAnswers(
  times: number,
  atOnce: number,
  send: () => Promise<HttpAnswer<ChargeBody>>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  let left = times;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const code = toStatusText(await send());
      counts[code] = (counts[code] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return counts;
}

/** The charge's run begins anew with lower limits, as the sweep would begin it after a loss. */
async function restartCharge(chargeId: string, limits: RunLimits): Promise<string> {
  const row = await env.db('charges').where({ id: chargeId }).first();
  const { workflow_id: workflowId, account_id, claim_id: claimId } = row;
  await env.temporal.workflow.getHandle(workflowId).terminate('to begin again with lower limits');
  const ids = { id: chargeId, accountId: account_id, claimId, workflowId };
  const start = chargeStart({ ...ids, amount: 1_000, currency: 'EUR' }, { durations });
  await startAgain(env, { ...start, input: { ...start.input, limits } });
  return workflowId;
}

/** How the runs of the workflow ended, but for the one that was terminated; each must be of the claim. */
async function listRuns(workflowId: string, claimId: string, resource: string): Promise<string[]> {
  const states: string[] = [];
  for await (const run of env.temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    if (run.status.name === 'TERMINATED') continue;
    states.push(run.status.name);
    const { memo, typedSearchAttributes: shown } = run;
    assert.deepEqual(
      [(memo as RunMemo).claim_id, shown.get(accountId), shown.get(resourceId)],
      [claimId, merchant.accountId, resource],
    );
  }
  return states;
}

describe('A run that is asked for much', () => {
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    merchant = await createMerchant();
  });
  afterEach(() => restore(env));

  const capture = (id: string, body: object = {}) =>
    merchant.send<ChargeBody>('POST', `/v1/charges/${id}:capture`, body);

  it('takes a capture after 2,010 that its row refused', async () => {
    const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
    const counts = await countAnswers(2_010, 24, () => capture(id, { amount: 1_001 }));
    assert.deepEqual(counts, { '422 capture_exceeds_authorized': 2_010 });
    assert.equal((await capture(id)).status, 200);
    const [{ workflow_id }] = await env.db('charges').where({ id });
    const { events } = await env.temporal.workflow.getHandle(workflow_id).fetchHistory();
    const accepted = (events ?? []).map(
      (event) => event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name,
    );
    assert.equal(accepted.filter((name) => name === 'capture').length, 1);
  }).timeout(120_000);

  it('refuses a capture while another one is under way', async () => {
    const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
    await env.stageFault({ route: 'captures', mode: 'slow', when: 'before', times: 1, delay_ms: 1_500 });
    const first = capture(id);
    await eventually('it is under way', async () => {
      const [row] = await env.db('charges').where({ id });
      return row.capture_claim_id !== null;
    });
    const key = randomUUID();
    const second = () => merchant.send<ChargeBody>('POST', `/v1/charges/${id}:capture`, {}, { key });
    const refused = await second();
    assert.equal(toStatusText(refused), '409 charge_already_captured');
    assert.equal((await first).status, 200);
    assert.equal((await second()).text, refused.text);
  });

  it('goes on in a new one after many captures', async () => {
    const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
    const [{ claim_id }] = await env.db('charges').where({ id });
    const workflowId = await restartCharge(id, { updates: 3 });
    // The processor declines each of them, which no row can tell before.
    await voidAtProcessor(env, id);
    const counts = await countAnswers(20, 1, () => capture(id));
    assert.deepEqual(counts, { '402 capture_declined': 20 });
    const cancelled = await merchant.send<ChargeBody>('POST', `/v1/charges/${id}:cancel`);
    assert.equal(cancelled.body.status, 'cancelled');
    const states = await eventually('all runs are over', async () => {
      const seen = await listRuns(workflowId, claim_id, id);
      return !seen.includes('RUNNING') && seen;
    });
    assert.ok(states.filter((state) => state === 'CONTINUED_AS_NEW').length >= 6, states.join());
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  }).timeout(60_000);

  it('goes on in a new one after many signals', async () => {
    const { id } = (await merchant.charge({ payment_method: 'tok_async_silent' })).body;
    await env.stageFault({ route: 'lookups', key: id, mode: 'unavailable', when: 'before', times: 10_000 });
    const [{ claim_id }] = await env.db('charges').where({ id });
    const workflowId = await restartCharge(id, { signals: 3 });
    await eventually('three runs have gone on', async () => {
      await sendNotification(env, id);
      const states = await listRuns(workflowId, claim_id, id);
      return states.filter((state) => state === 'CONTINUED_AS_NEW').length >= 3;
    });
    await env.clearFaults();
    await sendNotification(env, id);
    await eventually('it succeeds', async () => {
      const { body } = await merchant.get(`/v1/charges/${id}`);
      return body.status === 'succeeded';
    });
  }).timeout(60_000);

  it('goes on in a new one after many reversals', async () => {
    merchant = await createMerchant({ refund_reversible_ms: 1, refund_settlement_ms: 3_600_000 });
    const { body: charge } = await merchant.charge();
    const { id } = (await merchant.send<ChargeBody>('POST', '/v1/refunds', { charge: charge.id })).body;
    const row = await env.db('refunds').where({ id }).first();
    const { workflow_id: workflowId, claim_id: claimId } = row;
    await env.temporal.workflow.getHandle(workflowId).terminate('to begin again with lower limits');
    const ids = { id, accountId: merchant.accountId, claimId, workflowId };
    const refundDurations = { reversibleMs: 1, settlementMs: 3_600_000 };
    const start = refundStart({ ...ids, amount: 1_000, currency: 'EUR' }, { refundDurations });
    await startAgain(env, { ...start, input: { ...start.input, limits: { updates: 3 } } });
    const reverse = () => merchant.send<ChargeBody>('POST', `/v1/refunds/${id}:cancel`, {});
    assert.deepEqual(await countAnswers(20, 5, reverse), { '409 refund_not_reversible': 20 });
    await eventually('runs have gone on, and one runs', async () => {
      const seen = await listRuns(workflowId, claimId, id);
      const count = (state: string) => seen.filter((one) => one === state).length;
      return count('CONTINUED_AS_NEW') >= 3 && count('RUNNING') === 1;
    });
  }).timeout(60_000);
});
