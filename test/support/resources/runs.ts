import { workflowId } from '#temporal/client/ids.ts';
import { resourceId } from '#temporal/search-attributes.ts';
import type { ChargeResult } from '#temporal/charges.ts';
import { startRun, type RunMemo, type Start } from '#temporal/client/starts.ts';
import type { Environment } from '../stack/environment.ts';
import type { Merchant } from './merchant.ts';

/** One run of a charge's workflow. */
export interface ChargeRunSeen {
  runId: string;
  /** `RUNNING`, `COMPLETED`, `TERMINATED`, … */
  state: string;
  /** The claim it answers for, and the charge it would make. */
  claimId: string | undefined;
  chargeId: string;
  /** What a completed one says became of the charge. */
  result: ChargeResult['status'] | null;
}

/** Starts a run as the service itself starts one. */
export const startAgain = ({ temporal: client }: Environment, start: Start) => startRun({ client }, start);

/** The workflow that a key names. */
export function chargeWorkflowId(merchant: Merchant, key: string): string {
  return workflowId('charge', merchant.accountId, key);
}

/** All runs of the key's workflow, oldest first. */
export async function chargeRuns(
  env: Environment,
  merchant: Merchant,
  key: string,
): Promise<ChargeRunSeen[]> {
  const id = chargeWorkflowId(merchant, key);
  const runs: (ChargeRunSeen & { startTime: Date })[] = [];
  for await (const run of env.temporal.workflow.list({ query: `WorkflowId = '${id}'` })) {
    const state = run.status.name;
    const handle = env.temporal.workflow.getHandle(id, run.runId);
    const result = state === 'COMPLETED' ? ((await handle.result()) as ChargeResult).status : null;
    const claimId = (run.memo as RunMemo | undefined)?.claim_id;
    const chargeId = run.typedSearchAttributes.get(resourceId) ?? '';
    runs.push({ runId: run.runId, state, claimId, chargeId, result, startTime: run.startTime });
  }
  return runs.toSorted((a, b) => a.startTime.getTime() - b.startTime.getTime());
}
