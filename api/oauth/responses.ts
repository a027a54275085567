import { z } from 'zod';
import type { Membership } from '#db/access/memberships.ts';
import type { Answer, RouteResponse } from '../http/route.ts';
import { accountId, memberId, role } from '../http/schemas.ts';

/** The codes of this issuer, most of them of RFC 6749 §5.2. */
const errorCodes = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
  /** From RFC 8693 §2.2.2. */
  'invalid_target',
  /** From OpenID Connect Core §3.1.2.6: the person chooses one of several accounts. */
  'account_selection_required',
  /** From RFC 6749 §4.1.2.1; §5.2 has no such code. */
  'temporarily_unavailable',
] as const;

export type OAuthErrorCode = (typeof errorCodes)[number];

const statuses: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  temporarily_unavailable: 503,
};

/** A refusal in OAuth's own format. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  readonly status: number;
  /** Further members of the answer. */
  readonly members: object;

  /** @param message for the caller: the characters that RFC 6749 §5.2 allows, so no quotes or backslashes. */
  constructor(
    code: OAuthErrorCode,
    message: string,
    status = statuses[code] ?? 400,
    members: Record<string, unknown> = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.members = members;
  }
}

/** Returns the refusal that says where the person may sign in. */
export function selectionRequired(memberships: readonly Membership[]): OAuthError {
  const shown = memberships.map(
    ({ memberId: member, role: held, accountId: id, accountName: name, isAccepted }) => ({
      member,
      role: held,
      account: id === null ? null : { id, name },
      status: isAccepted ? 'accepted' : 'invited',
    }),
  );
  return new OAuthError('account_selection_required', 'Name one of the memberships as member.', 400, {
    memberships: shown,
  });
}

/** Returns an answer that must not be stored, since it holds a token (RFC 6749 §5.1). */
export function answerSecretJson<Status extends number>(
  status: Status,
  body: object,
  headers: Record<string, string> = {},
): Answer<Status> {
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
      ...headers,
    },
    body,
  };
}

/** Returns an answer that is public, and may be cached for some minutes. */
export function answerPublicJson(body: object): Answer<200> {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' },
    body,
  };
}

export function answerOAuthError({ code, status, message, members }: OAuthError): Answer {
  const body = { error: code, error_description: message, ...members };
  return answerSecretJson(status, body, buildHeaders(status));
}

function buildHeaders(status: number): Record<string, string> {
  // RFC 9110 §11.6.1: every 401 names an accepted scheme.
  if (status === 401) return { 'WWW-Authenticate': 'Basic realm="payments"' };
  return status === 503 ? { 'Retry-After': '1' } : {};
}

const errorCode = z
  .enum(errorCodes)
  .meta({ id: 'OAuthErrorCode', description: 'What a program branches on (RFC 6749 §5.2).' });

/** The account of a person. */
export const memberAccount = z
  .strictObject({ id: accountId, name: z.string().describe('Its name.') })
  .meta({ id: 'MemberAccount', description: 'The account of a member who signed in to the console.' });

const membership = z
  .strictObject({
    member: memberId,
    role,
    account: memberAccount.nullable().describe('`null`: the service, of which the person is an operator.'),
    status: z.enum(['accepted', 'invited']).meta({
      id: 'MembershipStatus',
      description: '`invited`: to sign in there is to accept the invitation.',
    }),
  })
  .meta({ id: 'Membership', description: 'Where a person may sign in' });

const errorSchema = z
  .strictObject({
    error: errorCode,
    error_description: z.string().describe('What to do, for people.'),
    memberships: z
      .array(membership)
      .optional()
      .describe('With `account_selection_required`, which the console alone is answered.'),
  })
  .meta({
    id: 'OAuthError',
    example: { error: 'invalid_client', error_description: 'The client is unknown.' },
  });

const errorResponse = (description: string): RouteResponse => ({ description, schema: errorSchema });

/** The errors of the issuer's endpoints, for the documents. */
export const oauthErrorResponses: Record<number, RouteResponse> = {
  400: errorResponse('The parameters are invalid'),
  401: errorResponse('The client could not be authenticated'),
  413: errorResponse('The form is too large'),
  429: errorResponse(
    'The client sends too many requests, or too many authentications from this address have failed',
  ),
  503: errorResponse('The issuer is unavailable; try again'),
};
