import { satisfies, type Scope } from '#domain/scopes.ts';
import { describedTable } from './described-table.ts';
import { listScopes } from './http/route.ts';

/**
 * Returns the scopes that a client lacks for requests of which it has one scope. Such a request is refused with 403
 * `insufficient_scope` until the client has the others. The order is that of the routes. Few clients need to export the
 * audit, and the scope to read it tells much, so nobody is told to grant it.
 */
export function scopeGaps(granted: readonly string[]): Scope[] {
  const lacking = describedTable().routes.flatMap(({ access, furtherScopes = [[]] }) => {
    const always = listScopes(access);
    const [own] = always;
    return own !== undefined && satisfies(granted, own)
      ? [...always, ...furtherScopes.flat().filter(isCommon)]
      : [];
  });
  return [...new Set(lacking)].filter((scope) => !satisfies(granted, scope));
}

function isCommon(scope: Scope): boolean {
  return scope !== 'access:read';
}
