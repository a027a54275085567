import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { createAddressGuard } from '#webhooks/address-guard.ts';
import { Dispatcher, type DispatcherOptions } from '#webhooks/dispatcher.ts';
import { createSender } from '#webhooks/send.ts';
import { Waker } from '#webhooks/wake.ts';
import type { Config } from '#startup/config.ts';
import { listenForDeliveries } from '#db/webhooks/delivery-notices.ts';
import type { Database } from '#db/knex.ts';
import { endpointStart, wakeRun } from '#temporal/client/starts.ts';
import { queueBounds } from './options.ts';

/** The deliveries of this process. */
export interface Deliveries {
  dispatcher: Dispatcher;
  /** Ends the leases; attempts under way continue. */
  stop(): void;
  /** Gives up attempts under way. */
  close(): Promise<void>;
}

/** Delivers what is due, listens for more, and wakes the endpoints of deliveries that this process commits. */
export function startDeliveries(
  config: Config,
  db: Database,
  client: Client,
  log: Logger,
  onAttempt: DispatcherOptions['onAttempt'],
): Deliveries {
  const { webhookTimeoutMs: timeoutMs, webhooksAllowLoopback: allowLoopback, secretsKey } = config;
  const sender = createSender({ guard: createAddressGuard({ allowLoopback }), timeoutMs });
  const slots = queueBounds.deliveries.maxConcurrentActivityTaskExecutions;
  const dispatcher = new Dispatcher({ db, log, sender, secretsKey, slots, timeoutMs, onAttempt });
  const wake = (id: string) => wakeRun({ client }, endpointStart(id));
  const waker = new Waker({ db, log, wake });
  const unlisten = config.workerQueues.includes('deliveries')
    ? listenForDeliveries(config.databaseUrl, {
        onEndpoints: (ids) => dispatcher.notify(ids),
        onListening: () => dispatcher.notifyAll(),
        log,
      })
    : () => Promise.resolve();
  return {
    dispatcher,
    stop: () => dispatcher.stop(),
    async close() {
      dispatcher.close();
      await Promise.all([unlisten(), waker.close()]);
    },
  };
}
