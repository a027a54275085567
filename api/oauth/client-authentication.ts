import { createHash, timingSafeEqual } from 'node:crypto';
import type { Database } from '../../db/knex.ts';
import { findOAuthClient, type OAuthClient } from '../../db/oauth-clients.ts';
import { isId } from '../../domain/ids.ts';
import type { RawRequest } from '../raw-route.ts';
import { OAuthError } from './responses.ts';

/** How a client may prove who it is (RFC 6749 §2.3.1); also for the issuer's metadata. */
export const clientAuthenticationMethods = ['client_secret_basic', 'client_secret_post'] as const;

interface Credentials {
  id: string;
  secret: string;
}

/**
 * @throws {OAuthError} `invalid_client`, the same for an unknown client, a wrong secret and a disabled one;
 *   `invalid_request` when two methods are used at once.
 */
export async function authenticateClient(
  db: Database,
  request: RawRequest,
  form: ReadonlyMap<string, string>,
): Promise<OAuthClient> {
  const { id, secret } = readCredentials(request, form);
  // Ids are looked up only if they could be ours: the rest of the work is the same either way.
  const client = isId('client', id) ? await findOAuthClient(db, id) : null;
  const isRight = secretMatches(secret, client?.secretHash ?? null);
  if (!client || !isRight || client.status === 'disabled') throw refused();
  return client;
}

function readCredentials(request: RawRequest, form: ReadonlyMap<string, string>): Credentials {
  const header = request.headers['authorization'];
  const id = form.get('client_id');
  const secret = form.get('client_secret');
  if (header === undefined) {
    if (id === undefined || secret === undefined) throw refused();
    return { id, secret };
  }
  const basic = request.isSingle('authorization') ? parseBasic(header) : null;
  if (!basic) throw refused();
  // RFC 6749 §2.3: not more than one method. Naming oneself in the form as well is none.
  if (secret !== undefined || (id !== undefined && id !== basic.id)) {
    throw new OAuthError('invalid_request', 'Use one way of client authentication.');
  }
  return basic;
}

/** RFC 6749 §2.3.1: both halves are form-encoded before they are joined (RFC 7617). */
function parseBasic(header: string): Credentials | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  if (encoded === undefined) return null;
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

/** In constant time, and in the same time where there is nothing to compare with. */
function secretMatches(secret: string, secretHash: string | null): boolean {
  const given = createHash('sha256').update(secret).digest();
  const known = Buffer.from(secretHash ?? '', 'hex');
  const isComparable = known.length === given.length;
  return timingSafeEqual(given, isComparable ? known : Buffer.alloc(given.length)) && isComparable;
}

function refused(): OAuthError {
  return new OAuthError('invalid_client', 'The client is unknown or its credentials are wrong.');
}
