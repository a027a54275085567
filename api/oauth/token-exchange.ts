import { listAccounts } from '#db/access/accounts.ts';
import { insertAuditEntry } from '#db/access/audit-entries.ts';
import {
  acceptInvitation,
  listMemberships,
  type Membership,
  type OidcPerson,
} from '#db/access/memberships.ts';
import type { OAuthClient } from '#db/access/oauth-clients.ts';
import { insertSession } from '#db/access/sessions.ts';
import { isId } from '#domain/ids.ts';
import { scopes } from '#domain/scopes.ts';
import { newTokenFacts, signAccessToken } from '#issuer/access-tokens.ts';
import { idTokenType } from '#issuer/id-token.ts';
import { tokenLifetime } from '#issuer/token-format.ts';
import type { Answer, Form } from '../http/route.ts';
import type { Asked, IssuerDeps } from './clients.ts';
import { requireParameter } from './form.ts';
import { verifyForClient } from './introspection.ts';
import { answerSession, auditSignIn, newSession, requireConsole } from './member-sessions.ts';
import { answerSecretJson, OAuthError, selectionRequired } from './responses.ts';

/** `grant_type` (RFC 8693 §2.1). */
export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

/** What an operator may do with an account: read. */
const readScopes = scopes.filter((scope) => scope.endsWith(':read'));

/** Exchanges a token for another one, for the console alone (RFC 8693). */
export function grantTokenExchange(
  deps: IssuerDeps,
  client: OAuthClient,
  form: Form,
  asked: Asked,
): Promise<Answer<200>> {
  requireConsole(client);
  const type = requireParameter(form, 'subject_token_type');
  if (type === accessTokenType) return exchangeOperatorToken(deps, client, form, asked);
  if (type === idTokenType) return exchangeIdToken(deps, client, form, asked);
  throw new OAuthError('invalid_request', `subject_token_type can be ${accessTokenType} or ${idTokenType}.`);
}

/**
 * Gives an operator a token of ten minutes that reads one account, which `audience` names. The operator is its `act`
 * (RFC 8693 §4.1), and the end of the operator's session ends it too.
 */
async function exchangeOperatorToken(
  deps: IssuerDeps,
  client: OAuthClient,
  form: Form,
  asked: Asked,
): Promise<Answer<200>> {
  const grant = await verifyForClient(deps.tokens, client, requireParameter(form, 'subject_token'));
  const { memberId, sessionId } = grant ?? {};
  if (!memberId || !sessionId || grant?.accountId !== null || !grant.scopes.has('operator:read'))
    throw new OAuthError('invalid_grant', 'The subject token is not a valid one of an operator.');
  const accountId = requireParameter(form, 'audience');
  const [account] = isId('account', accountId) ? await listAccounts(deps.db, accountId) : [];
  if (!account) throw new OAuthError('invalid_target', 'There is no such account.');
  const read = {
    accountId,
    memberId,
    action: 'accounts.read',
    resourceId: accountId,
    traceId: asked.traceId,
  };
  await insertAuditEntry(deps.db, read, { status: 200 });
  const holder = { clientId: client.id, accountId, memberId, sessionId, isActor: true };
  return answerSecretJson(200, {
    access_token: await signAccessToken(deps, holder, readScopes, newTokenFacts()),
    issued_token_type: accessTokenType,
    token_type: 'Bearer',
    expires_in: tokenLifetime,
    scope: readScopes.join(' '),
    account: { id: accountId, name: account.name },
  });
}

/**
 * Begins a session of the member that the person of the ID token is, or accepts an invitation. `member` says which one. It is
 * needed unless the person has one membership, which was accepted: nobody becomes a member of an account without a word.
 *
 * @throws {OAuthError} `account_selection_required`, which lists the memberships.
 */
async function exchangeIdToken(
  deps: IssuerDeps,
  client: OAuthClient,
  form: Form,
  asked: Asked,
): Promise<Answer<200>> {
  if (!deps.verifyIdToken) throw new OAuthError('invalid_request', 'No OIDC provider is set.');
  const person = await deps.verifyIdToken(requireParameter(form, 'subject_token')).catch(() => {
    throw new OAuthError('temporarily_unavailable', 'The keys of the OIDC provider cannot be read now.');
  });
  if (!person) throw new OAuthError('invalid_grant', 'The ID token is not valid here.');
  const memberships = await listMemberships(deps.db, person);
  const chosen = chooseMembership(memberships, form.get('member'));
  const isTaken = chosen !== null && (await accept(deps, person, chosen, asked));
  const begun = newSession(client);
  const session = isTaken ? await insertSession(deps.db, chosen.memberId, begun.session) : null;
  const member = session && { id: session.memberId, accountId: session.accountId };
  await auditSignIn(deps.db, { member, session, form, asked });
  if (!session) throw new OAuthError('invalid_grant', 'The person is not a member who may sign in.');
  return answerSession(deps, client, session, { ...begun, form, issuedTokenType: accessTokenType });
}

/** Returns the membership that was named, or the only one; `null` if there is none. @throws {OAuthError} */
function chooseMembership(memberships: readonly Membership[], named: string | undefined): Membership | null {
  if (named !== undefined) return memberships.find(({ memberId }) => memberId === named) ?? null;
  const [first, ...others] = memberships;
  if (!first || (first.isAccepted && others.length === 0)) return first ?? null;
  throw selectionRequired(memberships);
}

/** Accepts the membership if it is an invitation. Returns whether the person is the member now. */
async function accept(
  { db }: IssuerDeps,
  person: OidcPerson,
  { memberId, accountId, isAccepted }: Membership,
  { traceId }: Asked,
): Promise<boolean> {
  if (isAccepted) return true;
  if (!(await acceptInvitation(db, person, memberId))) return false;
  const entry = { accountId, memberId, action: 'members.accept', resourceId: memberId, traceId };
  await insertAuditEntry(db, entry, { status: 200 });
  return true;
}
