import { useProcessor } from '#db/access/processors.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';

/** Makes an account a live one, by a processor that is disabled, so that no process calls it. Returns what undoes it. */
export async function makeLive(db: Database, accountId: string): Promise<() => Promise<void>> {
  const id = newId('processor');
  await db('processors').insert({
    id,
    kind: 'sandbox',
    name: 'Live',
    mode: 'live',
    external_account: 'acct_live',
    key: Buffer.alloc(1),
    status: 'disabled',
  });
  await useProcessor(db, accountId, id, null);
  return async () => {
    await db('account_processors').where({ processor_id: id }).delete();
    await db('processors').where({ id }).delete();
  };
}
