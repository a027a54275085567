import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
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
  before(async () => {
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

  it('finds what the queries of the documents ask for', async () => {
    const { body: charge } = await merchant.charge({ capture_method: 'manual' });
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| ([^|]+) \| `([^`]* = '[^`]*)` \|$/gm)];
    assert.equal(rows.length, 10);
    const found = new Map<string, string[]>();
    for (const [, question, query] of rows) {
      const own = query!.replace('acct_1', merchant.accountId).replace('ch_1', charge.id);
      await eventually(question!, async () => {
        const ids: string[] = [];
        for await (const run of env.temporal.workflow.list({ query: own }))
          ids.push(run.typedSearchAttributes.get(resourceId) ?? '');
        found.set(question!, ids);
        return ids.includes(charge.id) || !isAboutIt(question!);
      });
    }
    assert.ok([...found].every(([question, ids]) => ids.includes(charge.id) === isAboutIt(question)));
  });

  /** Whether a query of the documents must find a charge of this merchant that waits for its capture. */
  function isAboutIt(question: string): boolean {
    return /of an account|the run of a charge|wait for a capture/.test(question);
  }

  it('reads what a run waits for, and until when', async () => {
    const key = randomUUID();
    const { body: charge } = await merchant.charge({ capture_method: 'manual' }, { key });
    const told = await eventually('the details say it', async () => {
      const { currentDetails } = await findRun(key).query<{ currentDetails: string }>(
        '__temporal_workflow_metadata',
      );
      return /^Waits for a capture or a cancel of the merchant\. Until (\S+)\./.exec(currentDetails);
    });
    // The run counts from the moment at which it heard of the authorization.
    const late = Date.parse(String(told[1])) - Date.parse(String(charge.expires_at));
    assert.ok(Math.abs(late) < 60_000, `${late} ms late`);
    const { events } = await findRun(key).fetchHistory();
    const summaries = (events ?? []).flatMap(({ userMetadata }) =>
      userMetadata?.summary?.data ? [Buffer.from(userMetadata.summary.data).toString()] : [],
    );
    assert.deepEqual(summaries, [
      '"Charge 10.00 EUR"',
      '"Records the charge, sends it to the processor, and stores the answer"',
      '"Waits for a capture, a cancel or the expiry"',
    ]);
  });

  it('reads the amount, claim and trace of a request', async () => {
    const key = randomUUID();
    const answer = await merchant.charge({ amount: 123_456 }, { key });
    const run = await findRun(key).describe();
    const [claim] = await env.db('idempotency_keys').where('resource_id', answer.body.id);
    assert.equal(await run.staticSummary(), 'Charge 1234.56 EUR');
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

  it('reads the fault after which a run waits', async () => {
    const key = randomUUID();
    await env.stageFault({ route: 'lookups', mode: 'unavailable', when: 'before', times: 1_000 });
    const { body } = await merchant.charge({ payment_method: 'tok_async_silent' }, { key });
    assert.equal(body.status, 'pending');
    const readDetails = async () =>
      (await findRun(key).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
    await eventually('the details name it', async () =>
      (await readDetails()).includes('ended with processor_unavailable'),
    );
    await env.clearFaults();
    await findRun(key).result();
    assert.doesNotMatch(await readDetails(), /processor_unavailable/);
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
