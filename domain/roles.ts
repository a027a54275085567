import { operatorScopes, scopes, type Scope } from './scopes.ts';

const isRead = (scope: Scope) => scope.endsWith(':read');

const viewer: readonly Scope[] = scopes.filter((scope) => isRead(scope) && scope !== 'access:read');

/** The roles of members, and the scopes that each one gives. */
export const roleScopes = {
  /** Reads payments, requests, webhooks and results. */
  viewer,
  /** Also refunds, captures, cancels, sends events again and exports. It cannot make a charge. */
  support: [...viewer, 'refunds:write', 'charges:update', 'webhooks:replay', 'exports:write'],
  /**
   * Every scope of the account. Who makes a client, or gives it a new secret, can do what the client can do: so a
   * developer holds whatever such a client may hold.
   */
  developer: scopes,
  /** Works for the service: no account, and no scope of one. */
  operator: operatorScopes,
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof roleScopes;

export const roles = Object.keys(roleScopes) as [Role, ...Role[]];
