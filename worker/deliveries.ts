import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { createAddressGuard } from '#webhooks/address-guard.ts';
import { disableEndpoint } from '#webhooks/disable.ts';
import { Dispatcher, type DispatcherOptions } from '#webhooks/dispatcher.ts';
import { createSender } from '#webhooks/send.ts';
import { Waker } from '#webhooks/wake.ts';
import type { Config } from '#startup/config.ts';
import { listenForDeliveries } from '#db/webhooks/delivery-notices.ts';
import type { Database } from '#db/knex.ts';
import { endpointStart, signalRun } from '#temporal/client/starts.ts';
import { wakeSignal } from '#temporal/messages.ts';
import { boundsOf } from './options.ts';

/** The delivering of this process. */
export interface Deliveries {
  dispatcher: Dispatcher;
  /** Ends the turns; what is under way goes on. */
  stop(): void;
  /** Gives up what is under way. */
  close(): Promise<void>;
}

/** Sends what is due, listens for more, and wakes the endpoints that this process has committed deliveries for. */
export function startDeliveries(
  config: Config,
  db: Database,
  client: Client,
  log: Logger,
  onAttempt: DispatcherOptions['onAttempt'],
): Deliveries {
  const { taskQueues } = config.temporal;
  const guard = createAddressGuard({ allowLoopback: config.webhooksAllowLoopback });
  const dispatcher = new Dispatcher({
    db,
    log,
    sender: createSender({ guard, timeoutMs: config.webhooks.timeoutMs }),
    secretsKey: config.secretsKey,
    slots: boundsOf.deliveries.maxConcurrentActivityTaskExecutions,
    timeoutMs: config.webhooks.timeoutMs,
    onAttempt,
  });
  const wake = (id: string) => signalRun({ client, taskQueues }, endpointStart(id), wakeSignal);
  const goOn = async (id: string) => (await dispatcher.goOn(id).catch(() => false)) || wake(id);
  const waker = new Waker({ db, log, wake, wakeLater: goOn });
  dispatcher.onDrained = (turn, { disable, parkedForMs }) => {
    const disabled = disable ? disableEndpoint(db, turn, disable) : Promise.resolve();
    void disabled.then(
      () => waker.wakeLater(turn.endpointId, disable ? 0 : parkedForMs),
      (error: unknown) => log.warn({ err: error }, 'endpoint not disabled, its next failure will'),
    );
  };
  const unlisten = config.workerQueues.includes('deliveries')
    ? listenForDeliveries(config.databaseUrl, {
        onEndpoints: (ids) => dispatcher.notice(ids),
        onListening: () => dispatcher.noticeAll(),
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
