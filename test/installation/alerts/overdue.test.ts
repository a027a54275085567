import { freePort } from '#local/processes/ports.ts';
import { eventually } from '../../support/eventually.ts';
import { openCharge } from '../../support/resources/maintenance-rows.ts';
import { runMaintenance, scheduleId } from '../../support/resources/maintenance.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { refundCharge, refundReads } from '../../support/resources/refunds.ts';
import { countCharges, seedEventsAt } from '../../support/resources/seed-events.ts';
import { addBacklog, deliveriesTo, subscribe, untilParked } from '../../support/resources/subscriptions.ts';
import type { Environment } from '../../support/stack/environment.ts';
import { findPrometheus, type Prometheus } from '../../support/stack/outside/prometheus.ts';
import { accept, refuse, startReceiver, type Receiver } from '../../support/stack/outside/receiver.ts';
import { holdSweep, restore } from '../../support/stack/stages.ts';
import { assertFires, startAlertStack, untilNoneFires, type AlertStack } from './stack.ts';

const program = findPrometheus();
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** As in `faults.test.ts`, for what waits too long. Rows are made older, and each fault ends as its runbook says. */
if (program)
  describe('Alerts of what is overdue are fired', () => {
    let stack: AlertStack;
    let env: Environment;
    let prometheus: Prometheus;
    let merchant: Merchant;
    let receiver: Receiver;

    before(async () => {
      const port = await freePort();
      stack = await startAlertStack(program, { 'payments-worker': [`http://127.0.0.1:${port}/metrics`] });
      ({ env, prometheus } = stack);
      // It shows the metrics while the other worker, which takes all queues, is away.
      await env.stack.addWorker({ WORKER_QUEUES: 'deliveries', METRICS_PORT: String(port) });
      const settings = { unknown_timeout_ms: 1_000, webhook_retry_schedule_ms: [0, 10, 10, 3_600_000, 10] };
      merchant = await createMerchant(settings, undefined, env);
      receiver = await startReceiver();
    });
    after(async () => {
      await receiver?.close();
      await stack?.stop();
    });
    afterEach(() => restore(env));

    const fires = (alert: string, fault: () => Promise<unknown>) => assertFires(prometheus, [alert], fault);

    it('by a queue that no worker takes', async () => {
      const { body: charge } = await merchant.charge();
      let refundId = '';
      await fires('PaymentsQueueIsLate', async () => {
        await env.stack.part('worker').stop();
        const headers = { prefer: 'respond-async' };
        refundId = (await refundCharge(merchant, charge.id, {}, { headers })).body.id;
      });
      await env.stack.part('worker').start();
      await refundReads(merchant, refundId, 'processed');
      await untilNoneFires(prometheus, ['PaymentsQueueIsLate']);
    });

    it('by a sweep that somebody paused', async () => {
      const schedule = env.temporal.schedule.getHandle(scheduleId('sweep'));
      await fires('PaymentsSweepIsLate', async () => {
        await holdSweep(env);
        const old = { created_at: minutesAgo(16), checked_at: minutesAgo(16) };
        await openCharge(env.db, merchant.accountId, old);
      });
      await schedule.unpause('by the page of the alert');
      await runMaintenance(env, 'sweep');
      await untilNoneFires(prometheus, ['PaymentsSweepIsLate']);
    });

    it('by a refund that the processor does not decide', async () => {
      const { body: charge } = await merchant.charge();
      let refundId = '';
      await fires('PaymentsRefundsUndecided', async () => {
        await env.stageFault({ route: 'lookups', mode: 'unavailable', when: 'before', times: 10_000 });
        await env.stageFault({ route: 'refunds', mode: 'garbage', when: 'after', times: 10_000 });
        const headers = { prefer: 'respond-async' };
        refundId = (await refundCharge(merchant, charge.id, {}, { headers })).body.id;
        await env
          .db('refunds')
          .where({ id: refundId })
          .update({ created_at: minutesAgo(2) });
        await runMaintenance(env, 'sweep');
      });
      await env.clearFaults();
      await refundReads(merchant, refundId, 'processed');
      await runMaintenance(env, 'sweep');
      await untilNoneFires(prometheus, ['PaymentsRefundsUndecided']);
    });

    it('by a thousand retries that are due', async () => {
      const endpoint = await subscribe(merchant, receiver);
      receiver.answer(refuse(500), endpoint.path);
      await merchant.charge();
      await untilParked(env, endpoint);
      await fires('PaymentsRetriesPileUp', async () => {
        await addBacklog(env, endpoint, 1_001);
        // As if each of them had failed once.
        const failed = { status: 'retrying', attempts: 1, next_attempt_at: new Date() };
        await env.db('webhook_deliveries').where({ endpoint_id: endpoint.id }).update(failed);
      });
      receiver.answer(accept, endpoint.path);
      const over = { last_turn_at: minutesAgo(1), parked_until: minutesAgo(1) };
      await env.db('webhook_endpoints').where({ id: endpoint.id }).update(over);
      await runMaintenance(env, 'sweep');
      await untilNoneFires(prometheus, ['PaymentsRetriesPileUp']);
      await eventually('all are delivered', async () =>
        (await deliveriesTo(env, endpoint)).every(({ status }) => status === 'delivered'),
      );
    });

    it('by charges of an account that cannot be counted', async () => {
      const { accountId } = await createMerchant({}, undefined, env);
      await fires('PaymentsFiguresAreLate', async () => {
        await env.db.raw(
          `alter table charge_figures add constraint refused_by_an_alert
           check (account_id <> '${accountId}') not valid`,
        );
        await seedEventsAt(env.db, accountId, 1, [+minutesAgo(6)]);
      });
      await env.db.raw('alter table charge_figures drop constraint refused_by_an_alert');
      await countCharges(env, accountId);
      await untilNoneFires(prometheus, ['PaymentsFiguresAreLate']);
    });
  });
