import type { Logger } from 'pino';
import type { ProcessorNotification } from '#processor/port.ts';
import type { Database } from '#db/knex.ts';
import { storeNotification } from '#db/payments/processor-notifications.ts';
import { recordWake } from '#db/pending-wakes.ts';
import { unavailableWithoutDatabase } from '../http/outage.ts';
import type { TemporalGateway } from '#temporal/client/gateway.ts';

/** The longest that the wake after a notification may take, in milliseconds. */
const wakeWithinMs = 2_000;

/** Wakes under way at once. The sweep sends those beyond. */
const wokenAtOnce = 64;

interface InboxDeps {
  db: Database;
  log: Logger;
  temporal: Pick<TemporalGateway, 'wakeOpen'>;
}

/**
 * Takes the processor's notifications: stores one first, then answers, and only then wakes the workflow. After a
 * crash in between, the sweep finds the stored notification and delivers it.
 */
export class ProcessorInbox {
  readonly #deps: InboxDeps;
  readonly #underWay = new Set<Promise<void>>();

  constructor(deps: InboxDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a notification, and wakes its workflow without waiting for it. What is at its end has none: the sweep asks.
   *
   * @throws {ProblemError} `service_unavailable` without the database: the processor sends the notification again.
   */
  async take(notification: ProcessorNotification): Promise<void> {
    const stored = await storeNotification(this.#deps.db, notification).catch(unavailableWithoutDatabase);
    if (!stored?.workflowId || this.#underWay.size >= wokenAtOnce) return;
    const { id, workflowId } = stored;
    const waking = this.#wake({ id, workflowId })
      .catch((err: unknown) =>
        this.#deps.log.warn({ err }, 'workflow not woken for a processor notification; the sweep wakes it'),
      )
      .finally(() => this.#underWay.delete(waking));
    this.#underWay.add(waking);
  }

  /** Waits for the wakes under way. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #wake(stored: { id: string; workflowId: string }): Promise<void> {
    const deadline = performance.now() + wakeWithinMs;
    const result = await this.#deps.temporal.wakeOpen(stored, deadline);
    // The run records that it has asked. Without an open run, the sweep starts one and then wakes it, or asks for a row
    // at its end.
    if (result === 'done')
      await recordWake(this.#deps.db, { source: 'processor_notifications', id: stored.id });
  }
}
