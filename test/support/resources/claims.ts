import type { Environment } from '../stack/environment.ts';

/** The account's claims of this key are older than they are kept, and gone. */
export async function outliveRetention(
  { db }: Environment,
  { accountId }: { accountId: string },
  key: string,
): Promise<void> {
  const claims = () => db('idempotency_keys').where({ account_id: accountId, key });
  const then = db.raw(`clock_timestamp() - interval '25 hours'`);
  await claims().update({ created_at: then, answered_at: then });
  await claims().delete();
}
