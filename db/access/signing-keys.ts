import { prepared, type Database } from '../knex.ts';

/**
 * The keys of our issuer. Each signs from a time on until the next one does, and verifies for as long as a
 * token of it may live; nothing has to happen at either moment.
 */
export interface SigningKey {
  kid: string;
  publicJwk: Record<string, unknown>;
  /** The private JWK, encrypted. */
  privateKey: Buffer;
  /** It is published before, so that every verifier knows it by then. */
  signsFrom: Date;
  /** When the next one signs; `null`: there is none yet. */
  signsUntil: Date | null;
  verifiesUntil: Date | null;
  /** Whether it is the one to sign with now, by the database's clock. */
  isCurrent: boolean;
}

/** A key as it is made. */
export type NewSigningKey = Pick<SigningKey, 'kid' | 'publicJwk' | 'privateKey'>;

/** Any number that nothing else locks. */
const lockNumber = 7_201_118;

/**
 * Those that verify, newest first.
 *
 * @param tokensLiveMs longest that a token may still be valid after the next key began to sign.
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

/** Inserts the key that `create` makes, unless one is there. Processes that start together make one. */
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

/** Puts a key in the place of all others at once: what those signed is no longer valid. */
export async function replaceSigningKeys(db: Database, key: NewSigningKey): Promise<void> {
  await locked(db, async (transaction) => {
    await transaction('signing_keys').whereNull('retired_at').update({ retired_at: transaction.fn.now() });
    await insert(transaction, key, 0);
  });
}

/** What became of the wish to retire a key; `needed`: no other one could sign now. */
export type Retirement = 'retired' | 'unknown' | 'needed';

/** Has the key neither sign nor verify from now on; the one before it signs again where it was its turn. */
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
