import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { createActivities } from '#activities/index.ts';
import type { ActivityDeps } from '#activities/deps.ts';
import { ProcessorFault, type PaymentProcessor } from '#processor/port.ts';
import { findOrCreateClaim, findClaim } from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import type { NewRefund, RefundOutcome } from '#domain/refunds.ts';
import { fixedProcessor } from '../support/resources/fixed-processor.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { amountRefunded, findRefundEvents } from '../support/resources/refunds.ts';

let env: Environment;
let merchant: Merchant;

/** Two workers may hold one step: a worker that is cut off does not know that another was given it. */
const workers = 5;

/** A processor that answers all calls of one round at once, so that every worker is past its reading. */
function createProcessor(outcome: RefundOutcome) {
  let sent = 0;
  let waiting: (() => void)[] = [];
  const answer = async (): Promise<RefundOutcome> => {
    sent += 1;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length < workers) return;
      for (const go of waiting) go();
      waiting = [];
    });
    return outcome;
  };
  const processor = {
    refund: answer,
    reverseRefund: answer,
    findRefund: answer,
  } as unknown as PaymentProcessor;
  return { processor, sent: () => sent };
}

const openActivities = (processor: PaymentProcessor) =>
  createActivities({
    db: env.db,
    processors: fixedProcessor(processor),
    publicUrl: 'http://localhost',
  } as ActivityDeps);

async function claim(resourceId: string, endpoint: string, request: object, startWithinMs = 60_000) {
  const claimId = newId('claim');
  await findOrCreateClaim(env.db, {
    claimId,
    accountId: merchant.accountId,
    endpoint,
    key: randomUUID(),
    fingerprint: randomBytes(32),
    request,
    resourceId,
    apiVersion: '2026-11-01',
    path: '/v1/refunds',
    traceId: '0'.repeat(32),
    startWithinMs,
  });
  return claimId;
}

/** A refund that is claimed and has not begun, as its run is given it. */
async function claimedRefund(amount: number | null, startWithinMs?: number) {
  const { body: charge } = await merchant.charge();
  const refundId = newId('refund');
  const request: NewRefund = { chargeId: charge.id, amount, reason: null, metadata: {} };
  const claimId = await claim(refundId, 'POST /v1/refunds', request, startWithinMs);
  const run = {
    accountId: merchant.accountId,
    refundId,
    claimId,
    respondAsync: false,
    durations: { reversibleMs: 60_000, settlementMs: 60_000 },
    workflowId: `refund/${merchant.accountId}/${refundId}`,
  };
  return { chargeId: charge.id, request, run };
}

const unreachable = () => Promise.reject(new Error('nothing is to be sent')) as never;
const silent = { refund: unreachable, reverseRefund: unreachable, findRefund: unreachable };
const noProcessor = silent as unknown as PaymentProcessor;

/** As if the worker had died between the begin and the answer. */
async function forgetAnswer(claimId: string, request: NewRefund): Promise<void> {
  const none = { answered_at: null, answer_status: null, answer_headers: null, answer_body: null };
  await env
    .db('idempotency_keys')
    .where('claim_id', claimId)
    .update({ ...none, request });
}

const together = <Result>(step: () => Promise<Result>) =>
  Promise.all(Array.from({ length: workers }, () => step()));

const processed: RefundOutcome = { kind: 'processed', processorId: 'p' };
const declined: RefundOutcome = { kind: 'failed', processorId: 'p', code: 'declined', message: 'No' };
const reversed: RefundOutcome = { kind: 'reversed', processorId: 'p' };

describe('The steps of a refund', () => {
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  describe('taken by several workers at once', () => {
    it('reserves the amount once and sends one refund', async () => {
      const { chargeId, run } = await claimedRefund(300);
      let sent = 0;
      const processor = { ...silent, refund: () => Promise.resolve(((sent += 1), processed)) };
      const steps = openActivities(processor as unknown as PaymentProcessor);
      await together(() => steps.refundCharge(run));
      assert.deepEqual([sent, await amountRefunded(merchant, chargeId)], [1, 300]);
      assert.deepEqual(await findRefundEvents(env, run.refundId), ['refund.processed']);
    });

    const outcomes: [RefundOutcome, amount: number, event: string, status: number][] = [
      [processed, 300, 'refund.processed', 201],
      [declined, 0, 'refund.failed', 422],
    ];
    for (const [outcome, amount, event, status] of outcomes) {
      it(`concludes once that it is ${outcome.kind}`, async () => {
        const { chargeId, request, run } = await claimedRefund(300);
        await openActivities(noProcessor).acceptRefund(run);
        await forgetAnswer(run.claimId, request);
        // Another refund, so that giving back twice would not run into zero.
        await merchant.send('POST', `/v1/charges/${chargeId}/refunds`, { amount: 500 });
        const { processor, sent } = createProcessor(outcome);
        const steps = openActivities(processor);
        const ends = await together(() => steps.resolveRefund(run));
        assert.equal(sent(), workers);
        assert.deepEqual([...new Set(ends.map((end) => end.status))], [outcome.kind]);
        assert.deepEqual(await findRefundEvents(env, run.refundId), [event]);
        assert.equal(await amountRefunded(merchant, chargeId), 500 + amount);
        assert.equal((await findClaim(env.db, run.claimId))?.answer?.status, status);
      });
    }

    it('gives the amount of a reversal back once', async () => {
      const { chargeId, run } = await claimedRefund(300);
      const steps = openActivities({ ...silent, refund: () => Promise.resolve(processed) } as never);
      await steps.refundCharge(run);
      await merchant.send('POST', `/v1/charges/${chargeId}/refunds`, { amount: 500 });
      const reversalClaimId = await claim(run.refundId, 'POST /v1/refunds/{id}:cancel', {});
      const { processor } = createProcessor(reversed);
      const lost = () => Promise.reject(new ProcessorFault('processor_timeout', 'no answer'));
      const first = openActivities({ reverseRefund: lost } as never);
      assert.equal((await first.reverseRefund(run)).next, 'resolve_reversal');
      const ends = await together(() => openActivities(processor).resolveReversal(run));
      assert.deepEqual([...new Set(ends.map((end) => end.status))], ['reversed']);
      assert.deepEqual(await findRefundEvents(env, run.refundId), ['refund.processed', 'refund.reversed']);
      assert.equal(await amountRefunded(merchant, chargeId), 500);
      assert.equal((await findClaim(env.db, reversalClaimId))?.answer?.status, 200);
    });

    it('settles the refund once, with one event', async () => {
      const { run } = await claimedRefund(null);
      const durations = { reversibleMs: 1, settlementMs: 1 };
      const steps = openActivities({ ...silent, refund: () => Promise.resolve(processed) } as never);
      await steps.refundCharge({ ...run, durations });
      const { processor, sent } = createProcessor(processed);
      await together(() => openActivities(processor).settleRefund(run));
      assert.equal(sent(), workers, 'each worker asks first');
      assert.deepEqual(await findRefundEvents(env, run.refundId), ['refund.processed', 'refund.settled']);
    });
  });

  describe('after their begin', () => {
    it('begins nothing late, and nothing without its claim', async () => {
      const late = await claimedRefund(300, 0);
      const freed = await claimedRefund(300);
      await env.db('idempotency_keys').where('claim_id', freed.run.claimId).delete();
      for (const { chargeId, run } of [late, freed]) {
        for (const step of ['refundCharge', 'acceptRefund'] as const) {
          const end = await openActivities(noProcessor)[step](run);
          assert.deepEqual(end, { status: 'not_started', next: 'done' });
        }
        assert.equal(await amountRefunded(merchant, chargeId), 0);
        assert.deepEqual(await env.db('refunds').where('id', run.refundId), []);
      }
    });

    it('keeps to a refusal, however much is left later', async () => {
      const { chargeId, request, run } = await claimedRefund(600);
      const { body: other } = await merchant.send<{ id: string }>('POST', `/v1/charges/${chargeId}/refunds`, {
        amount: 500,
      });
      const first = await openActivities(noProcessor).refundCharge(run);
      await forgetAnswer(run.claimId, request);
      await merchant.send('POST', `/v1/refunds/${other.id}:cancel`);
      const second = await openActivities(noProcessor).refundCharge(run);
      assert.deepEqual([first.status, second.status], ['refused', 'refused']);
      assert.equal((await findClaim(env.db, run.claimId))?.answer?.status, 422);
      assert.equal(await amountRefunded(merchant, chargeId), 0);
    });

    it('begins no reversal after its deadline or reversible_until', async () => {
      const { chargeId, run } = await claimedRefund(300);
      const durations = { reversibleMs: 1, settlementMs: 60_000 };
      const steps = openActivities({ ...silent, refund: () => Promise.resolve(processed) } as never);
      await steps.refundCharge({ ...run, durations });
      for (const [startWithinMs, status] of [
        [0, undefined],
        [60_000, 409],
      ] as const) {
        const reversalClaimId = await claim(run.refundId, 'POST /v1/refunds/{id}:cancel', {}, startWithinMs);
        const end = await steps.reverseRefund(run);
        assert.deepEqual([end.status, end.next], ['processed', 'await_settlement']);
        assert.equal((await findClaim(env.db, reversalClaimId))?.answer?.status, status);
      }
      assert.equal(await amountRefunded(merchant, chargeId), 300);
    });
  });
});
