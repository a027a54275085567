import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';
import { decryptSecret, encryptSecret } from '../../db/encryption.ts';
import type { Database } from '../../db/knex.ts';
import { insertFirstSigningKey, listSigningKeys, type SigningKeyRow } from '../../db/signing-keys.ts';
import type { KeySource } from '../tokens.ts';

/** ECDSA on P-256 with SHA-256 (RFC 7518 §3.4): the one algorithm of our issuer. */
export const algorithm = 'ES256';

/** How long the table goes unread: a key added or deleted by another process is noticed by then. */
const freshForMs = 5_000;

/** A made-up `kid` must not cost a statement each time. */
const rereadEveryMs = 500;

/** Our issuer's keys, as the table has them. */
export interface SigningKeys extends KeySource {
  /** What a token is signed with now. */
  current(): Promise<{ kid: string; privateKey: CryptoKey }>;
  /** What verifies tokens that are out (RFC 7517 §5). */
  publicKeys(): Promise<JWK[]>;
}

interface Loaded {
  at: number;
  publicKeys: Map<string, CryptoKey>;
  jwks: JWK[];
  current: { kid: string; privateKey: CryptoKey } | null;
}

/**
 * Reads the keys, and makes the first one where there is none.
 *
 * @throws when the keys were encrypted under another SECRETS_KEY.
 */
export async function openSigningKeys(db: Database, secretsKey: Buffer): Promise<SigningKeys> {
  await insertFirstSigningKey(db, () => createKey(secretsKey));
  let loading: Promise<Loaded> | null = null;
  const load = (): Promise<Loaded> => {
    loading ??= readKeys(db, secretsKey).finally(() => (loading = null));
    return loading;
  };
  let loaded = await load();
  const keys = async (olderThanMs: number): Promise<Loaded> => {
    if (performance.now() - loaded.at > olderThanMs) loaded = await load();
    return loaded;
  };
  return {
    async findKey(kid) {
      const known = (await keys(freshForMs)).publicKeys.get(kid);
      return known ?? (await keys(rereadEveryMs)).publicKeys.get(kid) ?? null;
    },
    async current() {
      const { current } = await keys(freshForMs);
      if (!current) throw new Error('There is no signing key that is not retired');
      return current;
    },
    publicKeys: async () => (await keys(freshForMs)).jwks,
  };
}

/** A new key pair, its private half encrypted; `kid` is its thumbprint (RFC 7638). */
async function createKey(
  secretsKey: Buffer,
): Promise<Pick<SigningKeyRow, 'kid' | 'public_jwk' | 'private_key'>> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateJwk = JSON.stringify(await exportJWK(privateKey));
  return {
    kid,
    public_jwk: { ...publicJwk, kid, alg: algorithm, use: 'sig' },
    private_key: encryptSecret(secretsKey, placeOf(kid), privateJwk),
  };
}

async function readKeys(db: Database, secretsKey: Buffer): Promise<Loaded> {
  const at = performance.now();
  const rows = await listSigningKeys(db);
  const live = rows.find((row) => row.retired_at === null);
  const publicKeys = await Promise.all(
    rows.map(async (row) => [row.kid, await importKey(row.public_jwk as JWK)] as const),
  );
  return {
    at,
    publicKeys: new Map(publicKeys),
    jwks: rows.map((row) => row.public_jwk as JWK),
    current: live ? { kid: live.kid, privateKey: await importPrivate(live, secretsKey) } : null,
  };
}

async function importPrivate({ kid, private_key }: SigningKeyRow, secretsKey: Buffer): Promise<CryptoKey> {
  let text: string;
  try {
    text = decryptSecret(secretsKey, placeOf(kid), private_key);
  } catch (cause) {
    throw new Error('The signing keys in the database were encrypted under another SECRETS_KEY', { cause });
  }
  return importKey(JSON.parse(text) as JWK);
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  return (await importJWK(jwk, algorithm)) as CryptoKey;
}

const placeOf = (kid: string) => `signing_keys/${kid}`;
