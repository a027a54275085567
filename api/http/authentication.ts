import type { IncomingMessage } from 'node:http';
import { findAccount, type Account } from '#db/access/accounts.ts';
import type { Database } from '#db/knex.ts';
import { isId } from '#domain/ids.ts';
import { ProblemError } from '#domain/problems.ts';
import { isSingleHeader } from './headers.ts';
import { outage } from './outage.ts';
import { satisfies, type Scope } from '#domain/scopes.ts';
import { InvalidToken, type Grant, type TokenVerifier } from '#issuer/tokens.ts';
import { createTtlCache } from '#issuer/ttl-cache.ts';

/** The account and the grant that a request is made with. */
export interface Caller {
  account: Account;
  grant: Grant;
}

/** Finds the caller of a request; see {@link createAuthentication}. */
export type Authenticate = (req: IncomingMessage) => Promise<Caller>;

/** How long this process may miss a change of an account, in milliseconds. All processes are promised within 5 s. */
const accountTtlMs = 3_000;

const maxAccounts = 10_000;

/**
 * Creates the function that authenticates requests. It reads the Authorization header only: logs and proxies keep URLs, so
 * a token in one would leak. It throws {ProblemError} `invalid_token`, `account_disabled`, or `service_unavailable` if keys
 * or accounts cannot be read now.
 */
export function createAuthentication({ db, tokens }: { db: Database; tokens: TokenVerifier }): Authenticate {
  const accounts = createTtlCache<Account | null>({
    ttlMs: accountTtlMs,
    maxEntries: maxAccounts,
    load: (id) => findAccount(db, id),
  });
  return async (req) => {
    const grant = await verifyBearer(tokens, req.headers.authorization, isSingleHeader(req, 'authorization'));
    if (grant.accountId === null) throw noAccount();
    const account = isId('account', grant.accountId)
      ? await accounts.get(grant.accountId).catch(throwUnavailable)
      : null;
    if (!account) throw invalidToken('The account of the access token does not exist.');
    if (account.status === 'disabled') throw accountDisabled();
    return { account, grant };
  };
}

/**
 * Throws unless the grant satisfies every scope that is needed.
 *
 * @throws {ProblemError} `insufficient_scope`, which names all of them.
 */
export function authorize({ grant }: Pick<Caller, 'grant'>, needed: readonly Scope[]): void {
  if (needed.every((scope) => satisfies(grant.scopes, scope))) return;
  const names = needed.map((scope) => `\`${scope}\``);
  throw new ProblemError('insufficient_scope', {
    detail: `This needs the scope${names.length > 1 ? 's' : ''} ${names.join(' and ')}.`,
    headers: { 'WWW-Authenticate': challenge(`error="insufficient_scope", scope="${needed.join(' ')}"`) },
  });
}

/**
 * Returns the grant of an Authorization header.
 *
 * @param isSingle whether the request has one such header.
 * @throws {ProblemError} `invalid_token`, or `service_unavailable` if keys cannot be read now.
 */
export function verifyBearer(
  tokens: TokenVerifier,
  header: string | undefined,
  isSingle: boolean,
): Promise<Grant> {
  return verify(tokens, readBearer(header, isSingle));
}

/** Returns the token of a header (RFC 6750 §2.1). The name of the scheme is case-insensitive (RFC 9110 §11.1). */
function readBearer(header: string | undefined, isSingle: boolean): string {
  // RFC 6750 §3.1: no error code when no credentials were sent.
  if (header === undefined)
    throw new ProblemError('invalid_token', { headers: { 'WWW-Authenticate': challenge() } });
  if (!isSingle) throw invalidToken('Send one Authorization header.');
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1];
  if (token === undefined)
    throw invalidToken('Send the header as `Authorization: Bearer` and an access token.');
  return token;
}

function verify(tokens: TokenVerifier, token: string): Promise<Grant> {
  return tokens.verify(token).catch((error: unknown) => {
    throw error instanceof InvalidToken ? invalidToken(error.message) : outage('service_unavailable', error);
  });
}

function throwUnavailable(error: unknown): never {
  throw outage('service_unavailable', error);
}

function invalidToken(detail: string): ProblemError {
  return new ProblemError('invalid_token', {
    detail,
    headers: { 'WWW-Authenticate': challenge('error="invalid_token"') },
  });
}

/** Returns a 403. RFC 6750 §3.1 prefers 401 for this error, but another token would not help. */
function accountDisabled(): ProblemError {
  return new ProblemError('account_disabled', {
    headers: { 'WWW-Authenticate': challenge('error="invalid_token"') },
  });
}

/** Returns a 403: a token of an operator says nothing about an account. */
function noAccount(): ProblemError {
  return new ProblemError('insufficient_scope', {
    detail: 'The access token is for no account.',
    headers: { 'WWW-Authenticate': challenge('error="insufficient_scope"') },
  });
}

function challenge(attributes?: string): string {
  return attributes === undefined ? 'Bearer realm="payments"' : `Bearer realm="payments", ${attributes}`;
}
