import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newId } from '#db/new-id.ts';
import { freePort } from '#local/processes/ports.ts';
import type { Part } from '#local/stack.ts';
import { workflowId } from '#temporal/client/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { openCharge } from '../../support/resources/maintenance-rows.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';
import { createCustomer } from '../../support/resources/customers.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { createWebhookEndpoint } from '../../support/resources/webhook-endpoints.ts';
import type { Environment } from '../../support/stack/environment.ts';
import { readStatements } from '../../support/runbooks.ts';
import { findPrometheus, type Prometheus } from '../../support/stack/outside/prometheus.ts';
import { startReceiver, type Receiver } from '../../support/stack/outside/receiver.ts';
import { assertFires, startAlertStack, type AlertStack } from './stack.ts';

const shiftClock = fileURLToPath(new URL('../../support/stack/shift-clock.mjs', import.meta.url));
const program = findPrometheus();

/**
 * The rules of `deploy/prometheus/alerts.yml` in a real Prometheus, with their metrics and thresholds, over seconds in
 * place of minutes. Each fault is what the alert's runbook is about.
 */
if (!program) console.log('no prometheus: whether real faults fire the alerts is not tested');
else
  describe('Alerts are fired', () => {
    let stack: AlertStack;
    let env: Environment;
    let merchant: Merchant;
    let receiver: Receiver;
    let prometheus: Prometheus;
    /** Who asked while the processor was away; they wait for their outcome. */
    const callers: Promise<unknown>[] = [];
    /** An API with room for little, on a machine whose clock is wrong. */
    let small: { part: Part; url: string };

    before(async () => {
      const port = await freePort();
      stack = await startAlertStack(program, { 'payments-api': [`http://127.0.0.1:${port}/metrics`] });
      ({ env, prometheus } = stack);
      const settings = {
        METRICS_PORT: String(port),
        MAX_WRITES_IN_FLIGHT: '1',
        DATABASE_POOL: '2',
        NODE_OPTIONS: `--import ${shiftClock}`,
        CLOCK_SHIFT_MS: '600000',
      };
      [small, merchant, receiver] = await Promise.all([
        env.stack.addApi(settings),
        createMerchant({ unknown_timeout_ms: 1_000 }, undefined, env),
        startReceiver(),
      ]);
      await createWebhookEndpoint(merchant, { url: receiver.url });
      await merchant.charge();
      await eventually('its event came', () => receiver.received.length > 0);
    });
    after(async () => {
      await Promise.all(callers);
      await Promise.all([small?.part.stop(), receiver?.close()]);
      await stack?.stop();
    });
    afterEach(() => env.clearFaults());

    const fires = (alerts: readonly string[], fault: () => Promise<unknown>) =>
      assertFires(prometheus, alerts, fault);

    it('by a clock that is ten minutes fast', async () => {
      await eventually('it fires', async () => (await prometheus.firing()).has('PaymentsClocksDiffer'));
    });

    it('by a processor that is away', () =>
      fires(
        ['PaymentsProcessorFails', 'PaymentsProcessorIsNotCalled', 'PaymentsCallersGetErrors'],
        async () => {
          for (const route of ['charges', 'lookups'] as const)
            await env.stageFault({ route, mode: 'unavailable', when: 'before', times: 10_000 });
          const since = Date.now();
          await eventually('it is not called any more', async () => {
            callers.push(merchant.charge());
            await sleep(100);
            const fired = await prometheus.firedSince(since);
            return fired.has('PaymentsProcessorIsNotCalled') && fired.has('PaymentsCallersGetErrors');
          });
          await env.clearFaults();
          await eventually(
            'the processor is called again',
            async () => (await merchant.charge()).status === 201,
          );
        },
      ));

    it('by more requests than an API has room for', () =>
      fires(['PaymentsShedsLoad'], async () => {
        const slow = { route: 'charges', mode: 'slow', when: 'before', delay_ms: 700 } as const;
        await env.stageFault({ ...slow, times: 10_000 });
        const since = Date.now();
        await eventually('Prometheus saw it', async () => {
          // One of them holds the only place.
          await Promise.all([1, 2].map(() => merchant.charge({}, { url: small.url })));
          return (await prometheus.firedSince(since)).has('PaymentsShedsLoad');
        });
      }));

    it('by a lock that holds all connections, and its page ends it', () =>
      fires(['PaymentsWaitsForConnections'], async () => {
        const [waiting, blocking] = readStatements('docs/runbooks/waits-for-connections.md');
        const customer = await createCustomer(merchant);
        const holder = await env.db.transaction();
        await holder.raw('set local idle_in_transaction_session_timeout = 0');
        await holder.raw('lock table customers in access exclusive mode');
        const since = Date.now();
        // A list has connections of its own, and is cut off soon.
        const read = () => merchant.get(customer.path, { url: small.url });
        const reads: ReturnType<typeof read>[] = [];
        try {
          await eventually('Prometheus saw it', async () => {
            // Whoever waits for a connection gives up after 5 s.
            reads.push(read());
            return (await prometheus.firedSince(since)).has('PaymentsWaitsForConnections');
          });
          const { rows } = await env.db.raw<{ rows: { query: string }[] }>(waiting!);
          assert.ok(rows.some(({ query }) => query.includes('lock table customers')));
          const blockers = await env.db.raw<{ rows: { blockers: number[] }[] }>(blocking!);
          const [pid] = blockers.rows.flatMap((row) => row.blockers) as [number];
          await env.db.raw('select pg_terminate_backend(?)', [pid]);
          await Promise.all(reads);
          assert.equal((await read()).status, 200);
        } finally {
          await holder.rollback().catch(() => undefined);
        }
      }));

    it('by a machine that leaves a process no time', () =>
      fires(['PaymentsProcessIsBusy'], async () => {
        const since = Date.now();
        await eventually('Prometheus saw it', async () => {
          process.kill(small.part.pid!, 'SIGSTOP');
          await sleep(300);
          process.kill(small.part.pid!, 'SIGCONT');
          await sleep(100);
          return (await prometheus.firedSince(since)).has('PaymentsProcessIsBusy');
        });
      }));

    it('by a worker that hangs for six seconds', () =>
      fires(['PaymentsProcessIsDown', 'PaymentsWebhooksAreLate', 'PaymentsBooksDiffer'], async () => {
        // Money that no row knows; the worker finds it once it runs again.
        const key = newId('charge');
        const hold = { key, token: 'tok_visa', amount: 700, currency: 'EUR', capture: false };
        await askProcessor('/charges', hold);
        const pid = env.stack.pid('worker')!;
        process.kill(pid, 'SIGSTOP');
        try {
          const workflow = { workflowId: `reconcile-${randomUUID()}`, taskQueue: 'payments' };
          await env.temporal.workflow.start('reconcile', workflow);
          await merchant.charge();
          await merchant.charge();
          await sleep(6_000);
        } finally {
          process.kill(pid, 'SIGCONT');
        }
        const since = Date.now();
        await eventually('the books are compared', async () =>
          (await prometheus.firedSince(since)).has('PaymentsBooksDiffer'),
        );
        await askProcessor('/voids', { charge_key: key });
      }));

    it('by a run that somebody ended, and a row that cannot be mended', () =>
      fires(['PaymentsRunsWereLost', 'PaymentsRowsAreSetAside'], async () => {
        const key = randomUUID();
        await merchant.charge({ capture_method: 'manual' }, { key });
        await env.temporal.workflow
          .getHandle(workflowId('charge', merchant.accountId, key))
          .terminate('staged');
        // Temporal refuses to signal what has no id.
        const charge = await openCharge(env.db, merchant.accountId, { workflow_id: '' });
        const news = { id: `news of ${charge}`, key: charge, received_at: new Date(Date.now() - 120_000) };
        await env.db('processor_notifications').insert(news);
        try {
          const since = Date.now();
          await eventually('the sweep saw both', async () => {
            await runMaintenance(env, 'sweep');
            const fired = await prometheus.firedSince(since);
            return fired.has('PaymentsRunsWereLost') && fired.has('PaymentsRowsAreSetAside');
          });
        } finally {
          await env.db('processor_notifications').where({ id: news.id }).delete();
          await env.db('upkeep_faults').where({ row_id: news.id }).delete();
          await env.db('charges').where({ id: charge }).delete();
        }
      }));

    it('by an outcome that Postgres refuses', () =>
      fires(['PaymentsStatementRefused'], async () => {
        const constraint = 'refused_by_an_alert';
        await env.db.raw(
          `alter table charges add constraint ${constraint}
           check (description <> '${constraint}' or status <> 'succeeded') not valid`,
        );
        try {
          await merchant.charge({ description: constraint });
        } finally {
          await env.db.raw(`alter table charges drop constraint ${constraint}`);
        }
      }));

    async function askProcessor(path: string, body: object): Promise<void> {
      const { processorUrl, secrets } = env.stack;
      const headers = {
        authorization: `Bearer ${secrets.processorSecret}`,
        'content-type': 'application/json',
      };
      const answer = await fetch(processorUrl + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      assert.equal(answer.status, 200);
    }
  });
