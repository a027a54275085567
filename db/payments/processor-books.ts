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

/** Stores a page, in the place of what was read after the same position before: the last page of a ledger grows. */
export async function storeBookPage(
  db: Database,
  processor: string,
  { after, movements, next }: BookPage,
): Promise<void> {
  const page = after ?? '';
  await db.transaction(async (trx) => {
    const book = { processor_id: processor, position: next ?? after, read_at: trx.fn.now() };
    // It also locks the ledger against another reading.
    await trx('processor_books').insert(book).onConflict('processor_id').merge();
    await trx('processor_movements').where({ processor_id: processor, page }).delete();
    await trx.raw(
      `insert into processor_movements (processor_id, page, kind, key, charge_key, amount)
       select ?, ?, * from unnest(?::text[], ?::text[], ?::text[], ?::bigint[])`,
      [
        processor,
        page,
        movements.map(({ kind }) => kind),
        movements.map(({ key }) => key),
        movements.map(({ chargeKey }) => chargeKey),
        movements.map(({ amount }) => amount),
      ],
    );
  });
}
