import { idTime } from '#domain/ids.ts';
import type { OperationType } from '#domain/operations/operation-kinds.ts';
import type { Operation, OperationStatus } from '#domain/operations.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { claimColumn, type ClaimContext } from '../writes/claim-contexts.ts';
import { commitEffect, type Effect } from '../writes/effects.ts';
import { beginClaim, isActive } from '../writes/begin.ts';
import { findRow, prepared, type Database } from '../knex.ts';
import { searchPage, type Found, type IdRange, type Page } from '../pages.ts';

/** Columns of `operations o` that make an {@link Operation}. */
const columns = `o.id, o.account_id, o.claim_id, o.workflow_id, o.type, o.status, o.completed, o.total, o.result,
  o.error, o.request, o.created_at, o.updated_at, o.started_at,
  o.cancel_requested_at, o.done_at, o.version`;

/** An operation and its claim; `null` if the claim is no longer kept. */
export interface ClaimedOperation {
  operation: Operation;
  claim: ClaimContext | null;
}

/** The parts of an operation that differ by type, as SQL over its claim `begun`. */
export interface OperationShape {
  /** Unique to the rest; Postgres keeps the plan under it. */
  name: string;
  /** The request that the operation keeps. */
  request: string;
  /** (Default: not known yet) */
  total?: string;
  /** Rows of the type, as a common table expression over the operation `o` and `begun`. */
  along?: string;
}

const asRequested: OperationShape = { name: 'begin-operation', request: 'request' };

/**
 * Begins the claim and makes its operation, or finds the operation of an earlier begin (`docs/architecture.md`, "Begin"). The
 * row keeps the snapshot of this statement: rows that it sees existed at submission.
 *
 * Returns `null` if the claim is gone or came too late, so that nothing may be done.
 */
export async function beginOperation(
  db: Database,
  ids: { operationId: string; claimId: string; workflowId: string; type: OperationType },
  shape: OperationShape = asRequested,
): Promise<ClaimedOperation | null> {
  const { operationId, claimId, workflowId, type } = ids;
  const [row] = await prepared<Operation & { made: boolean; claim: ClaimContext }>(
    db,
    shape.name,
    `with ${beginClaim}, o as (
       insert into operations
         (id, account_id, claim_id, workflow_id, type, request, total, api_version, path, trace_id, created_at,
          updated_at)
       select resource_id, account_id, claim_id, $3, $4, ${shape.request}, ${shape.total ?? 'null::bigint'}, api_version,
         path, trace_id, $5, $5
       from begun where request is not null
       on conflict do nothing
       returning *
     )${shape.along ? `, ${shape.along}` : ''}
     select ${columns}, o.id is not null as made, ${claimColumn} from begun k left join o on true`,
    [claimId, operationId, workflowId, type, new Date(idTime(operationId))],
  );
  if (!row) return null;
  const { made, claim, ...operation } = row;
  return made ? { operation, claim } : findClaimedOperation(db, operationId);
}

/** Returns the operation with its claim, for the workflow that owns it. */
export async function findClaimedOperation(
  db: Database,
  operationId: string,
): Promise<ClaimedOperation | null> {
  const [row] = await prepared<Operation & Omit<ClaimedOperation, 'operation'>>(
    db,
    'find-claimed-operation',
    `select ${columns}, ${claimColumn} from operations o left join idempotency_keys k on k.claim_id = o.claim_id
     where o.id = $1`,
    [operationId],
  );
  if (!row) return null;
  const { claim, ...operation } = row;
  return { operation, claim };
}

/** The request of an operation, and the facts that its problem documents name. */
export interface Submission<Request> {
  /** The valid request. */
  request: Request;
  apiVersion: ApiVersion;
  path: string;
  traceId: string;
}

/**
 * Returns the request of an operation.
 *
 * @throws {Error} if there is no such operation.
 */
export async function findSubmission<Request>(
  db: Database,
  operationId: string,
): Promise<Submission<Request>> {
  const [row] = await prepared<Submission<Request>>(
    db,
    'find-submission',
    `select request, api_version, path, trace_id from operations where id = $1`,
    [operationId],
  );
  if (!row) throw new Error(`There is no operation ${operationId}`);
  return row;
}

/** Returns the account's own operation, of one type or of any. */
export function findOperation(
  db: Database,
  accountId: string,
  operationId: string,
  type: OperationType | null,
): Promise<Operation | null> {
  return findRow<Operation>(
    db,
    'find-operation',
    `select ${columns} from operations o
     where o.id = $1 and o.account_id = $2 and ($3::text is null or o.type = $3)`,
    [operationId, accountId, type],
  );
}

/** The column `status`; `queued` for a running operation whose account is disabled. */
const statusNow = `case when operations.status = 'running' and not ${isActive('operations.account_id')} then 'queued'
  else operations.status end as status`;

/**
 * Records the progress of the work, which never decreases. Returns the operation's status: `cancelling` means that the caller
 * wants it stopped, `queued` that its account is disabled.
 */
export async function recordProgress(
  db: Database,
  operationId: string,
  progress: { completed: number; total: number },
): Promise<OperationStatus> {
  const [row] = await prepared<{ status: OperationStatus }>(
    db,
    'record-progress',
    `with moved as (
       update operations
       set completed = greatest(completed, $2), total = $3, updated_at = clock_timestamp(), version = version + 1
       where id = $1 and status in ('running', 'cancelling') and (completed < $2 or total is distinct from $3)
       returning ${statusNow}
     )
     select status from moved union all
     select ${statusNow} from operations where id = $1 and not exists (select from moved)`,
    [operationId, progress.completed, progress.total],
  );
  if (!row) throw new Error(`There is no operation ${operationId}`);
  return row.status;
}

/** Returns the operation's status; `queued` if it runs and its account is disabled. */
export async function findOperationStatus(db: Database, operationId: string): Promise<OperationStatus> {
  const [row] = await prepared<{ status: OperationStatus }>(
    db,
    'find-operation-status',
    `select ${statusNow} from operations where id = $1`,
    [operationId],
  );
  if (!row) throw new Error(`There is no operation ${operationId}`);
  return row.status;
}

const settleSql = `
  update operations
  set status = $2, completed = $3, total = $4, result = $5, error = $6, done_at = $7, updated_at = $7,
      cancel_requested_at = case when $2 = 'cancelled' then coalesce(cancel_requested_at, $7) else cancel_requested_at end,
      version = version + 1
  where id = $1 and status in ('queued', 'running', 'cancelling') and completed <= $3
    and ($2 <> 'cancelled' or status = 'cancelling')
  returning id, account_id`;

/** Ends the operation with its effect. Returns `false` if it has ended already, or has made more progress. */
export function settleOperation(db: Database, moved: Operation, effect: Effect): Promise<boolean> {
  const values = [
    moved.id,
    moved.status,
    moved.completed,
    moved.total,
    moved.result && JSON.stringify(moved.result),
    moved.error && JSON.stringify(moved.error),
    moved.doneAt,
  ];
  return commitEffect(db, { name: 'settle-operation', sql: settleSql, values }, effect);
}

/** Records the cancel request. The workflow is woken afterwards. Returns `null` if it has ended or is not the account's. */
export function requestOperationCancel(
  db: Database,
  accountId: string,
  operationId: string,
  type: OperationType | null,
): Promise<Operation | null> {
  return findRow<Operation>(
    db,
    'request-operation-cancel',
    `update operations o
     set status = 'cancelling', cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
         updated_at = case when status = 'cancelling' then updated_at else clock_timestamp() end,
         version = case when status = 'cancelling' then version else version + 1 end
     where id = $1 and account_id = $2 and ($3::text is null or type = $3)
       and status in ('queued', 'running', 'cancelling')
     returning ${columns}`,
    [operationId, accountId, type],
  );
}

/** Filters of a list; each is optional. */
export interface OperationFilter extends IdRange {
  type?: OperationType | undefined;
  status?: OperationStatus | undefined;
}

/** Searches a page of the account's operations, newest first. */
export async function listOperations(
  db: Database,
  accountId: string,
  filter: OperationFilter,
  page: Page,
): Promise<Found<Operation>> {
  const list = {
    name: 'list-operations',
    select: `select ${columns} from operations o`,
    table: 'operations o',
  };
  const filters = {
    always: [['account_id =', accountId]],
    indexed: [
      ['status =', filter.status],
      ['type =', filter.type],
    ],
  } as const;
  return searchPage<Operation>(db, list, filters, filter, page);
}
