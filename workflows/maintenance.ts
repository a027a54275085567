import type { ReconciliationResult } from '../activities/reconciliation.ts';
import { audit, upkeep } from './activities.ts';

/**
 * Upkeep, started by Temporal Schedules.
 */

/**
 * Drops what is older than it needs to be: answered keys after 24 h, results after 7 days, finished operations after
 * 30, events with their deliveries by the week once all of it is older than 30; and makes the coming weeks' partitions.
 */
export async function retention(): Promise<RetentionResult> {
  await upkeep.preparePartitions();
  const keysDeleted = await upkeep.deleteExpiredKeys();
  const resultsDeleted = await upkeep.deleteExpiredResults();
  const uploadsDeleted = await upkeep.deleteAbandonedUploads();
  const operationsDeleted = await upkeep.deleteExpiredOperations();
  const batchRowsDeleted = await upkeep.deleteLeftBatchRows();
  // Last, so that a run that an older worker began goes on here.
  const partitionsDropped = await upkeep.dropOldPartitions();
  return {
    keysDeleted,
    resultsDeleted,
    uploadsDeleted,
    operationsDeleted,
    batchRowsDeleted,
    partitionsDropped,
  };
}

/** How much was dropped; the run's result. */
export interface RetentionResult {
  keysDeleted: number;
  resultsDeleted: number;
  /** Of operations that ended without a result, and of workers that died before they could tell of one. */
  uploadsDeleted: number;
  operationsDeleted: number;
  /** Rows of charge batches that ended badly. */
  batchRowsDeleted: number;
  /** Weeks of events, of deliveries and of attempts, each by itself. */
  partitionsDropped: number;
}

/** Repairs what a crash between two systems can leave behind. */
export async function sweep(): Promise<SweepResult> {
  const claimsDeleted = await upkeep.deleteStaleClaims();
  // First, since what a batch that ended has left is a lost charge.
  const operations = await upkeep.repairOperations();
  const chargesRestarted = await upkeep.restartLostCharges();
  const cancelsHastened = await upkeep.hastenCancels();
  const refundsRestarted = await upkeep.restartLostRefunds();
  const refundsUndecided = await upkeep.countUndecidedRefunds();
  const operationCancelsHastened = await upkeep.hastenOperationCancels();
  const endpointsWoken = await upkeep.wakeOverdueEndpoints();
  return {
    claimsDeleted,
    chargesRestarted,
    cancelsHastened,
    refundsRestarted,
    refundsUndecided,
    operationsEnded: operations.ended,
    operationsRestarted: operations.restarted,
    operationCancelsHastened,
    endpointsWoken,
  };
}

/** How often each repair was made; the run's result, so that operators see it in the UI. */
export interface SweepResult {
  claimsDeleted: number;
  chargesRestarted: number;
  cancelsHastened: number;
  refundsRestarted: number;
  /** How many refunds the processor owes its word on for longer than a minute. */
  refundsUndecided: number;
  /** Operations whose run was terminated, failed or timed out. */
  operationsEnded: number;
  operationsRestarted: number;
  operationCancelsHastened: number;
  /** Webhook endpoints with something overdue that nobody was delivering. */
  endpointsWoken: number;
}

/** Compares all rows with the processor's books and with the running workflows, and repairs what is safe to repair. */
export function reconcile(): Promise<ReconciliationResult> {
  return audit.reconcileBooks();
}
