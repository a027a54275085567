import type { Scope } from '#domain/scopes.ts';
import { describedTable } from './described-table.ts';
import { listScopes } from './http/route.ts';

/**
 * The scopes that a client lacks for requests which it has one scope of already: such a request is refused (403
 * `insufficient_scope`) until it is granted the others. In the order of the routes, each once.
 */
export function scopeGaps(granted: readonly string[]): Scope[] {
  const lacking = describedTable().routes.flatMap(({ access, furtherScopes = [[]] }) => {
    const always = listScopes(access);
    const [own] = always;
    return own !== undefined && granted.includes(own) ? [...always, ...furtherScopes.flat()] : [];
  });
  return [...new Set(lacking)].filter((scope) => !granted.includes(scope));
}
