import { prepared, type Database } from '../knex.ts';

/** Whose buckets: the requests of an account, or those of a client to the issuer. */
export type BucketOwner = 'account' | 'client';

/** A token bucket, which all API processes share. */
export interface RateLimit {
  /** Tokens that flow in; a request takes one. */
  requestsPerSecond: number;
  /** Tokens that fit in. */
  burst: number;
}

export interface Lease {
  /** Whole tokens taken out of the bucket, at most as many as were wanted. */
  granted: number;
  /** What is in it still, with fractions. */
  left: number;
}

const tables: Readonly<Record<BucketOwner, { table: string; id: string }>> = {
  account: { table: 'rate_limits', id: 'account_id' },
  client: { table: 'client_rate_limits', id: 'client_id' },
};

/**
 * Refills the bucket by the time that went by, and takes up to `wanted` tokens out of it; an owner's first
 * lease finds it full. One statement, and by the database's clock, read when the row is locked: what flows in
 * between two leases is counted once, whoever asks.
 */
export async function leaseTokens(
  db: Database,
  owner: BucketOwner,
  ownerId: string,
  { requestsPerSecond, burst }: RateLimit,
  wanted: number,
): Promise<Lease> {
  const { table, id } = tables[owner];
  const [row] = await prepared<{ granted: number; tokens: number }>(
    db,
    `lease-tokens-${owner}`,
    `insert into ${table} as bucket (${id}, tokens, refilled_at, granted)
     values ($1, $3::int - least($4::int, $3), clock_timestamp(), least($4, $3))
     on conflict (${id}) do update set (tokens, refilled_at, granted) = (
       select level - lot, at, lot
       from (select greatest(bucket.refilled_at, clock_timestamp()) as at) as clock
       cross join lateral (
         select least($3, bucket.tokens + $2::int * extract(epoch from at - bucket.refilled_at)::float8) as level
       ) as refilled
       cross join lateral (select least($4, floor(level))::int as lot) as taken)
     returning granted, tokens`,
    [ownerId, requestsPerSecond, burst, wanted],
  );
  if (!row) throw new Error('a lease returns its row');
  return { granted: row.granted, left: row.tokens };
}

/** Puts leased tokens back that nobody used; the next lease lets what is too much flow over. */
export async function returnTokens(
  db: Database,
  owner: BucketOwner,
  ownerId: string,
  tokens: number,
): Promise<void> {
  const { table, id } = tables[owner];
  await prepared(
    db,
    `return-tokens-${owner}`,
    `update ${table} set tokens = tokens + $2::int where ${id} = $1`,
    [ownerId, tokens],
  );
}
