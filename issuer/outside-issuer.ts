import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { isEncryptedOrLocal } from '#domain/addresses.ts';

const metadata = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/** Returns the addresses of an issuer's metadata (RFC 8414 §3.1; OpenID Discovery §4). */
function metadataUrls(issuer: string): URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    new URL(`${origin}/.well-known/oauth-authorization-server${path}`),
    new URL(`${origin}${path}/.well-known/openid-configuration`),
  ];
}

const discoveryTimeoutMs = 3_000;

/**
 * Returns the keys of an outside issuer. The first token finds them, and a failed search is repeated by the next
 * token. An error says nothing about the token: the issuer cannot be reached, or is another.
 */
export function createOutsideKeys(issuer: string): JWTVerifyGetKey {
  let found: Promise<JWTVerifyGetKey> | null = null;
  return async (header, token) => {
    found ??= discover(issuer).catch((error: unknown) => {
      found = null;
      throw error;
    });
    return (await found)(header, token);
  };
}

/**
 * Requires that keys are fetched as safely as the metadata that names them. An issuer by `http` beyond this machine is one of
 * a network that the operator trusts (`ALLOW_PLAIN_HTTP`); so are its keys.
 */
function requirePrivate(issuer: string, keys: string): void {
  if (isEncryptedOrLocal(keys) || !isEncryptedOrLocal(issuer)) return;
  throw new Error(
    `The issuer ${issuer} publishes its keys at ${keys}, which must be https beyond this machine`,
  );
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  for (const url of metadataUrls(issuer)) {
    const response = await fetch(url, { signal: AbortSignal.timeout(discoveryTimeoutMs), redirect: 'error' });
    if (!response.ok) continue;
    const found = metadata.parse(await response.json());
    // RFC 8414 §3.3: metadata of another issuer is invalid.
    if (found.issuer !== issuer)
      throw new Error(`${url.href} has the metadata of another issuer than ${issuer}`);
    requirePrivate(issuer, found.jwks_uri);
    return createRemoteJWKSet(new URL(found.jwks_uri), { timeoutDuration: discoveryTimeoutMs });
  }
  throw new Error(`The issuer ${issuer} publishes no metadata`);
}
