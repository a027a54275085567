import type { Client } from '@temporalio/client';
import { findAccount, type Account } from '../db/accounts.ts';
import { deleteLeftRows } from '../db/charge-batches.ts';
import { deleteExpiredClaims, deleteStaleClaims } from '../db/idempotency-keys.ts';
import type { Database } from '../db/knex.ts';
import { deleteExpiredOperations } from '../db/open-operations.ts';
import { findCancelling, findOpen, takeOpen, type OpenResource } from '../db/open-resources.ts';
import { dropPartitions, ensurePartitions } from '../db/partitions.ts';
import { countUndecided } from '../db/refunds.ts';
import { eventRetentionMs } from '../domain/events.ts';
import { formatMoney } from '../domain/money.ts';
import { operationRetentionMs } from '../domain/operations.ts';
import { cancelSignal } from '../workflows/contract.ts';
import type { TaskQueues } from '../workflows/queues.ts';
import { chargeStartOptions, refundStartOptions } from '../workflows/starts.ts';
import { createOperationRepairs } from './operation-repairs.ts';
import { findRun, listBadlyClosed } from './runs.ts';

export interface MaintenanceActivityDeps {
  db: Database;
  client: Client;
  taskQueues: TaskQueues;
  /** How long an answered key is kept at least. (Default: 24 h) */
  keyRetentionMs: number;
  /** The base of links in problem documents. */
  publicUrl: string;
}

/** Deletions a statement: small, so that its locks are short. */
const deleteBatch = 1_000;

/** Open rows of a kind that one turn of the sweep looks at, beside those whose run just closed. */
const rotation = 500;

/** An export or a replay that was let in with the last event of a week ends before the week is dropped. */
const graceMs = 24 * 60 * 60 * 1000;

/** Longer than this the processor's word on a refund is missed. */
const undecidedAfterMs = 60_000;

/** A resource whose lost runs are started again. */
interface Swept {
  table: 'charges' | 'refunds';
  workflowType: 'charge' | 'refund';
  /** How the row's own workflow is started, with its own ids. */
  startOf(row: OpenResource, account: Account): StartOptions;
}

type StartOptions = ReturnType<typeof chargeStartOptions> | ReturnType<typeof refundStartOptions>;

export function createMaintenanceActivities({
  db,
  client,
  taskQueues,
  keyRetentionMs,
  publicUrl,
}: MaintenanceActivityDeps) {
  const charges: Swept = {
    table: 'charges',
    workflowType: 'charge',
    startOf: (row, { durations }) =>
      chargeStartOptions(startAgain(row, { chargeId: row.id, durations }), taskQueues.charges),
  };

  const refunds: Swept = {
    table: 'refunds',
    workflowType: 'refund',
    startOf: (row, { refundDurations: durations }) =>
      refundStartOptions(startAgain(row, { refundId: row.id, durations }), taskQueues.charges),
  };

  /**
   * Starts every open row's workflow again whose run is gone, with its own ids: those whose run was terminated,
   * failed or timed out of late, and, in rotation, those that were not looked at for a while.
   */
  async function restartLost(swept: Swept): Promise<number> {
    const suspects = await findOpen(db, swept.table, await listBadlyClosed(client, swept.workflowType));
    const rest = await takeOpen(db, swept.table, 60_000, rotation);
    const rows = new Map([...suspects, ...rest].map((row) => [row.id, row]));
    let restarted = 0;
    for (const row of rows.values()) {
      if (await restartIfLost(swept, row)) restarted += 1;
    }
    return restarted;
  }

  async function restartIfLost(swept: Swept, row: OpenResource): Promise<boolean> {
    if ((await findRun(client, row)) === 'open') return false;
    const start = await startOf(swept, row);
    if (start) await client.workflow.start(swept.workflowType, start);
    return start !== null;
  }

  /** Signals the cancels that were written but perhaps never signalled; one that was is not hurt by another. */
  async function hastenCancels(): Promise<number> {
    const cancelling = await findCancelling(db, rotation);
    for (const row of cancelling) {
      const start = await startOf(charges, row);
      if (start)
        await client.workflow.signalWithStart('charge', { ...start, signal: cancelSignal, signalArgs: [] });
    }
    return cancelling.length;
  }

  /** `null` when the row's account is gone. */
  async function startOf(swept: Swept, row: OpenResource): Promise<StartOptions | null> {
    const account = await findAccount(db, row.accountId);
    return account && swept.startOf(row, account);
  }

  return {
    ...createOperationRepairs({ db, client, taskQueues, publicUrl }),
    deleteExpiredKeys: () => inBatches((limit) => deleteExpiredClaims(db, keyRetentionMs, limit)),
    deleteExpiredOperations: () =>
      inBatches((limit) => deleteExpiredOperations(db, operationRetentionMs, limit)),
    /** Of batches that ended without emptying them. */
    deleteLeftBatchRows: () => inBatches((limit) => deleteLeftRows(db, limit)),
    deleteStaleClaims: () => deleteStaleClaims(db),
    preparePartitions: () => ensurePartitions(db, new Date()),
    dropOldPartitions: () => dropPartitions(db, new Date(Date.now() - eventRetentionMs - graceMs)),
    restartLostCharges: () => restartLost(charges),
    hastenCancels,
    restartLostRefunds: () => restartLost(refunds),
    /** Refunds that the processor owes its word on; they are asked for without limit, so somebody should know. */
    countUndecidedRefunds: () => countUndecided(db, undecidedAfterMs),
  };
}

/** Deletes in batches until there is nothing left to delete. Returns how many it were. */
async function inBatches(deleteSome: (limit: number) => Promise<number>): Promise<number> {
  let deleted = 0;
  for (;;) {
    const batch = await deleteSome(deleteBatch);
    deleted += batch;
    if (batch < deleteBatch) return deleted;
  }
}

/** A run that goes on from the row: whoever asked first does not wait any more. */
function startAgain<Own extends object>(row: OpenResource, own: Own) {
  const { accountId, claimId, workflowId } = row;
  return {
    workflowId,
    input: { accountId, claimId, respondAsync: false, ...own },
    summary: formatMoney(row),
    traceId: null,
  };
}
