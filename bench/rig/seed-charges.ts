import type { Database } from '#db/knex.ts';

/**
 * Many charges at once, as workflows would have left them, but written by Postgres alone: a benchmark of reading them
 * need not wait for a million payments.
 */

/** Rows of a statement: it ends in time on a busy machine too. */
const atOnce = 5_000;

/**
 * Charges of one account, one a millisecond, up to now.
 *
 * @param more is added to the description of each.
 */
export async function seedCharges(db: Database, accountId: string, count: number, more = ''): Promise<void> {
  const from = Date.now() - count;
  for (let done = 0; done < count; done += atOnce) {
    await db.raw(insert, [more, accountId, from + done, Math.min(atOnce, count - done) - 1]);
  }
  await db.raw('vacuum analyze charges');
}

/** The time part of an id (`domain/ids.ts`) of `ms`. */
const timePart = [45, 40, 35, 30, 25, 20, 15, 10, 5, 0]
  .map((bits) => `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((ms >> ${bits}) & 31)::int + 1, 1)`)
  .join(' || ');

const insert = `
  insert into charges
    (id, account_id, claim_id, workflow_id, amount, currency, status, capture_method, amount_captured, payment_method,
     processor_token, description, metadata, failure, created_at, updated_at, captured_at)
  select 'ch_' || part, account, 'clm_' || part, 'charge/' || account || '/' || part, 100 + ms % 9900, 'EUR',
    case when ms % 10 = 0 then 'failed' else 'succeeded' end, 'automatic',
    case when ms % 10 = 0 then 0 else 100 + ms % 9900 end, 'tok_visa', 'tok_visa',
    'Order ' || ms || ', "express"' || ?::text,
    json_build_object('order', ms::text, 'channel', 'web'),
    case when ms % 10 = 0 then
      json_build_object('code', 'card_declined', 'decline_code', 'generic_decline', 'message', 'Declined.') end,
    to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0) + interval '120 milliseconds',
    case when ms % 10 > 0 then to_timestamp(ms / 1000.0) + interval '100 milliseconds' end
  from (
    select account, ms, ${timePart} || upper(substr(md5(account || ms), 1, 16)) as part
    from (select ?::text as account, ?::bigint as start) as given,
      lateral generate_series(start, start + ?::bigint) as ms
  ) as made`;
