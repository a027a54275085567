import { isIP } from 'node:net';
import { insertAuditEntry } from '#db/access/audit-entries.ts';
import type { OAuthClient } from '#db/access/oauth-clients.ts';
import { refreshSession, type NewSession, type Session } from '#db/access/sessions.ts';
import { takeSignInCode } from '#db/access/sign-in-codes.ts';
import { currentTimeMs } from '#db/clock.ts';
import { roleScopes, type Role } from '#domain/roles.ts';
import { newTokenFacts, signAccessToken, type TokenFacts } from '#issuer/access-tokens.ts';
import { hashRefreshToken, newRefreshToken } from '#issuer/refresh-token.ts';
import { hashSignInCode } from '#issuer/sign-in-code.ts';
import { tokenLifetime } from '#issuer/token-format.ts';
import type { Answer, Form } from '../http/route.ts';
import type { Asked, IssuerDeps } from './clients.ts';
import { requireParameter } from './form.ts';
import { grantedScopes } from './granted-scopes.ts';
import { answerSecretJson, OAuthError } from './responses.ts';

/** Sessions of members. The console's client takes their tokens, and nobody else can. */

/**
 * How long a session lasts without a new access token, in milliseconds. The console ends a session 30 minutes after its last
 * request, which may be as old as the access token that it used.
 */
const idleMs = 30 * 60_000 + tokenLifetime * 1_000;

/** How long a session lasts, in milliseconds. */
export const sessionLifetimeMs = (role: Role): number => (role === 'operator' ? 4 : 12) * 3_600_000;

/** Trades a sign-in code for the tokens of a new session (RFC 6749 §4.1.3). There is no `redirect_uri` to compare. */
export async function grantAuthorizationCode(
  deps: IssuerDeps,
  client: OAuthClient,
  form: Form,
  asked: Asked,
): Promise<Answer<200>> {
  requireConsole(client);
  const hash = hashSignInCode(requireParameter(form, 'code'));
  const begun = newSession(client);
  const { session, member, revoked } = await takeSignInCode(deps.db, hash, begun.session);
  deps.revocations.notice(revoked);
  if (member) await auditSignIn(deps.db, { member, session, form, asked });
  if (!session) throw new OAuthError('invalid_grant', 'The code is not valid, was used, or has expired.');
  return answerSession(deps, client, session, { ...begun, form });
}

/** Tells the audit who signed in and from where, or who was refused. */
export async function auditSignIn(
  db: IssuerDeps['db'],
  {
    member,
    session,
    form,
    asked,
  }: {
    /** `null`: nobody knows who it was. */
    member: { id: string; accountId: string | null } | null;
    /** `null`: it was refused. */
    session: Session | null;
    form: Form;
    asked: Asked;
  },
): Promise<void> {
  const entry = {
    accountId: member?.accountId ?? null,
    memberId: member?.id ?? null,
    action: session ? 'sessions.start' : 'sessions.refuse',
    resourceId: session?.id ?? null,
    traceId: asked.traceId,
    address: toAddress(form.get('person_address')) ?? toAddress(asked.address),
  };
  await insertAuditEntry(db, entry, { status: session ? 200 : 400 });
}

/**
 * Returns an IP address as Postgres takes it, without a zone, or `null`. Browsers reach the console alone, which tells theirs
 * as its own proxies do. Its client has proved itself, so nobody else can tell one.
 */
function toAddress(text: string | undefined): string | null {
  const [address = ''] = text?.replace(/^::ffff:(?=\d+\.)/i, '').split('%') ?? [];
  return isIP(address) === 0 ? null : address;
}

/** Returns a session to be begun, and its first tokens. */
export function newSession(client: OAuthClient): {
  session: NewSession;
  facts: TokenFacts;
  refreshToken: string;
} {
  const facts = newTokenFacts();
  const refreshToken = newRefreshToken();
  const token = {
    hash: hashRefreshToken(refreshToken),
    accessJti: facts.jti,
    accessExpiresAt: facts.expiresAt,
  };
  const session = { clientId: client.id, token, idleMs, lifetimeMs: sessionLifetimeMs };
  return { session, facts, refreshToken };
}

/** Gives a session its next access token. The refresh token stays the same. */
export async function grantSessionRefresh(
  deps: IssuerDeps,
  client: OAuthClient,
  form: Form,
): Promise<Answer<200>> {
  const refreshToken = requireParameter(form, 'refresh_token');
  const hash = hashRefreshToken(refreshToken);
  const session = await refreshSession(deps.db, { hash, clientId: client.id, idleMs });
  if (!session) throw new OAuthError('invalid_grant', 'The session has ended.');
  return answerSession(deps, client, session, { facts: newTokenFacts(), refreshToken, form });
}

/** @throws {OAuthError} `unauthorized_client` */
export function requireConsole(client: OAuthClient): void {
  if (client.kind === 'console') return;
  throw new OAuthError('unauthorized_client', 'This grant is for the console alone.');
}

/** Returns the answer with the tokens of a session, and who is signed in. */
export async function answerSession(
  deps: IssuerDeps,
  client: OAuthClient,
  session: Session,
  {
    facts,
    refreshToken,
    form,
    issuedTokenType,
  }: { facts: TokenFacts; refreshToken: string; form: Form; issuedTokenType?: string },
): Promise<Answer<200>> {
  const { memberId, accountId } = session;
  const scopes = grantedScopes(roleScopes[session.role], form.get('scope'));
  const holder = { clientId: client.id, accountId, memberId, sessionId: session.id };
  return answerSecretJson(200, {
    access_token: await signAccessToken(deps, holder, scopes, facts),
    ...(issuedTokenType !== undefined && { issued_token_type: issuedTokenType }),
    token_type: 'Bearer',
    expires_in: tokenLifetime,
    scope: scopes.join(' '),
    refresh_token: refreshToken,
    refresh_expires_in: Math.floor((session.expiresAt.getTime() - currentTimeMs()) / 1_000),
    session: session.id,
    member: { id: memberId, name: session.memberName, role: session.role },
    account: accountId === null ? null : { id: accountId, name: session.accountName },
  });
}
