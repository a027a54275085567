import { z } from 'zod';
import type { Config } from '#startup/config.ts';
import { isDatabaseAway, type Database } from '#db/knex.ts';
import type { OAuthClient } from '#db/access/oauth-clients.ts';
import { toRateLimitHeaders, type RateLimits } from '../limits/rate-limits.ts';
import type { RawRequest, RawResponse, RawRoute } from '../http/raw-route.ts';
import { clientId } from '../http/schemas.ts';
import { toAddressBlock } from '#http/address-blocks.ts';
import type { KeyBudgets } from '#http/key-budgets.ts';
import { isId } from '#domain/ids.ts';
import type { Answer } from '../http/route.ts';
import type { TokenVerifier } from '#issuer/tokens.ts';
import { assertionType } from '#issuer/client-assertion.ts';
import { authenticateClient } from './client-authentication.ts';
import { readForm, type Form } from './form.ts';
import type { VerifyIdToken } from '#issuer/id-token.ts';
import type { SigningKeys } from '#issuer/keys.ts';
import { answerOAuthError, answerSecretJson, OAuthError, oauthErrorResponses } from './responses.ts';
import type { Revocations } from '#issuer/revocations.ts';

/** The dependencies of the issuer. */
export interface IssuerDeps {
  db: Database;
  auth: Config['auth'];
  signingKeys: SigningKeys;
  tokens: TokenVerifier;
  revocations: Revocations;
  /** Verifies ID tokens of the operator's OIDC provider; `null`: there is none. */
  verifyIdToken: VerifyIdToken | null;
  /** The buckets of clients. */
  rateLimits: RateLimits;
  /** The buckets of people behind the console, in this process. */
  people: KeyBudgets;
}

/** What the audit tells of a request. */
export type Asked = Pick<RawRequest, 'traceId' | 'address'>;

/** The credentials of a client in a form, if it does not use HTTP Basic; for the documents. */
const credentials = {
  client_id: clientId.optional(),
  client_secret: z.string().optional().describe('The secret of the client, without HTTP Basic.'),
  client_assertion_type: z.literal(assertionType).optional(),
  client_assertion: z.string().optional().describe('A JWT that the client signed (RFC 7523).'),
};

/** Creates a route that takes a form from an authenticated client. Errors are answered in OAuth's own format. */
export function clientRoute(
  deps: Pick<IssuerDeps, 'db' | 'auth' | 'rateLimits' | 'people'>,
  route: Pick<RawRoute, 'path' | 'operationId' | 'summary' | 'description'> & {
    /** The name of its form in the documents. */
    formName: string;
    /** Its own parameters, for the documents; others are ignored (RFC 6749 §3.2). */
    form: z.ZodRawShape;
    responses: Record<number, RawResponse>;
    handle(client: OAuthClient, form: Form, asked: Asked): Promise<Answer>;
  },
): RawRoute {
  return {
    method: 'POST',
    path: route.path,
    access: 'public',
    callers: 'clients',
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    body: {
      type: 'application/x-www-form-urlencoded',
      schema: z.object({ ...route.form, ...credentials }).meta({ id: route.formName }),
    },
    responses: { ...oauthErrorResponses, ...route.responses },
    async handle(request) {
      try {
        const form = await readForm(request);
        const client = await authenticateClient({ db: deps.db, issuer: deps.auth.issuer }, request, form);
        return (await limit(client, form, deps)) ?? (await route.handle(client, form, request));
      } catch (error) {
        return answerOAuthError(toOAuthError(error));
      }
    },
  };
}

/**
 * Takes a token for the request. Returns the refusal if there is none. Failures are limited by address, and the rest by
 * client, or by the person whom the console acts for: nobody uses up what all who sign in need.
 */
async function limit(
  client: OAuthClient,
  form: Form,
  { rateLimits, people }: Pick<IssuerDeps, 'rateLimits' | 'people'>,
): Promise<Answer | null> {
  const person = findPerson(client, form);
  if (person === null) {
    const state = await rateLimits.take({ id: client.id, rateLimit: standard });
    return state.admitted ? null : tooMany(state.resetSeconds, toRateLimitHeaders(state));
  }
  const waitMs = people.waitMs(person);
  if (waitMs > 0) return tooMany(Math.ceil(waitMs / 1_000), {});
  people.spend(person);
  return null;
}

/** Returns whom the console acts for: a session, or who has none by the address. Nobody else is believed. */
function findPerson({ kind }: OAuthClient, form: Form): string | null {
  if (kind !== 'console') return null;
  const session = form.get('person_session');
  if (session !== undefined) return isId('session', session) ? session : null;
  const address = form.get('person_address');
  return address === undefined ? null : toAddressBlock(address);
}

/** The limits of the settings. */
const standard = { requestsPerSecond: null, burst: null };

function tooMany(seconds: number, headers: Record<string, string>): Answer {
  const body = {
    error: 'temporarily_unavailable',
    error_description: 'The client sends too many requests. Use a token until it expires.',
  };
  return answerSecretJson(429, body, { ...headers, 'Retry-After': String(seconds) });
}

/**
 * Returns the OAuth error.
 *
 * @throws `error` if it is an internal one.
 */
function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (!isDatabaseAway(error)) throw error;
  return new OAuthError('temporarily_unavailable', 'Try again in a moment.');
}
