import { Context, heartbeat, log } from '@temporalio/activity';
import { newId } from '#db/new-id.ts';
import type { ReconciliationInput, ReconciliationResult } from '#temporal/maintenance.ts';
import { countFindings, reconcileOnRecord, type ReconciliationDeps } from './reconciliation.ts';

/** What the scheduled run does. */
const scheduled = { repair: true };

/** Reconciliation as an activity: it records the run and each difference, and logs and counts them. */
export async function reconcileBooks(
  deps: ReconciliationDeps,
  input?: ReconciliationInput,
): Promise<ReconciliationResult> {
  const { repair } = input ?? scheduled;
  const heartbeats = setInterval(() => heartbeat(), 1_000);
  const { runId } = Context.current().info.workflowExecution ?? { runId: newId('reconciliation') };
  const run = { id: input?.reconciliationId ?? newId('reconciliation'), runId };
  try {
    const { findings, unread, complete, ...counts } = await reconcileOnRecord(deps, run, { repair });
    if (unread.length > 0) log.warn('reconciliation without some ledgers', { unread });
    if (!complete)
      log.warn('reconciliation is incomplete: settle what it found, and run it again', {
        unexamined: counts.unexamined,
      });
    for (const { code, of, detail, repaired } of findings)
      log.warn('reconciliation', { code, of, detail, repaired });
    const repaired = findings.filter((one) => one.repaired).length;
    return { ...counts, found: countFindings(findings), repaired };
  } finally {
    clearInterval(heartbeats);
  }
}
