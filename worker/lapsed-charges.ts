import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { OpenPayment } from '#db/open-resources.ts';
import { endLease, takeLapsedCharges } from '#db/payments/charge-leases.ts';
import { findPaymentStart, type StartDeps } from '#activities/maintenance/starts.ts';
import { wakeRun } from '#temporal/client/starts.ts';

/** How often lapsed leases are looked for, in milliseconds: with the lease itself, less than 5 s. */
const everyMs = 500;

/** Charges that are taken at once. */
const atOnce = 100;

/**
 * Starts the workflow of each charge whose API process died in its first steps, or could not start it. Returns the function
 * that stops it.
 */
export function startLapsedCharges(deps: StartDeps, log: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const isMore = await startSome(deps, log).catch((error: unknown) => {
        log.warn({ err: error }, 'lapsed leases could not be read; it is tried again');
        return false;
      });
      if (!isMore) await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return () => {
    stopping.abort();
    return running;
  };
}

/** Returns whether there may be more. A charge that cannot be started does not hold up the others. */
async function startSome(deps: StartDeps, log: Logger): Promise<boolean> {
  const lapsed = await takeLapsedCharges(deps.db, atOnce);
  await Promise.all(
    lapsed.map((charge) =>
      startOne(deps, charge).then(
        () => log.info({ charge: charge.id }, 'a workflow continues what an API process had begun'),
        (error: unknown) =>
          log.warn({ err: error, charge: charge.id }, 'the workflow cannot be started, and is tried again'),
      ),
    ),
  );
  return lapsed.length === atOnce;
}

async function startOne(deps: StartDeps, charge: OpenPayment): Promise<void> {
  const start = await findPaymentStart(deps, charge);
  // A run that is open waits for the capture that the API process had begun.
  if (start) await wakeRun(deps, start);
  await endLease(deps.db, charge.id);
}
