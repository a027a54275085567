import type { ReconciliationResult } from '#temporal/maintenance.ts';
import type { RetentionResult, SweepResult } from '#temporal/maintenance.ts';
import { audit } from './proxies.ts';
import { UpkeepSteps } from './upkeep-steps.ts';

/**
 * Upkeep, started by Temporal Schedules.
 */

/**
 * Drops what is older than it needs to be: answered keys after 24 h, results after 7 days, finished operations after
 * 30, events with their deliveries by the week once all of it is older than 30; and makes the coming weeks' partitions.
 */
export async function retention(): Promise<RetentionResult> {
  const steps = new UpkeepSteps();
  await steps.take('preparePartitions', undefined);
  const keysDeleted = await steps.take('deleteExpiredKeys', 0);
  const resultsDeleted = await steps.take('deleteExpiredResults', 0);
  const uploadsDeleted = await steps.take('deleteAbandonedUploads', 0);
  const operationsDeleted = await steps.take('deleteExpiredOperations', 0);
  const batchRowsDeleted = await steps.take('deleteLeftBatchRows', 0);
  // New steps come last, so that a run that an older worker began goes on here.
  const partitionsDropped = await steps.take('dropOldPartitions', 0);
  await steps.take('deleteOldFaults', 0);
  await steps.take('deleteOldNotifications', 0);
  await steps.take('deleteFromDefaults', 0);
  return steps.end({
    keysDeleted,
    resultsDeleted,
    uploadsDeleted,
    operationsDeleted,
    batchRowsDeleted,
    partitionsDropped,
  });
}

/** Repairs what a crash between two systems can leave behind. */
export async function sweep(): Promise<SweepResult> {
  const steps = new UpkeepSteps();
  const claimsDeleted = await steps.take('deleteStaleClaims', 0);
  // First, since what a batch that ended has left is a lost charge.
  const operations = await steps.take('repairOperations', { ended: 0, restarted: 0, told: 0 });
  const chargesRestarted = await steps.take('restartLostCharges', 0);
  const cancelsHastened = await steps.take('hastenCancels', 0);
  const refundsRestarted = await steps.take('restartLostRefunds', 0);
  const refundsUndecided = await steps.take('countUndecidedRefunds', 0);
  const operationCancelsHastened = await steps.take('hastenOperationCancels', 0);
  const endpointsWoken = await steps.take('wakeOverdueEndpoints', 0);
  // New steps come last, so that a run that an older worker began goes on here.
  const processorNewsTold = await steps.take('tellProcessorNews', 0);
  return steps.end({
    claimsDeleted,
    chargesRestarted,
    cancelsHastened,
    refundsRestarted,
    refundsUndecided,
    operationsEnded: operations.ended,
    operationsRestarted: operations.restarted,
    operationCancelsHastened,
    endpointsWoken,
    processorNewsTold,
  });
}

/** Compares all rows with the processor's books and with the running workflows, and repairs what is safe to repair. */
export function reconcile(): Promise<ReconciliationResult> {
  return audit.reconcileBooks();
}
