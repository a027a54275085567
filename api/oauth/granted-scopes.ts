import { operatorScopes, satisfies, scopes as accountScopes, type Scope } from '#domain/scopes.ts';
import { OAuthError } from './responses.ts';

const everyScope: readonly Scope[] = [...accountScopes, ...operatorScopes];

/**
 * Returns all available scopes, or the requested ones (RFC 6749 §3.3), which may be parts of available ones.
 *
 * @throws {OAuthError} `invalid_scope`
 */
export function grantedScopes(available: readonly string[], asked: string | undefined): Scope[] {
  if (asked === undefined) return everyScope.filter((scope) => available.includes(scope));
  const wanted = new Set(asked.split(' '));
  const granted = everyScope.filter((scope) => wanted.has(scope) && satisfies(available, scope));
  if (granted.length === wanted.size) return granted;
  throw new OAuthError('invalid_scope', 'A scope is unknown, malformed or not one of the client.');
}
