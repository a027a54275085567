import type { DifferenceCode } from '#domain/reconciliation.ts';

/**
 * The tasks of maintenance in the order of their run, by the name of their activity, and the members that their counts
 * have in the run's result, where operators see them. `null`: it has none. New tasks come last, so that a run that an
 * older worker began continues here.
 */

/** One member for a task with one count; for a task with several, a member for each count to be shown. */
export type TaskTable = Readonly<Record<string, string | Readonly<Record<string, string>> | null>>;

export const retentionTasks = {
  preparePartitions: null,
  deleteExpiredKeys: 'keysDeleted',
  deleteExpiredResults: 'resultsDeleted',
  deleteAbandonedUploads: 'uploadsDeleted',
  deleteExpiredOperations: 'operationsDeleted',
  deleteLeftBatchRows: 'batchRowsDeleted',
  dropOldPartitions: 'partitionsDropped',
  deleteOldFaults: null,
  deleteOldRecords: null,
  deleteFromDefaults: null,
} as const satisfies TaskTable;

export const sweepTasks = {
  deleteStaleClaims: 'claimsDeleted',
  // Before the charges: a batch that it ends leaves charges without a run.
  repairOperations: { ended: 'operationsEnded', restarted: 'operationsRestarted' },
  writeBatchResults: null,
  restartLostPayments: { charges: 'chargesRestarted', refunds: 'refundsRestarted' },
  countUndecidedRefunds: 'refundsUndecided',
  // After the restarts, since a new run looks at its row by itself.
  wakePending: { cancels: 'cancelsWoken', notifications: 'notificationsWoken' },
  wakeOverdueEndpoints: 'endpointsWoken',
} as const satisfies TaskTable;

export type RetentionTask = keyof typeof retentionTasks;
export type SweepTask = keyof typeof sweepTasks;

/** A count, or several with a name each; the metric `payments_upkeep_total` has them too. */
export type TaskCounts = number | Readonly<Record<string, number>> | void;

type Member<Members> = Members extends string ? Members : Members[keyof Members];
type RunResult<Table extends TaskTable> = Record<Member<NonNullable<Table[keyof Table]>> & string, number>;

export type RetentionResult = RunResult<typeof retentionTasks>;
export type SweepResult = RunResult<typeof sweepTasks>;

/** Counts only: this goes into the history. */
export interface ReconciliationResult {
  chargesCompared: number;
  refundsCompared: number;
  movementsCompared: number;
  /** Possible differences that were left to another run. */
  unexamined: number;
  found: Partial<Record<DifferenceCode, number>>;
  repaired: number;
}

/** What a run of reconciliation does that somebody asked for; the scheduled one has no input. */
export interface ReconciliationInput {
  /** Of its row. */
  reconciliationId: string;
  /** Whether rows that are behind are repaired; the scheduled run repairs them. */
  repair: boolean;
}

/** The workflow ids of runs that operators ask for. The Schedules have ids of their own (`temporal/client/schedules.ts`). */
export const askedRuns = {
  /** One at a time: whoever asks meanwhile waits for the same run. */
  sweep: 'maintenance/sweep/asked',
  reconcile: (reconciliationId: string) => `maintenance/reconcile/${reconciliationId}`,
};
