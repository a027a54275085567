import type { Logger } from 'pino';
import type { ProcessorNotification } from '#processor/port.ts';
import type { Database } from '#db/knex.ts';
import {
  recordDelivered,
  storeNotification,
  type StoredNotification,
} from '#db/payments/processor-notifications.ts';
import { unavailableWithoutDatabase } from '../http/outage.ts';
import type { TemporalGateway } from '#temporal/client/gateway.ts';
import { processorNotifiedSignal } from '#temporal/messages.ts';

/** How long a notification waits for its workflow to be told. */
const tellWithinMs = 2_000;

/** Notifications whose workflows are told at once; those beyond are the sweep's. */
const toldAtOnce = 64;

interface InboxDeps {
  db: Database;
  log: Logger;
  temporal: Pick<TemporalGateway, 'signalOpen'>;
}

/**
 * Takes the processor's notifications: stored first, then answered, and only then is the workflow told. Whatever
 * comes in between, the sweep finds what is stored and not delivered.
 */
export class ProcessorInbox {
  readonly #deps: InboxDeps;
  readonly #underWay = new Set<Promise<void>>();

  constructor(deps: InboxDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves once it is stored.
   *
   * @throws {ProblemError} `service_unavailable`: the database is away, so that the processor tells it again.
   */
  async take(notification: ProcessorNotification): Promise<void> {
    const stored = await storeNotification(this.#deps.db, notification).catch(unavailableWithoutDatabase);
    if (!stored || this.#underWay.size >= toldAtOnce) return;
    const telling = this.#tell(stored)
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'processor news not told; the sweep will'))
      .finally(() => this.#underWay.delete(telling));
    this.#underWay.add(telling);
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #tell(stored: StoredNotification): Promise<void> {
    const deadline = Date.now() + tellWithinMs;
    const result = await this.#deps.temporal.signalOpen(stored, processorNotifiedSignal, deadline);
    // Without a run there is nobody to tell: the next one begins with asking.
    if (result === 'done' || result === 'run_ended') await recordDelivered(this.#deps.db, stored.id);
  }
}
