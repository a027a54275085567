import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';

/** Rows of one statement. */
const atOnce = 4_000;

/**
 * Inserts many charges of one account, in the order of their ids. All have the tags `shop` and `channel`, each
 * third is failed. Returns the id of the oldest, the only one with the amount 777 and the tag `rare`; it is failed.
 */
export async function seedCharges(db: Database, accountId: string, count: number): Promise<string> {
  const oldest = newId('charge');
  const before = oldest.slice(0, 12);
  // The clock of ids is in their first ten characters; the rest is counted here.
  for (let done = 0; done < count; done += atOnce)
    await db.raw(insert, [oldest, `${before}Z`, done, Math.min(count, done + atOnce) - 1, accountId]);
  await db.raw('analyze charges, metadata_tags');
  return oldest;
}

const insert = `insert into charges (id, account_id, claim_id, workflow_id, amount, currency, status, capture_method, amount_captured,
       payment_method, processor_token, metadata, failure, created_at, updated_at, captured_at)
     select case when n = 0 then ?::text else ? || lpad(n::text, 16, '0') end, account, 'clm_' || account || n,
       'charge/' || account || '/' || n, case when n = 0 then 777 else 100 end, 'EUR',
       case when n % 3 = 0 then 'failed' else 'succeeded' end, 'automatic', case when n % 3 = 0 then 0 else 100 end,
       'tok_visa', 'tok_visa',
       case when n = 0 then '{"shop":"north","channel":"web","rare":"yes"}' else '{"shop":"north","channel":"web"}' end::json,
       case when n % 3 = 0 then '{"code":"card_declined","decline_code":"generic_decline","message":"Declined."}'::json end,
       now(), now(), case when n % 3 > 0 then now() end
     from generate_series(?::int, ?::int) n, (select ?::text as account) of`;
