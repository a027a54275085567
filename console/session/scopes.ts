import { satisfies, type Scope } from '#domain/scopes.ts';
import type { Session } from '../page.ts';

/** Returns whether the session's token carries the scope. The API decides; pages only leave out what it would refuse. */
export function may({ scopes }: Pick<Session, 'scopes'>, scope: Scope): boolean {
  return satisfies(scopes, scope);
}
