import { readFileSync } from 'node:fs';
import { calculateJwkThumbprint, exportJWK, importJWK, importSPKI, type JWK } from 'jose';
import { assertionAlgorithms } from '#issuer/client-assertion.ts';
import type { OAuthClient } from '#db/access/oauth-clients.ts';
import { AdminError } from './command.ts';

/** The members of a public key, by type. All other members are dropped, so that no private key is stored. */
const members: Record<string, readonly string[]> = {
  EC: ['kty', 'crv', 'x', 'y'],
  RSA: ['kty', 'n', 'e'],
};

const algorithms: Record<string, (typeof assertionAlgorithms)[number]> = { EC: 'ES256', RSA: 'RS256' };

/**
 * Returns the public keys of a file as a client registers them: each with one algorithm and a `kid`.
 *
 * @throws {AdminError} if the file holds no usable key.
 */
export async function readPublicKeys(file: string): Promise<NonNullable<OAuthClient['jwks']>> {
  const keys = await Promise.all((await parse(readText(file))).map((key) => register(key, file)));
  if (keys.length === 0) throw unusable(file);
  return { keys };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new AdminError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

async function parse(text: string): Promise<JWK[]> {
  if (text.startsWith('-----BEGIN PUBLIC KEY-----')) return [await readPem(text)];
  try {
    const json = JSON.parse(text) as JWK | { keys: JWK[] };
    return 'keys' in json && Array.isArray(json.keys) ? json.keys : [json as JWK];
  } catch {
    return [];
  }
}

/** Returns the key of a PEM, of either type; an empty key if it has neither. */
async function readPem(text: string): Promise<JWK> {
  const key = await importSPKI(text, 'ES256', { extractable: true }).catch(() =>
    importSPKI(text, 'RS256', { extractable: true }).catch(() => null),
  );
  return key ? exportJWK(key) : {};
}

async function register(jwk: JWK, file: string): Promise<Record<string, unknown>> {
  const alg = algorithms[jwk.kty ?? ''];
  if (alg === undefined || (jwk.alg !== undefined && jwk.alg !== alg)) throw unusable(file);
  const publicJwk = Object.fromEntries(
    (members[jwk.kty ?? ''] ?? []).map((name) => [name, jwk[name as keyof JWK]]),
  ) as JWK;
  try {
    await importJWK(publicJwk, alg);
    return { ...publicJwk, alg, use: 'sig', kid: jwk.kid ?? (await calculateJwkThumbprint(publicJwk)) };
  } catch {
    throw unusable(file);
  }
}

function unusable(file: string): AdminError {
  return new AdminError(
    `${file} holds no public key that can be used: give a JWK, a JWK set or a PEM (BEGIN PUBLIC KEY) for ${assertionAlgorithms.join(' or ')}.`,
  );
}
