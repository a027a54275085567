import type { OperationType } from '#domain/operations/operation-kinds.ts';
import type { OperationStatus } from '#domain/operations.ts';
import { prepared, type Database } from '../knex.ts';
import { isOpenOperation } from '../open-resources.ts';
import type { Page } from '../pages.ts';
import type { Backlog } from './unknown-outcomes.ts';

/** Open operations of all accounts. */

export interface OpenOperationRow {
  id: string;
  account: { id: string; name: string };
  type: OperationType;
  status: OperationStatus;
  completed: number;
  total: number | null;
  workflowId: string;
  createdAt: Date;
  startedAt: Date | null;
  cancelRequestedAt: Date | null;
  /** Of its last progress. */
  updatedAt: Date;
}

/** Returns a page of open operations with ids below `before`, oldest first. */
export function listOpenOperations(
  db: Database,
  { accountId, before }: { accountId?: string | undefined; before: string },
  { after, limit }: Page,
): Promise<OpenOperationRow[]> {
  return prepared<OpenOperationRow>(
    db,
    'list-open-operations',
    `select o.id, json_build_object('id', a.id, 'name', a.name) as account, o.type, o.status, o.completed, o.total,
       o.workflow_id, o.created_at, o.started_at, o.cancel_requested_at, o.updated_at
     from operations o join accounts a on a.id = o.account_id
     where o.${isOpenOperation} and o.id > $1 and o.id < $2 and ($3::text is null or o.account_id = $3)
     order by o.id limit $4`,
    [after ?? '', before, accountId ?? null, limit],
  );
}

/** Counts open operations, up to `most`, and those of which nothing was heard for long, by their status. */
export async function countOpenOperations(
  db: Database,
  limits: { runningMs: number; cancellingMs: number },
  most: number,
): Promise<{ open: number; cancelling: number; stuck: Backlog }> {
  const [row] = await prepared<{ open: number; cancelling: number; stuck: number; oldestAt: Date | null }>(
    db,
    'count-open-operations-of-all',
    `select count(*)::int as open, (count(*) filter (where status = 'cancelling'))::int as cancelling,
       (count(*) filter (where is_stuck))::int as stuck, min(since) filter (where is_stuck) as oldest_at
     from (
       select status, since, since < statement_timestamp() - interval '1 millisecond' *
         case status when 'running' then $1::int8 when 'cancelling' then $2::int8 end as is_stuck
       from (
         select status, case status when 'cancelling' then cancel_requested_at else updated_at end as since
         from operations where ${isOpenOperation} order by id limit $3) o) x`,
    [limits.runningMs, limits.cancellingMs, most],
  );
  const { open = 0, cancelling = 0, stuck = 0, oldestAt = null } = row ?? {};
  return { open, cancelling, stuck: { count: stuck, oldestAt } };
}
