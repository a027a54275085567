import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';
import { decryptSecret, encryptSecret, type SecretsKeys } from '#db/encryption.ts';
import type { Database } from '#db/knex.ts';
import {
  insertFirstSigningKey,
  listSigningKeys,
  type NewSigningKey,
  type SigningKey,
} from '#db/access/signing-keys.ts';
import { clockTolerance, type KeySource } from './tokens.ts';
import { algorithm, tokenLifetime } from './token-format.ts';

/** The longest age of the keys in memory, in milliseconds: then changes of other processes are read. */
const freshForMs = 2_000;

/** The shortest time between reads for unknown keys: an invented `kid` must not cost a statement each time. */
const rereadEveryMs = 500;

/**
 * The longest time that a token may be valid after the next key began to sign. Processes notice that moment late, and
 * the clocks of issuer and verifier may differ twice. In milliseconds.
 */
export const tokensLiveMs = (tokenLifetime + 2 * clockTolerance) * 1_000 + freshForMs;

/** The keys of our issuer. */
export interface SigningKeys extends KeySource {
  /** Returns the key that signs tokens now. */
  current(): Promise<{ kid: string; privateKey: CryptoKey }>;
  /** Returns the keys that verify tokens in use (RFC 7517 §5). */
  publicKeys(): Promise<JWK[]>;
}

interface Loaded {
  at: number;
  publicKeys: Map<string, CryptoKey>;
  jwks: JWK[];
  current: { kid: string; privateKey: CryptoKey } | null;
}

/**
 * Reads the keys, and makes the first one if there is none.
 *
 * @throws if the keys were encrypted under another SECRETS_KEY.
 */
export async function openSigningKeys(db: Database, secretsKey: SecretsKeys): Promise<SigningKeys> {
  await insertFirstSigningKey(db, () => createSigningKey(secretsKey));
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
      if (!current) throw new Error('There is no signing key');
      return current;
    },
    publicKeys: async () => (await keys(freshForMs)).jwks,
  };
}

/**
 * Throws if the keys were encrypted under another SECRETS_KEY.
 *
 * @throws when the keys that are there were encrypted under another SECRETS_KEY.
 */
export async function requireSecretsKey(db: Database, secretsKey: SecretsKeys): Promise<void> {
  const [key] = await listSigningKeys(db, tokensLiveMs);
  if (key) await importPrivate(key, secretsKey);
}

/** Returns a new key pair with an encrypted private half. Its `kid` is its thumbprint (RFC 7638). */
export async function createSigningKey(secretsKey: SecretsKeys): Promise<NewSigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  // An operator names the key on a command line, where such an id would read as an option.
  if (kid.startsWith('-')) return createSigningKey(secretsKey);
  const privateJwk = JSON.stringify(await exportJWK(privateKey));
  return {
    kid,
    publicJwk: { ...publicJwk, kid, alg: algorithm, use: 'sig' },
    privateKey: encryptSecret(secretsKey, toSealContext(kid), privateJwk),
  };
}

async function readKeys(db: Database, secretsKey: SecretsKeys): Promise<Loaded> {
  const at = performance.now();
  const rows = await listSigningKeys(db, tokensLiveMs);
  const current = rows.find((row) => row.isCurrent);
  const publicKeys = await Promise.all(
    rows.map(async (row) => [row.kid, await importKey(row.publicJwk as JWK)] as const),
  );
  return {
    at,
    publicKeys: new Map(publicKeys),
    jwks: rows.map((row) => row.publicJwk as JWK),
    current: current ? { kid: current.kid, privateKey: await importPrivate(current, secretsKey) } : null,
  };
}

async function importPrivate({ kid, privateKey }: SigningKey, secretsKey: SecretsKeys): Promise<CryptoKey> {
  let text: string;
  try {
    text = decryptSecret(secretsKey, toSealContext(kid), privateKey);
  } catch (cause) {
    throw new Error('The signing keys in the database were encrypted under another SECRETS_KEY', { cause });
  }
  return importKey(JSON.parse(text) as JWK);
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  return (await importJWK(jwk, algorithm)) as CryptoKey;
}

const toSealContext = (kid: string) => `signing_keys/${kid}`;
