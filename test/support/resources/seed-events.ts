import { rollUpCharges } from '#db/payments/charge-figures.ts';
import { newId } from '#db/new-id.ts';
import { firstIdAt, formatId } from '#domain/ids.ts';
import { eventually } from '../eventually.ts';
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

/** Events of charges that succeeded at these times, without charges. The first one has this sequence. */
export function seedEventsAt(
  db: Environment['db'],
  accountId: string,
  first: number,
  times: readonly number[],
): Promise<void> {
  const object = { currency: 'EUR', amount: 500, amount_captured: 250 };
  return seedTold(
    db,
    accountId,
    first,
    times.map((at) => ({ at, type: 'charge.succeeded', object })),
  );
}

/** Events that tell this, without charges. The first one has this sequence. */
export async function seedTold(
  db: Environment['db'],
  accountId: string,
  first: number,
  told: readonly { at: number; type: string; object: object }[],
): Promise<void> {
  const rows = told.map(({ at, type, object }, n) => ({
    id: formatId('event', firstIdAt('event', at).slice(4, 14) + newId('event').slice(14)),
    account_id: accountId,
    sequence: first + n,
    type,
    resource_id: newId('charge'),
    object,
    created_at: new Date(),
  }));
  await db.transaction(async (transaction) => {
    const sequence = first + told.length - 1;
    await transaction('account_sequences').where({ account_id: accountId }).update({ sequence });
    await transaction('events').insert(rows);
  });
}

/** Counts the account's charges until none of its events is left. A worker may count some of them meanwhile. */
export async function countCharges(env: Environment, accountId: string): Promise<void> {
  await eventually('its events are counted', async () => {
    await rollUpCharges(env.db);
    const left = await env
      .db('account_sequences as s')
      .leftJoin('charge_figure_marks as m', 'm.account_id', 's.account_id')
      .where('s.account_id', accountId)
      .whereRaw('s.sequence > coalesce(m.sequence, 0)')
      .first('s.sequence');
    return left === undefined;
  });
}
