import { prepared, type Database } from '../knex.ts';

/** The owner of a bucket: an account or a member for its requests, or a client for its requests to the issuer. */
export type BucketOwner = 'account' | 'member' | 'client';

/** A token bucket, which all API processes share. */
export interface RateLimit {
  /** Tokens that are added each second. A request takes one. */
  requestsPerSecond: number;
  /** The most tokens that the bucket holds. */
  burst: number;
}

export interface Lot {
  /** Tokens taken out of the bucket, at most as many as were wanted. */
  granted: number;
  /** Tokens left in the bucket, with fractions. */
  left: number;
}

const tables: Readonly<Record<BucketOwner, { table: string; id: string }>> = {
  account: { table: 'rate_limits', id: 'account_id' },
  member: { table: 'member_rate_limits', id: 'member_id' },
  client: { table: 'client_rate_limits', id: 'client_id' },
};

/**
 * Refills the bucket by the time since the last lease, and takes up to `wanted` tokens. An owner's first lease finds it full.
 * The statement reads the clock of Postgres while it has the row locked. So each token is added once, whichever process
 * asks.
 */
export async function leaseTokens(
  db: Database,
  owner: BucketOwner,
  ownerId: string,
  { requestsPerSecond, burst }: RateLimit,
  wanted: number,
): Promise<Lot> {
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
  if (!row) throw new Error(`The lease of ${owner} ${ownerId} returned no row`);
  return { granted: row.granted, left: row.tokens };
}

/** Returns unused tokens to the bucket. The next lease removes those above the burst. */
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
