import type { Charge } from '#domain/charges.ts';
import type { ProblemResource } from '#domain/problems.ts';
import type { Database } from '../knex.ts';
import { savedColumns, saveSql, toSaved } from '../payments/charge-saves.ts';
import type { Send } from '../payments/charge-sends.ts';
import { after, commitEffects, type Effect } from '../writes/effects.ts';
import { inputTable, inputValues } from '../writes/input-rows.ts';

/** The charge of a row as it was read and as it becomes, and the outcome of the row. */
export interface RowEffect {
  row: number;
  read: Charge;
  moved: Charge;
  effect: Pick<Effect, 'answer' | 'event' | 'timeline'>;
  /** The status that `POST /v1/charges` would have answered. */
  status: number;
  error: ProblemResource | null;
  /** The caller wants it cancelled. The charge's own workflow does so. */
  cancel?: boolean;
  /** The only send that was begun, if it had no effect. */
  undone?: Send | null;
}

const columns = {
  ...savedColumns,
  row: 'integer',
  lineStatus: 'smallint',
  error: 'json',
  cancel: 'boolean',
  undone: 'integer',
};

const change = {
  name: 'settle-batch-rows',
  first: `input as materialized (select * from ${inputTable(columns, true, 2)})`,
  sql: saveSql(
    'input x',
    `c.status = 'pending' and c.charge_batch_id = $1`,
    `cancel_requested_at = case when x.cancel then coalesce(c.cancel_requested_at, clock_timestamp())
       else c.cancel_requested_at end,
     sent_at = case when c.sends = x.undone then null else c.sent_at end, charge_batch_id = null,`,
  ),
  along: {
    ended: `
      update charge_batch_rows r set state = 'done', status = x.line_status, error = x.error
      from input x join moved on moved.id = x.id${after(['moved'])}
      where r.operation_id = $1 and r.row = x.row and r.state = 'begun'
      returning 1`,
  },
  charge: 'id',
} as const;

/**
 * Saves the rows that no other writer has moved since they were read, in one statement, and ends the batch's ownership of
 * their charges. Returns the numbers of the saved rows. For a row that another writer has moved, nothing happens.
 */
export async function settleRows(
  db: Database,
  operationId: string,
  rows: readonly RowEffect[],
): Promise<Set<number>> {
  const input = rows.map(({ row, read, moved, status, error, cancel = false, undone }) => ({
    ...toSaved(read, moved),
    row,
    lineStatus: status,
    error,
    cancel,
    undone: undone?.sends,
  }));
  const values = [operationId, ...inputValues(columns, true, input)];
  // Events are in the order of rows.
  const effects = rows
    .toSorted((a, b) => a.row - b.row)
    .map(({ read, effect }) => ({ ...effect, id: read.id }));
  const saved = await commitEffects(db, { ...change, values }, effects);
  return new Set(rows.filter(({ read }) => saved.has(read.id)).map(({ row }) => row));
}
