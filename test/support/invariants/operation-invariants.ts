import assert from 'node:assert/strict';
import { WorkflowNotFoundError } from '@temporalio/client';
import { isDone, type OperationStatus } from '#domain/operations.ts';
import type { RunMemo } from '#temporal/client/starts.ts';
import type { Environment } from '../stack/environment.ts';

/** What is wrong with an operation, by the number of the invariant that it breaks. */
export interface OperationViolation {
  invariant: 3 | 4;
  of: string;
  what: string;
}

export interface OperationFact {
  id: string;
  claim_id: string;
  workflow_id: string;
  status: OperationStatus;
  result: object | null;
  error: object | null;
  /** Of the claim; `null` once that is older than it is kept, or has no answer. */
  answer_status: number | null;
  /** Whether the claim is still kept. */
  has_claim: boolean;
  /** Types of its events. */
  events: string[];
}

/** Operations with their answer and event, as Postgres has them, and their runs as Temporal does. */
export async function findOperationViolations(
  env: Environment,
  accountIds?: string[],
): Promise<OperationViolation[]> {
  const { rows } = await env.db.raw<{ rows: OperationFact[] }>(
    `select o.id, o.claim_id, o.workflow_id, o.status, o.result, o.error, k.answer_status,
       k.claim_id is not null as has_claim,
       array(select e.type from events e where e.resource_id = o.id) as events
     from operations o left join idempotency_keys k on k.claim_id = o.claim_id
     where ?::text[] is null or o.account_id = any(?)`,
    [accountIds ?? null, accountIds ?? null],
  );
  const found = rows.flatMap(findViolations);
  for (const row of rows.filter((row) => !isDone(row))) {
    if (!(await isRunning(env, row))) {
      found.push({ invariant: 4, of: row.id, what: `is ${row.status} and no run of its claim is open` });
    }
  }
  return found;
}

/** Pure, so that a test can show it facts that never were. */
export function findViolations(fact: OperationFact): OperationViolation[] {
  const { id: of, status, result, error, events } = fact;
  const found: OperationViolation[] = [];
  const tell = (what: string) => found.push({ invariant: 3, of, what });
  const due = isDone(fact) ? [`operation.${status}`] : [];
  const told = events.filter((type) => type.startsWith('operation.'));
  if (told.join() !== due.join()) tell(`is ${status} and has the events [${told.join(', ')}]`);
  if ((status === 'failed' || status === 'cancelled') !== (error !== null)) {
    tell(`is ${status} and has ${error ? 'an' : 'no'} error`);
  }
  if (status === 'succeeded' && !result) tell('is succeeded and has no result');
  if (fact.has_claim && isDone(fact) && fact.answer_status !== 202) {
    tell(`is ${status} and its claim answers ${fact.answer_status}`);
  }
  return found;
}

/** Fails, naming what is broken, unless all is well soon: what runs may come to rest. */
export async function assertOperations(env: Environment, accountIds: string[]): Promise<void> {
  const deadline = Date.now() + 120_000;
  let found = await findOperationViolations(env, accountIds);
  while (found.length > 0 && Date.now() < deadline) found = await findOperationViolations(env, accountIds);
  assert.deepEqual(found, []);
}

async function isRunning(env: Environment, row: OperationFact): Promise<boolean> {
  try {
    const run = await env.temporal.workflow.getHandle(row.workflow_id).describe();
    return run.status.name === 'RUNNING' && (run.memo as RunMemo).claim_id === row.claim_id;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
