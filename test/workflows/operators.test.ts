import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { workflowId } from '#temporal/client/ids.ts';
import { accountId, resourceId, resourceStatus } from '#temporal/search-attributes.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { historyToJson, readableText } from './histories.ts';

/** What whoever runs the service sees of a charge in Temporal. */

describe('An operator who looks at Temporal', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    merchant = await createMerchant();
  });
  after(() => env.clearFaults());

  const findRun = (key: string) =>
    env.temporal.workflow.getHandle(workflowId('charge', merchant.accountId, key));

  it('finds a charge by account, id and status', async () => {
    const { body: charge } = await merchant.charge({ capture_method: 'manual' });
    const find = (query: string) =>
      eventually(query, async () => {
        const found = [];
        for await (const run of env.temporal.workflow.list({ query })) found.push(run);
        return found.length > 0 && found;
      });
    for (const query of [
      // The answer may come before Temporal has recorded the status.
      `ResourceId = '${charge.id}' and ResourceStatus = 'requires_capture'`,
      `AccountId = '${merchant.accountId}' and ResourceStatus = 'requires_capture'`,
    ]) {
      const [run] = await find(query);
      assert.equal(run?.type, 'charge');
      assert.equal(run.typedSearchAttributes.get(accountId), merchant.accountId);
      assert.equal(run.typedSearchAttributes.get(resourceId), charge.id);
      assert.equal(run.typedSearchAttributes.get(resourceStatus), 'requires_capture');
    }
    await merchant.send('POST', `/v1/charges/${charge.id}:capture`);
    const [run] = await find(`ResourceId = '${charge.id}' and ResourceStatus = 'succeeded'`);
    assert.equal(run?.memo?.['claim_id'], (await env.db('charges').where('id', charge.id).first()).claim_id);
  });

  it('reads the amount, claim and trace of a request', async () => {
    const key = randomUUID();
    const answer = await merchant.charge({ amount: 123_456 }, { key });
    const run = await findRun(key).describe();
    const [claim] = await env.db('idempotency_keys').where('resource_id', answer.body.id);
    assert.equal(await run.staticSummary(), '1234.56 EUR');
    assert.deepEqual(run.memo, {
      claim_id: claim.claim_id,
      trace_id: answer.headers.get('trace-id'),
    });
  });

  it('reads why a charge is still pending', async () => {
    const key = randomUUID();
    const fault = { route: 'charges', mode: 'unavailable', when: 'before', times: 1_000 } as const;
    await env.stageFault(fault);
    const { status } = await merchant.charge({}, { key, headers: { prefer: 'respond-async' } });
    assert.equal(status, 202);
    const step = await eventually('the step failed', async () => {
      const [pending] = pendingSteps(await findRun(key).describe());
      return pending?.lastFailure && pending;
    });
    assert.equal(step.activityType?.name, 'resolveCharge');
    assert.equal(step.lastFailure?.message, 'The processor refused: status 503');
    assert.equal(step.lastFailure?.applicationFailureInfo?.type, 'processor_unavailable');
    await env.clearFaults();
    assert.deepEqual(await findRun(key).result(), { status: 'succeeded' });
  });

  it('reads no card, token or text in any history', async () => {
    const key = randomUUID();
    await merchant.charge(
      { description: 'For her birthday', metadata: { note: 'Surprise' }, payment_method: 'tok_mastercard' },
      { key },
    );
    await findRun(key).result();
    const latest = env.temporal.workflow.list({ query: `WorkflowType = 'charge'`, pageSize: 200 });
    let read = 0;
    for await (const { workflowId: id, runId } of latest) {
      const history = await env.temporal.workflow.getHandle(id, runId).fetchHistory();
      assert.doesNotMatch(readableText(historyToJson(history)), /tok_|her birthday|Surprise|mastercard/, id);
      read += 1;
      if (read === 200) break;
    }
    assert.ok(read > 0);
  });
});

const pendingSteps = (run: WorkflowExecutionDescription) => run.raw.pendingActivities ?? [];
