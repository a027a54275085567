import type { Database } from '#db/knex.ts';
import { findOAuthClient, type OAuthClient } from '#db/access/oauth-clients.ts';
import { isId } from '#domain/ids.ts';
import type { ArrivedRequest, Form } from '../http/route.ts';
import { assertedClientId, assertionType, verifyAssertion } from '#issuer/client-assertion.ts';
import { secretMatches } from '#issuer/client-secrets.ts';
import { OAuthError } from './responses.ts';

/** The methods of client authentication (RFC 6749 §2.3.1, RFC 7523 §2.2); also for the issuer's metadata. */
export const clientAuthenticationMethods = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const;

/** The id of a client, and its proof. */
type Credentials = { id: string } & ({ secret: string } | { assertion: string });

/**
 * Returns the authenticated client.
 *
 * @throws {OAuthError} `invalid_client`, the same for an unknown client, a wrong proof and a disabled client;
 *   `invalid_request` if two methods are used at once.
 */
export async function authenticateClient(
  { db, issuer }: { db: Database; issuer: string },
  request: ArrivedRequest,
  form: Form,
): Promise<OAuthClient> {
  const credentials = readCredentials(request, form);
  // Only possible ids are looked up; the other work is the same for all.
  const client = isId('client', credentials.id) ? await findOAuthClient(db, credentials.id) : null;
  const isProven =
    'secret' in credentials
      ? secretMatches(credentials.secret, client?.secretHashes ?? [])
      : client !== null && (await verifyAssertion({ db, issuer }, client, credentials.assertion));
  const isActive = client?.status === 'active' && client.accountStatus === 'active';
  if (!client || !isProven || !isActive) throw refused();
  return client;
}

function readCredentials(request: ArrivedRequest, form: Form): Credentials {
  const header = request.headers['authorization'];
  const used = [header, form.get('client_secret'), form.get('client_assertion')].filter(
    (proof) => proof !== undefined,
  );
  // RFC 6749 §2.3: at most one method. An id in the form is no method.
  if (used.length > 1) throw twoWays();
  const credentials = header === undefined ? readForm(form) : readBasic(request, header);
  if (!credentials) throw refused();
  const name = form.get('client_id');
  if (name !== undefined && name !== credentials.id) throw twoWays();
  return credentials;
}

function readForm(form: Form): Credentials | null {
  const assertion = form.get('client_assertion');
  if (assertion !== undefined) {
    const id = form.get('client_assertion_type') === assertionType ? assertedClientId(assertion) : null;
    return id === null ? null : { id, assertion };
  }
  const [id, secret] = [form.get('client_id'), form.get('client_secret')];
  return id === undefined || secret === undefined ? null : { id, secret };
}

/** Returns the credentials of HTTP Basic. Both halves are form-encoded first (RFC 6749 §2.3.1, RFC 7617). */
function readBasic(request: ArrivedRequest, header: string): Credentials | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  if (encoded === undefined || !request.isSingle('authorization')) return null;
  const [id, secret, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (id === undefined || secret === undefined || rest.length > 0) return null;
  try {
    return { id: decodeFormPart(id), secret: decodeFormPart(secret) };
  } catch {
    return null;
  }
}

function decodeFormPart(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function refused(): OAuthError {
  return new OAuthError('invalid_client', 'The client is unknown or its credentials are wrong.');
}

function twoWays(): OAuthError {
  return new OAuthError('invalid_request', 'Use one way of client authentication.');
}
