import type { Database } from './knex.ts';

/** A key that signs, or once signed, access tokens. */
export interface SigningKeyRow {
  kid: string;
  public_jwk: Record<string, unknown>;
  /** The private JWK, encrypted. */
  private_key: Buffer;
  /** No token is signed with it from then on; it verifies until it is deleted. */
  retired_at: Date | null;
}

/** Any number that nothing else locks. */
const lockNumber = 7_201_118;

/** Newest first. */
export async function listSigningKeys(db: Database): Promise<SigningKeyRow[]> {
  return db<SigningKeyRow>('signing_keys')
    .select('kid', 'public_jwk', 'private_key', 'retired_at')
    .orderBy('created_at', 'desc');
}

/** Inserts the key that `create` makes, unless one is there to sign with. Processes that start together make one. */
export async function insertFirstSigningKey(
  db: Database,
  create: () => Promise<Pick<SigningKeyRow, 'kid' | 'public_jwk' | 'private_key'>>,
): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.raw('select pg_advisory_xact_lock(?)', [lockNumber]);
    const live = await transaction('signing_keys').whereNull('retired_at').first('kid');
    if (live) return;
    const key = await create();
    await transaction('signing_keys').insert({ ...key, public_jwk: JSON.stringify(key.public_jwk) });
  });
}
