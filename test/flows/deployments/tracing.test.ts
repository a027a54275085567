import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { workflowId } from '#temporal/client/ids.ts';
import type { Part } from '#local/stack.ts';
import { observeWork } from '#worker/observation.ts';
import {
  startCollector,
  startRecordingProxy,
  type CollectedSpan,
  type Collector,
} from '../../support/stack/outside/collector.ts';
import { startChargingApi, type ChargingApi } from '../../support/stack/charging-api.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { refuse, startReceiver, type Receiver } from '../../support/stack/outside/receiver.ts';
import { subscribe } from '../../support/resources/subscriptions.ts';
import { bundledWorkflows } from '../../support/bundle.ts';
import { quietTemporal } from '../../workflows/quiet-temporal.ts';
import { historyToJson, readableText } from '../../workflows/histories.ts';

describe('Traces', () => {
  let env: Environment;
  let merchant: Merchant;
  let collector: Collector;
  let receiver: Receiver;
  let processor: Awaited<ReturnType<typeof startRecordingProxy>>;
  let api: ChargingApi;
  let worker: Part;
  const traced = () => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    PROCESSOR_URL: processor.url,
  });
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
    collector = await startCollector();
    receiver = await startReceiver();
    processor = await startRecordingProxy(env.stack.processorUrl);
    await env.stack.part('worker').stop();
    [api, worker] = await Promise.all([
      startChargingApi(env, 'eager', traced()),
      env.stack.addWorker(traced()),
    ]);
  });
  after(async () => {
    await Promise.all([api.part.stop(), worker.stop()]);
    await Promise.all([collector.close(), processor.close(), receiver.close()]);
    await env.stack.part('worker').start();
  });

  /** The spans from this one up to the one without a parent among them, by service and name. */
  const wayUp = (spans: CollectedSpan[], from: CollectedSpan): string[] => {
    const parent = spans.find(({ spanId }) => spanId === from.parentSpanId);
    return [`${from.service} ${from.name}`, ...(parent ? wayUp(spans, parent) : [])];
  };
  const findSpans = (traceId: string, name: string) =>
    eventually(`${name} is in the trace`, () => {
      const spans = collector.spans.filter((span) => span.traceId === traceId);
      return spans.some((span) => span.name === name) && spans;
    });
  const named = (spans: CollectedSpan[], name: string) => spans.find((span) => span.name === name)!;

  it('lead from the request to the processor’s call', async () => {
    const [traceId, callerSpan] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const { status } = await merchant.charge(
      {},
      { url: api.url, headers: { traceparent: `00-${traceId}-${callerSpan}-01` } },
    );
    assert.equal(status, 201);
    // Told last: a run's span is made when the run has ended, and a request's when it is answered.
    await findSpans(traceId, 'POST /v1/charges');
    const spans = await findSpans(traceId, 'workflow charge');
    const call = named(spans, 'processor authorize');
    assert.deepEqual(wayUp(spans, call), [
      'payments-api processor authorize',
      'payments-api authorizeCharge',
      'payments-api workflow charge',
      'payments-api StartWorkflow',
      'payments-api POST /v1/charges',
    ]);
    assert.equal(named(spans, 'POST /v1/charges').parentSpanId, callerSpan);
    const passedOn = processor.heads.map(({ headers }) => headers['traceparent']);
    assert.ok(passedOn.includes(`00-${traceId}-${call.spanId}-01`), passedOn.join());
  });

  it('lead to the step that a worker repeats', async () => {
    await env.stageFault({ route: 'charges', mode: 'garbage', when: 'after', times: 1 });
    const answer = await merchant.charge({}, { url: api.url });
    assert.equal(answer.status, 201, answer.text);
    const traceId = answer.headers.get('trace-id') ?? '';
    await findSpans(traceId, 'POST /v1/charges');
    await findSpans(traceId, 'workflow charge');
    // The worker sends its spans by itself, so they may come last.
    const spans = await findSpans(traceId, 'resolveCharge');
    assert.deepEqual(wayUp(spans, named(spans, 'processor findCharge')), [
      'payments-worker processor findCharge',
      'payments-worker resolveCharge',
      'payments-api workflow charge',
      'payments-api StartWorkflow',
      'payments-api POST /v1/charges',
    ]);
  });

  it('lead through inline steps without a run', async () => {
    const inline = await startChargingApi(env, 'inline', traced());
    const answer = await merchant.charge({}, { url: inline.url });
    const spans = await findSpans(answer.headers.get('trace-id') ?? '', 'POST /v1/charges');
    assert.deepEqual(wayUp(spans, named(spans, 'processor authorize')), [
      'payments-api processor authorize',
      'payments-api POST /v1/charges',
    ]);
    await inline.part.stop();
  });

  it('continue with webhook calls, and tell receivers nothing', async () => {
    const shop = await createMerchant({ webhook_retry_schedule_ms: [0, 50] });
    const endpoint = await subscribe(shop, receiver, { events: ['charge.*'] });
    receiver.answer(refuse(503), endpoint.path);
    const traceId = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` };
    assert.equal((await shop.charge({}, { url: api.url, headers })).status, 201);
    await findSpans(traceId, 'POST /v1/charges');
    await findSpans(traceId, 'workflow charge');
    const spans = await eventually('both attempts are in the trace', () => {
      const all = collector.spans.filter((span) => span.traceId === traceId);
      return all.filter(({ name }) => name === 'webhook').length === 2 && all;
    });
    assert.deepEqual(wayUp(spans, named(spans, 'webhook')), [
      'payments-worker webhook',
      'payments-api authorizeCharge',
      'payments-api workflow charge',
      'payments-api StartWorkflow',
      'payments-api POST /v1/charges',
    ]);
    assert.deepEqual(
      endpoint.raw().flatMap((sent) => Object.keys(sent.headers).filter((name) => name.startsWith('trace'))),
      [],
    );
  });

  it('continue with webhook calls for direct writes', async () => {
    const shop = await createMerchant();
    await subscribe(shop, receiver);
    const answer = await shop.send('POST', '/v1/customers', { name: 'Zoë' }, { url: api.url });
    const traceId = answer.headers.get('trace-id') ?? '';
    await findSpans(traceId, 'POST /v1/customers');
    const spans = await findSpans(traceId, 'webhook');
    assert.deepEqual(wayUp(spans, named(spans, 'webhook')), [
      'payments-worker webhook',
      'payments-api POST /v1/customers',
    ]);
  });

  it('begin with the request, under the answered trace id', async () => {
    const answer = await merchant.charge({}, { url: api.url });
    const traceId = answer.headers.get('trace-id') ?? '';
    const spans = await findSpans(traceId, 'POST /v1/charges');
    assert.equal(named(spans, 'POST /v1/charges').parentSpanId ?? '', '');
    await findSpans(traceId, 'processor authorize');
  });

  it('have a capture in its own request’s trace', async () => {
    const { body } = await merchant.charge({ capture_method: 'manual' }, { url: api.url });
    const capture = await merchant.send('POST', `/v1/charges/${body.id}:capture`, {}, { url: api.url });
    assert.equal(capture.status, 200);
    const traceId = capture.headers.get('trace-id') ?? '';
    await findSpans(traceId, 'POST /v1/charges/{id}:capture');
    // Spans are sent as they end: with the step, its call is there.
    const spans = await findSpans(traceId, 'captureCharge');
    assert.deepEqual(wayUp(spans, named(spans, 'processor capture')), [
      'payments-api processor capture',
      'payments-api captureCharge',
      'payments-api SignalWithStart wake',
      'payments-api POST /v1/charges/{id}:capture',
    ]);
  });

  it('are not made where the caller wants none', async () => {
    const [unwanted, next] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    for (const [traceId, flags] of [
      [unwanted, '00'],
      [next, '01'],
    ] as const) {
      const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}`;
      const answer = await merchant.charge({}, { url: api.url, headers: { traceparent } });
      assert.equal(answer.headers.get('trace-id'), traceId);
    }
    await findSpans(next, 'workflow charge');
    assert.ok(!collector.spans.some(({ traceId }) => traceId === unwanted));
  });

  it('hold nothing of the merchant, and replay', async () => {
    const key = randomUUID();
    const traceId = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${traceId}-${'a'.repeat(16)}-01`, tracestate: 'shop=her-birthday' };
    await merchant.charge({ description: 'her-birthday' }, { url: api.url, key, headers });
    await findSpans(traceId, 'workflow charge');
    const sent = collector.bodies.join('\n');
    for (const secret of [
      merchant.accountId,
      merchant.token,
      merchant.clientId,
      key,
      'tok_visa',
      'her-birthday',
    ])
      assert.ok(!sent.includes(secret), secret);

    const id = workflowId('charge', merchant.accountId, key);
    const history = await env.temporal.workflow.getHandle(id).fetchHistory();
    const text = readableText(historyToJson(history));
    assert.match(text, new RegExp(`"00-${traceId}-[0-9a-f]{16}-01"`));
    assert.doesNotMatch(text, /her-birthday|tracestate/);
    quietTemporal();
    const { sinks } = observeWork({ metrics: null, tracing: null });
    await Worker.runReplayHistory({ workflowBundle: await bundledWorkflows(), sinks }, history, id);
  });

  it('are not made by processes that have no collector', async () => {
    const answer = await merchant.get('/v1/charges');
    const last = await merchant.get('/v1/charges', { url: api.url });
    await findSpans(last.headers.get('trace-id') ?? '', 'GET /v1/charges');
    assert.ok(!collector.spans.some(({ traceId }) => traceId === answer.headers.get('trace-id')));
  });
});
