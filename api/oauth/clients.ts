import { z } from 'zod';
import { isDatabaseAway } from '#db/knex.ts';
import type { OAuthClient } from '#db/access/oauth-clients.ts';
import { isId } from '#domain/ids.ts';
import { toAddressBlock } from '#http/address-blocks.ts';
import { KeyBudgets } from '#http/key-budgets.ts';
import { assertionType } from '#issuer/client-assertion.ts';
import type { VerifyIdToken } from '#issuer/id-token.ts';
import type { SigningKeys } from '#issuer/keys.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { Answer, ArrivedRequest, Form } from '../http/route.ts';
import { clientId } from '../http/schemas.ts';
import { RateLimits, toRateLimitHeaders } from '../limits/rate-limits.ts';
import { authenticateClient } from './client-authentication.ts';
import { readForm } from './form.ts';
import { answerOAuthError, answerSecretJson, OAuthError } from './responses.ts';

/** The dependencies of the issuer. */
export interface IssuerDeps extends Pick<ApiDeps, 'db' | 'tokens' | 'revocations'> {
  auth: ApiDeps['config']['auth'];
  signingKeys: SigningKeys;
  /** Verifies ID tokens of the operator's OIDC provider; `null`: there is none. */
  verifyIdToken: VerifyIdToken | null;
}

/** What the audit tells of a request. */
export type Asked = Pick<ArrivedRequest, 'traceId' | 'address'>;

/** The credentials of a client in a form, if it does not use HTTP Basic; for the documents. */
const credentials = {
  client_id: clientId.optional(),
  client_secret: z.string().optional().describe('The secret of the client, without HTTP Basic.'),
  client_assertion_type: z.literal(assertionType).optional(),
  client_assertion: z.string().optional().describe('A JWT that the client signed (RFC 7523).'),
};

/** Returns the form of an authenticated client, for the documents. Other parameters are ignored (RFC 6749 §3.2). */
export function clientForm(id: string, parameters: z.ZodRawShape): z.ZodType {
  return z.object({ ...parameters, ...credentials }).meta({ id });
}

/** Has the form of an authenticated client answered. Errors are answered in OAuth's own format. */
export type AnswerClient = (
  request: ArrivedRequest,
  handle: (client: OAuthClient, form: Form) => Promise<Answer>,
) => Promise<Answer>;

/** The buckets of clients, and in this process of people behind the console. */
interface Limits {
  rateLimits: RateLimits;
  people: KeyBudgets;
}

export function createClientAnswers({
  db,
  log,
  config,
}: Pick<ApiDeps, 'db' | 'log' | 'config'>): AnswerClient {
  const { requestsPerSecond: perSecond, burst } = config.clientRateLimit;
  const limits = {
    rateLimits: new RateLimits({ db, log, config: { rateLimit: config.clientRateLimit } }, 'client'),
    people: new KeyBudgets({ perSecond, burst }),
  };
  return async (request, handle) => {
    try {
      const form = await readForm(request);
      const client = await authenticateClient({ db, issuer: config.auth.issuer }, request, form);
      return (await limit(client, form, limits)) ?? (await handle(client, form));
    } catch (error) {
      return answerOAuthError(toOAuthError(error));
    }
  };
}

/**
 * Takes a token for the request. Returns the refusal if there is none. Failures are limited by address, and the rest by
 * client, or by the person whom the console acts for: nobody uses up what all who sign in need.
 */
async function limit(
  client: OAuthClient,
  form: Form,
  { rateLimits, people }: Limits,
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
