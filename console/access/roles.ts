import { roleScopes } from '#domain/roles.ts';
import { satisfies } from '#domain/scopes.ts';
import type { Session } from '../page.ts';

/** What the members of an account may do, in words. */
export const roleWords = {
  viewer: 'read payments, requests, webhooks and results',
  support: 'also refund, capture and cancel, send events again, and export; makes no charge',
  developer: 'do all that a client of the account may do, and manage clients, members and sessions',
} as const;

export type AccountRole = keyof typeof roleWords;

export const accountRoles = Object.keys(roleWords) as [AccountRole, ...AccountRole[]];

/** Returns the roles that this person can give: those whose scopes the session has. */
export function listGivable({ scopes }: Pick<Session, 'scopes'>): AccountRole[] {
  return accountRoles.filter((role) => roleScopes[role].every((scope) => satisfies(scopes, scope)));
}
