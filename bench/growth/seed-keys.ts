import type { Database } from '#db/knex.ts';

const atOnce = 100_000;

/** The requests that the keys were answered for. */
export interface SeededKeys {
  accountId: string;
  count: number;
  fingerprint: Buffer;
}

/**
 * Keys of one account that were answered an hour ago, with answers of 1 KB (which Postgres does not compress: they are
 * below 2 KB). They are UUIDs that ascend, so that they are written where the last ones were; they are read at random.
 */
export async function seedKeys(db: Database, { accountId, count, fingerprint }: SeededKeys): Promise<void> {
  for (let done = 0; done < count; done += atOnce) {
    await db.raw(insert, [accountId, fingerprint, done, Math.min(done + atOnce, count) - 1]);
  }
  await db.raw('vacuum analyze idempotency_keys');
}

const insert = `
  insert into idempotency_keys
    (account_id, endpoint, key, claim_id, fingerprint, resource_id, api_version, path, trace_id, start_by, begun_at,
     created_at, answered_at, answer_status, answer_headers, answer_body)
  select account, 'POST /v1/charges', lpad(to_hex(n), 8, '0') || substr(gen_random_uuid()::text, 9), 'clm_seed' || n, fingerprint, 'ch_seed' || n,
    '2026-11-01', '/v1/charges', md5(n::text), hour_ago, hour_ago, hour_ago, hour_ago, 201, '{}',
    convert_to('{"id":"ch_seed' || n || '","text":"' ||
      repeat(encode(sha256(n::text::bytea), 'hex'), 15) || '"}', 'UTF8')
  from (select ?::text as account, ?::bytea as fingerprint, now() - interval '1 hour' as hour_ago) as given,
    lateral generate_series(?::bigint, ?::bigint) as n`;
