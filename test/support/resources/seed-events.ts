import { newId } from '#db/new-id.ts';
import type { Environment } from '../stack/environment.ts';

/** So many events of an account that has none, as if as many charges had succeeded; none is on its way. */
export async function seedEvents(env: Environment, accountId: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId('event'));
  await env.db.raw(
    `insert into events (id, account_id, sequence, type, resource_id, object, created_at)
     select id, ?, n, 'charge.succeeded', 'ch_1', '{"object":"charge"}', now()
     from unnest(?::text[]) with ordinality as given (id, n)`,
    [accountId, ids.toSorted()],
  );
  await env.db('account_sequences').where({ account_id: accountId }).update({ sequence: count });
}
