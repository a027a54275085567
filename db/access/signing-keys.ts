import { prepared, type Database } from '../knex.ts';

/**
 * A key of the issuer. It signs from a given time until the next key signs, and verifies while one of its tokens may be
 * valid. Nothing has to run at these times.
 */
export interface SigningKey {
  kid: string;
  publicJwk: Record<string, unknown>;
  /** The private JWK, encrypted. */
  privateKey: Buffer;
  /** When it begins to sign. It is published earlier, so that each verifier knows it by then. */
  signsFrom: Date;
  /** When the next key begins to sign; `null`: there is none yet. */
  signsUntil: Date | null;
  verifiesUntil: Date | null;
  /** Whether it is the key that signs now, by the clock of Postgres. */
  isCurrent: boolean;
}

/** A key to be stored. */
export type NewSigningKey = Pick<SigningKey, 'kid' | 'publicJwk' | 'privateKey'>;

/** An arbitrary number that nothing else locks. */
const lockNumber = 7_201_118;

/**
 * Returns the keys that verify, newest first.
 *
 * @param tokensLiveMs the longest time that a token may be valid after the next key began to sign.
 */
export function listSigningKeys(db: Database, tokensLiveMs: number): Promise<SigningKey[]> {
  return prepared<SigningKey>(
    db,
    'list-signing-keys',
    `select * from (
       select kid, public_jwk, private_key, signs_from, signs_until,
         signs_until + $1 * interval '1 ms' as verifies_until,
         signs_from <= now() and (signs_until is null or signs_until > now()) as is_current
       from (
         select *, lead(signs_from) over (order by signs_from, created_at, kid) as signs_until
         from signing_keys where retired_at is null
       ) as in_turn
     ) as verifying
     where verifies_until is null or verifies_until > now()
     order by signs_from desc, signs_until desc`,
    [tokensLiveMs],
  );
}

/** Inserts the key that `create` makes, unless there is a key. Processes that start together make only one. */
export async function insertFirstSigningKey(
  db: Database,
  create: () => Promise<NewSigningKey>,
): Promise<void> {
  await locked(db, async (transaction) => {
    const known = await transaction('signing_keys').whereNull('retired_at').first('kid');
    if (!known) await insert(transaction, await create(), 0);
  });
}

/** Adds a key that is published now and signs after `signsAfterMs`. */
export async function insertNextSigningKey(
  db: Database,
  key: NewSigningKey,
  signsAfterMs: number,
): Promise<void> {
  await locked(db, (transaction) => insert(transaction, key, signsAfterMs));
}

/** Replaces all keys by this one at once. Tokens that the others signed are no longer valid. */
export async function replaceSigningKeys(db: Database, key: NewSigningKey): Promise<void> {
  await locked(db, async (transaction) => {
    await transaction('signing_keys').whereNull('retired_at').update({ retired_at: transaction.fn.now() });
    await insert(transaction, key, 0);
  });
}

/** The outcome of retiring a key; `needed`: no other key could sign now. */
export type Retirement = 'retired' | 'unknown' | 'needed';

/** Retires the key: it no longer signs or verifies. If it was the current one, the key before it signs again. */
export async function retireSigningKey(db: Database, kid: string): Promise<Retirement> {
  return locked(db, async (transaction) => {
    const keys = transaction('signing_keys').whereNull('retired_at');
    if (!(await keys.clone().where({ kid }).first('kid'))) return 'unknown';
    const other = await keys
      .clone()
      .whereNot({ kid })
      .where('signs_from', '<=', transaction.fn.now())
      .first('kid');
    if (!other) return 'needed';
    await keys.clone().where({ kid }).update({ retired_at: transaction.fn.now() });
    return 'retired';
  });
}

function locked<T>(db: Database, work: (transaction: Database) => Promise<T>): Promise<T> {
  return db.transaction(async (transaction) => {
    await transaction.raw('select pg_advisory_xact_lock(?)', [lockNumber]);
    return work(transaction);
  });
}

async function insert(transaction: Database, key: NewSigningKey, signsAfterMs: number): Promise<void> {
  await transaction('signing_keys').insert({
    kid: key.kid,
    public_jwk: JSON.stringify(key.publicJwk),
    private_key: key.privateKey,
    signs_from: transaction.raw(`now() + ? * interval '1 ms'`, [signsAfterMs]),
  });
}
