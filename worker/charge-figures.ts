import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '#db/knex.ts';
import { rollUpCharges } from '#db/payments/charge-figures.ts';

/** How often new events are counted, in milliseconds. */
const everyMs = 10_000;

/**
 * Counts charges for `GET /v1/figures/charges` every 10 s. Any number of workers may: an account that one of them counts is
 * left out by the others.
 *
 * @returns the function that stops it, after the transaction that it is in.
 */
export function startChargeFigures(db: Database, log: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
      await rollUpCharges(db, () => signal.aborted).catch((error: unknown) =>
        log.warn({ err: error }, 'charges could not be counted; it is tried again'),
      );
    }
  })();
  return () => {
    stopping.abort();
    return running;
  };
}
