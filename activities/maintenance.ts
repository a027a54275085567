import { isGrpcServiceError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { findAccount } from '../db/accounts.ts';

import { deleteExpiredClaims, deleteStaleClaims } from '../db/idempotency-keys.ts';
import type { Database } from '../db/knex.ts';
import { findCancelling, findOpenCharges, takeOpenCharges, type OpenCharge } from '../db/open-charges.ts';
import { ensurePartitions } from '../db/partitions.ts';
import { formatMoney } from '../domain/money.ts';
import { cancelSignal } from '../workflows/contract.ts';
import { chargeStartOptions, type RunMemo } from '../workflows/starts.ts';

export interface MaintenanceActivityDeps {
  db: Database;
  client: Client;
  taskQueue: string;
  /** How long an answered key is kept at least. (Default: 24 h) */
  keyRetentionMs: number;
}

/** Deletions a statement: small, so that its locks are short. */
const deleteBatch = 1_000;

/** Open charges that one turn of the sweep looks at, beside those whose run just closed. */
const rotation = 500;

/** How far back a turn looks for runs that ended badly: several turns, since the list lags behind. */
const closedWithinMs = 10 * 60_000;

export function createMaintenanceActivities({
  db,
  client,
  taskQueue,
  keyRetentionMs,
}: MaintenanceActivityDeps) {
  async function deleteExpiredKeys(): Promise<number> {
    let deleted = 0;
    for (;;) {
      const batch = await deleteExpiredClaims(db, keyRetentionMs, deleteBatch);
      deleted += batch;
      if (batch < deleteBatch) return deleted;
    }
  }

  /**
   * Starts every open charge again whose run is gone, with its own ids: those whose run was terminated,
   * failed or timed out of late, and, in rotation, those that were not looked at for a while.
   */
  async function restartLostCharges(): Promise<number> {
    const suspects = await findOpenCharges(db, await listBadlyClosed());
    const rest = await takeOpenCharges(db, 60_000, rotation);
    const charges = new Map([...suspects, ...rest].map((charge) => [charge.chargeId, charge]));
    let restarted = 0;
    for (const charge of charges.values()) {
      if (await restartIfLost(charge)) restarted += 1;
    }
    return restarted;
  }

  async function listBadlyClosed(): Promise<string[]> {
    const since = new Date(Date.now() - closedWithinMs).toISOString();
    const query = `WorkflowType = 'charge' and CloseTime > '${since}' and ExecutionStatus in ('Terminated', 'Failed', 'TimedOut', 'Canceled')`;
    const ids: string[] = [];
    for await (const run of client.workflow.list({ query, pageSize: 200 })) {
      ids.push(run.workflowId);
      if (ids.length === 1_000) break;
    }
    return ids;
  }

  async function restartIfLost(charge: OpenCharge): Promise<boolean> {
    if (await isRunning(charge)) return false;
    const start = await startOf(charge);
    if (start) await client.workflow.start('charge', start);
    return start !== null;
  }

  /** Signals the cancels that were written but perhaps never signalled; one that was is not hurt by another. */
  async function hastenCancels(): Promise<number> {
    const charges = await findCancelling(db, rotation);
    for (const charge of charges) {
      const start = await startOf(charge);
      if (start)
        await client.workflow.signalWithStart('charge', { ...start, signal: cancelSignal, signalArgs: [] });
    }
    return charges.length;
  }

  /** How the charge's own workflow is started again; `null` when its account is gone. */
  async function startOf(charge: OpenCharge) {
    const account = await findAccount(db, charge.accountId);
    if (!account) return null;
    const start = {
      workflowId: charge.workflowId,
      input: {
        accountId: charge.accountId,
        chargeId: charge.chargeId,
        claimId: charge.claimId,
        respondAsync: false,
        durations: account.durations,
      },
      summary: formatMoney(charge),
      traceId: null,
    };
    return chargeStartOptions(start, taskQueue);
  }

  /** Whether a run is open that answers for this very claim. */
  async function isRunning(charge: OpenCharge): Promise<boolean> {
    try {
      const run = await client.workflow.getHandle(charge.workflowId).describe();
      return run.status.name === 'RUNNING' && (run.memo as RunMemo | undefined)?.claim_id === charge.claimId;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      if (isGrpcServiceError(error) && error.code === 5) return false;
      throw error;
    }
  }

  return {
    deleteExpiredKeys,
    deleteStaleClaims: () => deleteStaleClaims(db),
    preparePartitions: () => ensurePartitions(db, new Date()),
    restartLostCharges,
    hastenCancels,
  };
}
