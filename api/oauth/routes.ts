import { KeyBudgets } from '#http/key-budgets.ts';
import { createIdTokenVerifier } from '#issuer/id-token.ts';
import type { ApiDeps } from '../http/deps.ts';
import { RateLimits } from '../limits/rate-limits.ts';
import type { RawRoute } from '../http/raw-route.ts';
import { introspectionRoute } from './introspection.ts';
import { jwksRoute } from './jwks.ts';
import { metadataRoute } from './metadata.ts';
import { ownTokenRoutes } from './own-token.ts';
import { revocationRoute } from './revocation.ts';
import { tokenRoute } from './token.ts';

/** Returns the routes of our own issuer, or, if an outside issuer is trusted, those about the caller's own token. */
export function issuerRoutes({ db, log, config, signingKeys, tokens, revocations }: ApiDeps): RawRoute[] {
  if (!signingKeys) return ownTokenRoutes({ db, tokens, revocations });
  const rateLimits = new RateLimits({ db, log, config: { rateLimit: config.clientRateLimit } }, 'client');
  const { requestsPerSecond: perSecond, burst } = config.clientRateLimit;
  const people = new KeyBudgets({ perSecond, burst });
  const verifyIdToken = config.oidc && createIdTokenVerifier(config.oidc);
  const deps = { db, auth: config.auth, signingKeys, tokens, revocations, rateLimits, people, verifyIdToken };
  return [
    tokenRoute(deps),
    introspectionRoute(deps),
    revocationRoute(deps),
    jwksRoute(signingKeys),
    metadataRoute(config.auth.issuer),
  ];
}
