import { createIdTokenVerifier } from '#issuer/id-token.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { Route } from '../http/route.ts';
import { introspectionRoute } from './introspection.ts';
import { jwksRoute } from './metadata.ts';
import { metadataRoute } from './metadata.ts';
import { ownTokenRoutes } from './own-token.ts';
import { revocationRoute } from './revocation.ts';
import { tokenRoute } from './token.ts';

/** Returns the routes of our own issuer, or, if an outside issuer is trusted, those about the caller's own token. */
export function issuerRoutes({ db, config, signingKeys, tokens, revocations }: ApiDeps): Route[] {
  if (!signingKeys) return ownTokenRoutes({ db, tokens, revocations });
  const verifyIdToken = config.oidc && createIdTokenVerifier(config.oidc);
  const deps = { db, auth: config.auth, signingKeys, tokens, revocations, verifyIdToken };
  return [
    tokenRoute(deps),
    introspectionRoute(deps),
    revocationRoute(deps),
    jwksRoute(signingKeys),
    metadataRoute(config.auth.issuer),
  ];
}
