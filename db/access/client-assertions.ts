import { prepared, type Database } from '../knex.ts';

/**
 * Records that an assertion was accepted. Returns `false` if it was accepted before (RFC 7523 §3, `jti`). Each call deletes
 * some records of expired assertions.
 *
 * @param expiresAt the time at which the assertion expires.
 */
export async function takeAssertion(
  db: Database,
  { clientId, jtiHash, expiresAt }: { clientId: string; jtiHash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const taken = await prepared(
    db,
    'take-assertion',
    `with expired as (
       select client_id, jti_hash from client_assertions where expires_at < now()
       order by expires_at limit 100 for update skip locked
     ), cleared as (
       delete from client_assertions a using expired e
       where a.client_id = e.client_id and a.jti_hash = e.jti_hash
     )
     insert into client_assertions (client_id, jti_hash, expires_at) values ($1, $2, $3)
     on conflict do nothing returning client_id`,
    [clientId, jtiHash, expiresAt],
  );
  return taken.length > 0;
}
