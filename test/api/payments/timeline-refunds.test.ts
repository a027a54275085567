import assert from 'node:assert/strict';
import type { TimelineEntryResource } from '#domain/timeline.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { createMerchant, type HttpAnswer, type Merchant } from '../../support/resources/merchant.ts';
import { cancelRefund, refundCharge, refundReads, type RefundBody } from '../../support/resources/refunds.ts';

interface TimelinePage {
  data: TimelineEntryResource[];
  has_more: boolean;
  next_cursor: string | null;
}

describe('GET /v1/charges/{id}/timeline, of a charge with refunds', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });
  afterEach(() => env.clearFaults());

  const readEntries = async (chargeId: string, from = merchant) => {
    const path = `/v1/charges/${chargeId}/timeline?limit=100`;
    const { status, text, body } = await from.get<TimelinePage>(path);
    assert.equal(status, 200, text);
    return body.data;
  };
  /** What was done for the refund, in short and without times. */
  const readSteps = async (refund: RefundBody, from = merchant) =>
    (await readEntries(refund.charge, from))
      .filter(({ detail }) => detail['refund'] === refund.id)
      .map(({ type, detail: { refund: _refund, ...detail } }) =>
        [type, ...Object.entries(detail).map(([name, value]) => (name === 'until' ? 'until' : value))].join(
          ' ',
        ),
      );
  const refunded = async (body: object = {}, from = merchant): Promise<RefundBody> => {
    const { body: charge } = await from.charge();
    const answer = await refundCharge(from, charge.id, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const processed = ['sent refund', 'processor_answered refund processed', 'waiting settlement until'];

  it('shows a refund behind the charge, and names it', async () => {
    const refund = await refunded({ amount: 400 });
    const entries = await readEntries(refund.charge);
    assert.deepEqual(
      entries.slice(3, 6).map(({ object, type, detail }) => ({ object, type, detail })),
      [
        {
          object: 'timeline_entry',
          type: 'refund_requested',
          detail: { amount: 400, currency: 'EUR', refund: refund.id },
        },
        { object: 'timeline_entry', type: 'sent', detail: { call: 'refund', refund: refund.id } },
        {
          object: 'timeline_entry',
          type: 'processor_answered',
          detail: { call: 'refund', outcome: 'processed', refund: refund.id },
        },
      ],
    );
    assert.deepEqual(await readSteps(refund), ['refund_requested 400 EUR', ...processed]);
  });

  it('shows how a refund was reversed', async () => {
    const refund = await refunded();
    await cancelRefund(merchant, refund.id);
    assert.deepEqual(await readSteps(refund), [
      'refund_requested 1000 EUR',
      ...processed,
      'reversal_requested',
      'sent reversal',
      'processor_answered reversal reversed',
      'refund_reversed 1000 EUR',
    ]);
  });

  it('shows that a refund has settled', async () => {
    const hasty = await createMerchant({ refund_reversible_ms: 100, refund_settlement_ms: 100 });
    const refund = await refunded({}, hasty);
    await refundReads(hasty, refund.id, 'settled');
    assert.deepEqual(await readSteps(refund, hasty), [
      'refund_requested 1000 EUR',
      ...processed,
      'asked refund',
      'processor_answered refund processed',
      'refund_settled 1000 EUR',
    ]);
  });

  it('shows why a refund has failed', async () => {
    const { body: charge } = await merchant.charge({ payment_method: 'tok_refund_fails' });
    assert.equal((await refundCharge(merchant, charge.id)).status, 422);
    const { data } = (await merchant.get<{ data: RefundBody[] }>(`/v1/refunds?charge=${charge.id}`)).body;
    const [failed] = data;
    assert.ok(failed);
    assert.deepEqual(await readSteps(failed), [
      'refund_requested 1000 EUR',
      'sent refund',
      `processor_answered refund failed ${failed.failure?.code}`,
      'refund_failed 1000 EUR',
    ]);
  });

  it('shows the wait for an asynchronous outcome', async () => {
    await env.stageFault({ route: 'refunds', mode: 'pending', when: 'before', times: 1 });
    const refund = await refunded();
    assert.equal(refund.status, 'pending');
    await refundReads(merchant, refund.id, 'processed');
    const steps = await readSteps(refund);
    assert.deepEqual(steps.slice(0, 4), [
      'refund_requested 1000 EUR',
      'sent refund',
      'processor_answered refund pending',
      'waiting processor',
    ]);
    assert.deepEqual(steps.slice(-3), [
      'asked refund',
      'processor_answered refund processed',
      'waiting settlement until',
    ]);
    // It may have been asked before the outcome was there.
    const early = steps.slice(4, -3);
    assert.deepEqual(
      early,
      early.map((_, index) => (index % 2 === 0 ? 'asked refund' : 'processor_answered refund pending')),
    );
  });

  it('shows a lost answer, and how it was resolved', async () => {
    await env.stageFault({ route: 'refunds', mode: 'garbage', when: 'after', times: 1 });
    assert.deepEqual(await readSteps(await refunded()), [
      'refund_requested 1000 EUR',
      'sent refund',
      'processor_fault refund processor_invalid_response',
      'asked refund',
      'processor_answered refund processed',
      'waiting settlement until',
    ]);
  });

  it('shows a reversal that was sent again', async () => {
    const refund = await refunded();
    await env.stageFault({ route: 'refund-reversals', mode: 'reset', when: 'before', times: 1 });
    await cancelRefund(merchant, refund.id);
    assert.deepEqual((await readSteps(refund)).slice(4), [
      'reversal_requested',
      'sent reversal',
      'processor_fault reversal processor_timeout',
      'sent reversal',
      'processor_answered reversal reversed',
      'refund_reversed 1000 EUR',
    ]);
  });

  it('begins with the request of an asynchronous caller', async () => {
    const { body: charge } = await merchant.charge();
    const answer = await refundCharge(merchant, charge.id, {}, { headers: { prefer: 'respond-async' } });
    assert.equal(answer.status, 202, answer.text);
    await refundReads(merchant, answer.body.id, 'processed');
    assert.deepEqual(await readSteps(answer.body), [
      'refund_requested 1000 EUR',
      'asked refund',
      'processor_answered refund not_found',
      ...processed,
    ]);
  });

  it('says nothing of a refund that was refused', async () => {
    const { body: charge } = await merchant.charge();
    const before = await readEntries(charge.id);
    assert.equal((await refundCharge(merchant, charge.id, { amount: 1001 })).status, 422);
    assert.deepEqual(await readEntries(charge.id), before);
  });

  it('shows each old entry once while refunds go on', async () => {
    const { body: charge } = await merchant.charge();
    const refund = () => refundCharge(merchant, charge.id, { amount: 10 });
    await Promise.all(Array.from({ length: 5 }, refund));
    const old = await readEntries(charge.id);
    let underWay = true;
    const more = Promise.all(Array.from({ length: 10 }, refund)).finally(() => void (underWay = false));
    const paged: TimelineEntryResource[] = [];
    let sawOthers = false;
    let path: string | null = `/v1/charges/${charge.id}/timeline?limit=1`;
    while (path) {
      const page: HttpAnswer<TimelinePage> = await merchant.get(path);
      sawOthers ||= underWay;
      paged.push(...page.body.data);
      path = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? null;
    }
    await more;
    assert.ok(sawOthers);
    const isOld = (entry: TimelineEntryResource) => old.some((other) => toKey(other) === toKey(entry));
    assert.deepEqual(paged.filter(isOld), old);
    const times = paged.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted());
    assert.equal(new Set(paged.map(toKey)).size, paged.length);
  });
});

const toKey = (entry: TimelineEntryResource) => JSON.stringify(entry);
