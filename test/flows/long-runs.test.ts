import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { accountId, resourceId } from '#temporal/search-attributes.ts';
import type { RunMemo } from '#temporal/client/starts.ts';
import { wakeSignal } from '#temporal/messages.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { assertInvariants } from '../support/invariants/invariants.ts';
import {
  createMerchant,
  type ChargeBody,
  type HttpAnswer,
  type Merchant,
} from '../support/resources/merchant.ts';
import { restore } from '../support/stack/stages.ts';

/** Charges and refunds that are asked for more than one run of a workflow can take. */

let env: Environment;
let merchant: Merchant;

const toStatusText = ({ status, body }: HttpAnswer<ChargeBody>) => `${status} ${body.code}`;

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
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });
  afterEach(() => restore(env));

  const capture = (id: string, body: object = {}) =>
    merchant.send<ChargeBody>('POST', `/v1/charges/${id}:capture`, body);

  it('is not woken by captures that its row refuses', async () => {
    const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
    const counts = await countAnswers(50, 10, () => capture(id, { amount: 1_001 }));
    assert.deepEqual(counts, { '422 capture_exceeds_authorized': 50 });
    assert.equal((await capture(id)).status, 200);
    const [{ workflow_id }] = await env.db('charges').where({ id });
    const { events } = await env.temporal.workflow.getHandle(workflow_id).fetchHistory();
    const woken = (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes);
    assert.equal(woken.length, 1);
  });

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

  it('goes on in a new one after many wakes', async () => {
    const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
    const [{ claim_id, workflow_id }] = await env.db('charges').where({ id });
    const run = env.temporal.workflow.getHandle(workflow_id);
    // A run has 1,000 events at most, beside those that come at once.
    const wakes = Array.from({ length: 1_100 }, (_, n) => n);
    const lane = async () => {
      while (wakes.pop() !== undefined) await run.signal(wakeSignal);
    };
    await Promise.all(Array.from({ length: 16 }, lane));
    const count = async (state: string) =>
      (await listRuns(workflow_id, claim_id, id)).filter((one) => one === state).length;
    await eventually('a run has gone on', async () => (await count('CONTINUED_AS_NEW')) > 0);
    assert.equal((await capture(id)).status, 200);
    await eventually('no run is open', async () => (await count('RUNNING')) === 0);
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });
});
