import { insertAuditEntry } from '#db/access/audit-entries.ts';
import { findMember } from '#db/access/members.ts';
import type { OAuthClient } from '#db/access/oauth-clients.ts';
import { findRefreshToken, revokeRefreshFamily } from '#db/access/refresh-tokens.ts';
import { revokeToken } from '#db/access/revocations.ts';
import { revokeSessions } from '#db/access/sessions.ts';
import { clockTolerance } from '#issuer/tokens.ts';
import { clientForm, type IssuerDeps } from './clients.ts';
import { requireParameter } from './form.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { tokenForm, verifyForClient } from './introspection.ts';
import { oauthErrorResponses } from './responses.ts';
import { hashRefreshToken, isRefreshToken } from '#issuer/refresh-token.ts';

/**
 * Creates POST /oauth2/revoke: a client revokes a token of its own (RFC 7009). A token that is invalid, or of another
 * client, gets the same answer, so a caller learns nothing about it.
 */
export function revocationRoute(deps: IssuerDeps): Route {
  return defineRoute({
    method: 'POST',
    caller: 'client',
    path: '/oauth2/revoke',
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description:
      'The token is refused everywhere within 5 seconds (RFC 7009). Revoking a refresh token revokes its whole grant. A token that is unknown gets the same answer.',
    body: clientForm('RevocationRequest', tokenForm),
    responses: {
      ...oauthErrorResponses,
      200: { description: 'The token is not valid any more' },
    },
    async handle({ client, body: form, traceId }) {
      const token = requireParameter(form, 'token');
      if (isRefreshToken(token)) await revokeRefresh(deps, client, token, traceId);
      else await revokeAccess(deps, client, token);
      return { status: 200, headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' } };
    },
  });
}

async function revokeAccess(deps: IssuerDeps, client: OAuthClient, token: string): Promise<void> {
  const grant = await verifyForClient(deps.tokens, client, token);
  if (!grant) return;
  const { tokenId, expiresAt } = grant;
  const until = new Date((expiresAt + 2 * clockTolerance) * 1000);
  deps.revocations.notice([await revokeToken(deps.db, tokenId, until)]);
}

/** Revokes the grant of a refresh token, also of a used one, with its access tokens (RFC 7009 §2.1). */
async function revokeRefresh(
  deps: IssuerDeps,
  client: OAuthClient,
  token: string,
  traceId: string,
): Promise<void> {
  const found = await findRefreshToken(deps.db, hashRefreshToken(token));
  if (found?.clientId !== client.id) return;
  const { familyId, sessionId, memberId } = found;
  const isSession = sessionId !== null && memberId !== null;
  if (isSession) return signOut(deps, { sessionId, memberId, traceId });
  deps.revocations.notice(await revokeRefreshFamily(deps.db, familyId));
}

async function signOut(
  { db, revocations }: IssuerDeps,
  { sessionId, memberId, traceId }: { sessionId: string; memberId: string; traceId: string },
): Promise<void> {
  const revoked = await revokeSessions(db, { sessionId });
  revocations.notice(revoked);
  // A session ends once.
  if (revoked.length === 0) return;
  const accountId = (await findMember(db, memberId))?.accountId ?? null;
  const entry = { accountId, memberId, action: 'sessions.end', resourceId: sessionId, traceId };
  await insertAuditEntry(db, entry, { status: 200 });
}
