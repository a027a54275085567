import type { Logger } from 'pino';
import type { ProcessorNotification } from '#processor/port.ts';
import type { Database } from '#db/knex.ts';
import { recordTold, storeNotification } from '#db/payments/processor-notifications.ts';
import { unavailableWithoutDatabase } from '../http/outage.ts';
import type { TemporalGateway } from '#temporal/client/gateway.ts';
import { processorNotifiedSignal } from '#temporal/messages.ts';

/** The longest that the signal of a notification may take, in milliseconds. */
const signalWithinMs = 2_000;

/** Signals under way at once. The sweep sends those beyond. */
const signalledAtOnce = 64;

interface InboxDeps {
  db: Database;
  log: Logger;
  temporal: Pick<TemporalGateway, 'signalOpen'>;
}

/**
 * Takes the processor's notifications: stores one first, then answers, and only then signals the workflow. After a
 * crash in between, the sweep finds the stored notification and delivers it.
 */
export class ProcessorInbox {
  readonly #deps: InboxDeps;
  readonly #underWay = new Set<Promise<void>>();

  constructor(deps: InboxDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a notification, and signals its workflow without waiting for it. What is at its end has none: the sweep asks.
   *
   * @throws {ProblemError} `service_unavailable` without the database: the processor sends the notification again.
   */
  async take(notification: ProcessorNotification): Promise<void> {
    const stored = await storeNotification(this.#deps.db, notification).catch(unavailableWithoutDatabase);
    if (!stored?.workflowId || this.#underWay.size >= signalledAtOnce) return;
    const { id, workflowId } = stored;
    const signalling = this.#signal({ id, workflowId })
      .catch((err: unknown) =>
        this.#deps.log.warn({ err }, 'processor notification not signalled; the sweep signals it'),
      )
      .finally(() => this.#underWay.delete(signalling));
    this.#underWay.add(signalling);
  }

  /** Waits for the signals under way. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #signal(stored: { id: string; workflowId: string }): Promise<void> {
    const deadline = performance.now() + signalWithinMs;
    const result = await this.#deps.temporal.signalOpen(stored, processorNotifiedSignal, deadline);
    // The run records that it has asked. Without an open run, the sweep starts one and then signals it, or asks for a row
    // at its end.
    if (result === 'done') await recordTold(this.#deps.db, stored.id);
  }
}
