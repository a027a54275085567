import type { Charge } from '#domain/charges.ts';
import { commitEffect, type Effect } from '../writes/effects.ts';
import { toColumn } from '../columns.ts';
import { inputTable, inputValues, type InputRow } from '../writes/input-rows.ts';
import type { Database } from '../knex.ts';

/** Saves of charges that have moved, each with a guard: one charge here, many in `db/operations/charge-batch-effects.ts`. */

/** The columns that a save copies from the moved charge. */
const copied = {
  status: 'text',
  amountCaptured: 'bigint',
  amountReturned: 'bigint',
  failure: 'json',
  receipt: 'json',
  processorPending: 'boolean',
  processorFault: 'text',
  captureClaimId: 'text',
  captureAmount: 'bigint',
  voidReason: 'text',
  updatedAt: 'timestamptz',
  capturedAt: 'timestamptz',
  cancelledAt: 'timestamptz',
  expiresAt: 'timestamptz',
  actionUrl: 'text',
  actionExpiresAt: 'timestamptz',
} satisfies Partial<Record<keyof Charge, string>>;

/** The columns of {@link toSaved}. */
export const savedColumns = { ...copied, id: 'text', version: 'integer', processorAttempt: 'integer' };

/** Returns a moved charge as {@link saveSql} is given it. */
export function toSaved({ id, version }: Charge, moved: Charge): InputRow {
  return { ...moved, id, version };
}

/**
 * Returns the move that saves charges `x`, those that no other writer has moved since they were read.
 *
 * @param from the table `x`, which has {@link savedColumns}.
 * @param guard a further condition on the charge `c`.
 * @param also further assignments, each with a comma behind it.
 */
export const saveSql = (from: string, guard: string, also = '') => `
  update charges c set
    ${Object.keys(copied)
      .map(toColumn)
      .map((column) => `${column} = x.${column}`)
      .join(', ')},
    processor_attempt = greatest(c.processor_attempt, x.processor_attempt),
    first_terms = case when x.status in ('pending', 'requires_action', 'requires_capture') then c.first_terms end,
    ${also} version = c.version + 1
  from ${from} where c.id = x.id and c.version = x.version and ${guard}
  returning c.id, c.account_id`;

const one = inputTable(savedColumns, false, 1);
const isOpen = `c.status in ('pending', 'requires_action', 'requires_capture')`;

const saves = {
  open: { name: 'save-charge', sql: saveSql(one, isOpen) },
  unsent: { name: 'save-unsent-charge', sql: saveSql(one, `${isOpen} and c.sent_at is null`) },
  succeeded: { name: 'save-failed-capture', sql: saveSql(one, `c.status = 'succeeded'`) },
};

/**
 * Saves a moved charge with its effect. Returns `false` if another writer has moved it since it was read: read it again. A
 * terminal charge never moves, but for one that had succeeded and whose capture failed later.
 *
 * @param from the state that it must be in. `unsent`: open and never sent; a send that begins meanwhile finds it moved.
 */
export function saveCharge(
  db: Database,
  read: Charge,
  moved: Charge,
  effect: Effect,
  from: keyof typeof saves = 'open',
): Promise<boolean> {
  const values = inputValues(savedColumns, false, [toSaved(read, moved)]);
  return commitEffect(db, { ...saves[from], values, charge: 'id' }, effect);
}
