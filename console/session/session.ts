import { satisfies, type Scope } from '#domain/scopes.ts';
import type { Session } from '../page.ts';

/** Somebody who has signed in, and the tokens that act for them. */
export interface SignedIn {
  session: Session;
  /** The zone that this browser has chosen for times. */
  timeZone: string;
  /** Returns a token that stays valid for some time. @throws {SessionEnded} */
  accessToken(): Promise<string>;
  /** Drops a token that the API refused, so that it is not sent again. */
  dropToken(accessToken: string): void;
}

/** The session was ended, or the API takes its tokens no longer: its person signs in again. */
export class SessionEnded extends Error {
  override readonly name = 'SessionEnded';
}

/** Returns whether the session's token carries the scope. The API decides; pages only leave out what it would refuse. */
export function may({ scopes }: Pick<Session, 'scopes'>, scope: Scope): boolean {
  return satisfies(scopes, scope);
}
