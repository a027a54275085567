import type { DifferenceCode } from '#domain/reconciliation.ts';

/** What the runs of maintenance result in. */

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
  /** Notifications of the processor that were stored while Temporal was away. */
  processorNewsTold: number;
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

/** Counts only: this goes into the history. */
export interface ReconciliationResult {
  chargesCompared: number;
  refundsCompared: number;
  movementsCompared: number;
  found: Partial<Record<DifferenceCode, number>>;
  repaired: number;
}
