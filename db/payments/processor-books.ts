import type { Movement } from '#domain/reconciliation.ts';
import type { Database } from '../knex.ts';

/**
 * The processors' ledgers as reconciliation has read them: page by page, so that the next reading begins where the last one
 * ended, also one that was interrupted. A processor is named by its id; the built-in one by an empty text.
 */

/** Returns where the next reading begins; `null`: at the beginning. */
export async function findBookPosition(db: Database, processor: string): Promise<string | null> {
  const row = await db<{ position: string | null }>('processor_books')
    .where('processor_id', processor)
    .first('position');
  return row?.position ?? null;
}

/** A page of a ledger. */
export interface BookPage {
  /** The position that it was read after; `null`: it is the first. */
  after: string | null;
  movements: readonly Movement[];
  /** Where the next one begins; `null`: the ledger ends here for now. */
  next: string | null;
}

/**
 * Stores a page, in the place of what was read after the same position before: the last page of a ledger grows. Returns
 * `false`, and stores nothing, if the ledger is at another position than the page was read after: another reading has
 * stored it meanwhile.
 */
export async function storeBookPage(
  db: Database,
  processor: string,
  { after, movements, next }: BookPage,
): Promise<boolean> {
  const page = after ?? '';
  return db.transaction(async (trx) => {
    await trx('processor_books')
      .insert({ processor_id: processor, read_at: trx.fn.now() })
      .onConflict('processor_id')
      .ignore();
    // It also locks the ledger against another reading.
    const moved = await trx('processor_books')
      .where({ processor_id: processor })
      .whereRaw('position is not distinct from ?', [after])
      .update({ position: next ?? after, read_at: trx.fn.now() });
    if (moved === 0) return false;
    await trx('processor_movements').where({ processor_id: processor, page }).delete();
    await trx.raw(
      `insert into processor_movements (processor_id, page, kind, key, charge_key, payment_ref, amount)
       select ?, ?, kind, key, "chargeKey", "paymentRef", amount from json_to_recordset(?) as movement
         (kind text, key text, "chargeKey" text, "paymentRef" text, amount bigint)`,
      [processor, page, JSON.stringify(movements)],
    );
    return true;
  });
}
