import type { Context } from '#http/context.ts';
import type { Scope } from '#domain/scopes.ts';
import type { Visit } from './page.ts';

/** A request that is neither a page nor an action: a search, a download. It writes the answer itself. */
export interface Handler {
  method: 'GET' | 'POST';
  /** A template such as `/operations/{id}/result`. */
  path: string;
  /** `null`: a session is enough. */
  scope: Scope | null;
  /** @param form the fields of a POST; empty for a GET. */
  handle(ctx: Context, visit: Visit, form: URLSearchParams): Promise<void>;
}

export function defineHandler(handler: Handler): Handler {
  return handler;
}
