import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { workflowId } from '#temporal/client/ids.ts';
import { freePort } from '#local/processes/ports.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { scrape, type Scrape } from '../../support/metrics.ts';
import { refuse, startReceiver } from '../../support/stack/outside/receiver.ts';
import { holdSettle, restore } from '../../support/stack/stages.ts';
import { createWebhookEndpoint } from '../../support/resources/webhook-endpoints.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';

describe('What is told to Prometheus', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });
  afterEach(() => restore(env));

  const api = () => scrape(env.stack.metricsUrls.api);
  const worker = () => scrape(env.stack.metricsUrls.worker);
  /** Either takes steps of charges. */
  const both = () => scrape(env.stack.metricsUrls.api, env.stack.metricsUrls.worker);

  /** How much a sample grew; waited for, since some are told when an answer is out already. */
  async function grows(
    read: () => Promise<Scrape>,
    since: Scrape,
    [name, labels, by]: [string, Record<string, string>, number],
  ): Promise<void> {
    const what = `${name} ${JSON.stringify(labels)} grows by ${by}`;
    await eventually(what, async () => (await read()).sum(name, labels) - since.sum(name, labels) === by);
  }

  it('counts and times requests by template, method and status', async () => {
    const since = await api();
    const { body } = await merchant.charge();
    await merchant.get(`/v1/charges/${body.id}`);
    await merchant.get(`/v1/charges/${body.id}`);
    await merchant.charge({ amount: -1 });
    const count = 'payments_http_request_seconds_count';
    const route = '/v1/charges';
    await grows(api, since, [count, { method: 'POST', route, status: '2xx' }, 1]);
    await grows(api, since, [count, { method: 'POST', route, status: '4xx' }, 1]);
    await grows(api, since, [count, { method: 'GET', route: '/v1/charges/{id}', status: '2xx' }, 2]);
    const told = await api();
    assert.ok(told.sum('payments_http_request_seconds_sum', { method: 'POST', route }) > 0);
  });

  it('has one series for all that matches no route', async () => {
    const since = await api();
    await Promise.all(['/a', '/b', '/v1/c'].map((path) => fetch(env.stack.apiUrl + path)));
    await grows(api, since, ['payments_http_request_seconds_count', { route: 'none', status: '4xx' }, 3]);
  });

  it('shows the requests that wait', async () => {
    await env.stageFault({ route: 'charges', mode: 'slow', when: 'before', times: 1, delay_ms: 1_500 });
    const answer = merchant.charge();
    await eventually('one is in flight', async () => (await api()).sum('payments_http_in_flight') >= 1);
    await answer;
    await eventually('none is', async () => (await api()).sum('payments_http_in_flight') === 0);
  });

  it('counts who is turned away, by why', async () => {
    const port = await freePort();
    const small = await env.stack.addApi({ METRICS_PORT: String(port), MAX_WRITES_IN_FLIGHT: '1' });
    try {
      const read = () => scrape(`http://127.0.0.1:${port}/metrics`);
      const since = await read();
      const quick = await createMerchant({ rate_limit_rps: 1, rate_limit_burst: 1 });
      const over = await Promise.all([1, 2, 3].map(() => quick.get('/v1/charges', { url: small.url })));
      const limited = over.filter(({ status }) => status === 429).length;
      assert.ok(limited > 0);
      await grows(read, since, ['payments_http_refused_total', { reason: 'rate_limited' }, limited]);

      const held = await holdSettle(env, merchant);
      const first = merchant.charge({}, { url: small.url });
      // It holds the only place.
      await held.untilBlocked();
      assert.equal((await merchant.charge({}, { url: small.url })).status, 503);
      await held.release();
      await grows(read, since, ['payments_http_refused_total', { reason: 'shed' }, 1]);
      assert.equal((await first).status, 201);
    } finally {
      await small.part.stop();
    }
  });

  it('counts the results of workflows, steps and processor calls', async () => {
    const since = await both();
    await merchant.charge();
    await merchant.charge({ payment_method: 'tok_declined' });
    for (const sample of [
      ['payments_workflows_closed_total', { workflow: 'charge', result: 'succeeded' }, 1],
      ['payments_workflows_closed_total', { workflow: 'charge', result: 'failed' }, 1],
      ['payments_activity_seconds_count', { activity: 'authorizeCharge', outcome: 'completed' }, 2],
      ['payments_processor_call_seconds_count', { call: 'authorize', outcome: 'captured' }, 1],
      ['payments_processor_call_seconds_count', { call: 'authorize', outcome: 'declined' }, 1],
    ] satisfies [string, Record<string, string>, number][]) {
      await grows(both, since, sample);
    }
  });

  it('counts the processor that gives no usable answer', async () => {
    const since = await both();
    await env.stageFault({ route: 'charges', mode: 'unavailable', when: 'before', times: 1 });
    await merchant.charge();
    const labels = { call: 'authorize', outcome: 'processor_unavailable' };
    await grows(both, since, ['payments_processor_call_seconds_count', labels, 1]);
  });

  it('counts every repair of the sweep', async () => {
    const key = randomUUID();
    const { status } = await merchant.charge({ capture_method: 'manual' }, { key });
    assert.equal(status, 201);
    const since = await worker();
    const repaired = since.sum('payments_upkeep_total', { step: 'restartLostPayments.charges' });
    const id = workflowId('charge', merchant.accountId, key);
    await env.temporal.workflow.getHandle(id).terminate('staged');
    // The sweep of the Schedule may be the one that repairs it.
    const after = await eventually('a sweep repairs it', async () => {
      await runMaintenance(env, 'sweep');
      const seen = await worker();
      return seen.sum('payments_upkeep_total', { step: 'restartLostPayments.charges' }) > repaired && seen;
    });
    assert.match(after.text, /^payments_undecided\{step="countUndecidedRefunds"\} \d+$/m);
  });

  it('shows webhook delivery results and how late they are', async function () {
    const receiver = await startReceiver();
    try {
      receiver.answer(refuse(500), '/ill');
      await createWebhookEndpoint(merchant, { url: `${receiver.url}/well` });
      await createWebhookEndpoint(merchant, { url: `${receiver.url}/ill` });
      const since = await worker();
      await merchant.charge();
      for (const sample of [
        ['payments_delivery_attempt_seconds_count', { outcome: 'delivered' }, 1],
        ['payments_delivery_attempt_seconds_count', { outcome: 'status' }, 1],
        ['payments_delivery_lag_seconds_count', { attempt: 'first' }, 1],
      ] satisfies [string, Record<string, string>, number][]) {
        await grows(worker, since, sample);
      }
      const told = await worker();
      const { text } = told;
      const lag = 'payments_delivery_lag_seconds_sum';
      // Of these deliveries only: tests before this one may have delivered late to the same worker.
      assert.ok(told.sum(lag) - since.sum(lag) < 30, 'seconds, since the event');
      assert.match(text, /^payments_deliveries_open\{state="pending"\} \d+$/m);
      assert.match(text, /^payments_deliveries_open\{state="due"\} \d+$/m);
      assert.match(text, /^payments_figures_lag_seconds [\d.]+$/m);
    } finally {
      await receiver.close();
    }
  });

  it('shows pools, event loop, queues and the SDK', async () => {
    for (const { text } of [await api(), await worker()]) {
      assert.match(text, /^payments_pool_connections\{state="used"\} \d+$/m);
      assert.match(text, /^payments_pool_waiting \d+$/m);
      assert.match(text, /^nodejs_eventloop_lag_p99_seconds \d/m);
    }
    const { text } = await worker();
    for (const queue of ['payments', 'payments-operations', 'payments-deliveries']) {
      for (const type of ['workflow', 'activity'])
        assert.match(
          text,
          new RegExp(`^payments_queue_tasks\\{queue="${queue}",type="${type}"\\} \\d+$`, 'm'),
        );
    }
    assert.match((await both()).text, /^temporal_workflow_completed\{.*workflow_type="charge".*\} \d+$/m);
    assert.match(text, /^temporal_worker_task_slots_available\{/m);
  });

  it('names no account, and has its own port', async () => {
    const key = randomUUID();
    const { body } = await merchant.charge({}, { key });
    for (const { text } of [await api(), await worker()]) {
      for (const secret of [merchant.accountId, body.id, key, merchant.clientId])
        assert.ok(!text.includes(secret));
      assert.doesNotMatch(text, /"[^"]*(acct|ch|re|cus|pm)_[0-9A-Za-z]{10}/);
    }
    assert.equal((await fetch(`${env.stack.apiUrl}/metrics`)).status, 404);
    assert.equal((await fetch(env.stack.metricsUrls.api.replace(/metrics$/, 'readyz'))).status, 404);
  });
});
