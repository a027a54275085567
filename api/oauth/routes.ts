import type { ApiDeps } from '../deps.ts';
import type { RawRoute } from '../raw-route.ts';
import { jwksRoute } from './jwks.ts';
import { metadataRoute } from './metadata.ts';
import { tokenRoute } from './token.ts';

/** Our own issuer; nothing where an outside one is trusted, since no token of ours would be taken. */
export function issuerRoutes({ db, config, signingKeys }: ApiDeps): RawRoute[] {
  if (!signingKeys) return [];
  return [
    tokenRoute({ db, auth: config.auth, signingKeys }),
    jwksRoute(signingKeys),
    metadataRoute(config.auth.issuer),
  ];
}
