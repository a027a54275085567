import type { JSX } from 'preact';
import type { Context } from '#http/context.ts';
import type { Scope } from '#domain/scopes.ts';
import type { Visit } from './page.ts';

/** A request that is neither a page nor an action: a search, a download. It writes the answer itself, or shows a page. */
export interface Handler {
  method: 'GET' | 'POST';
  /** A template such as `/operations/{id}/result`. */
  path: string;
  /** `null`: a session is enough. */
  scope: Scope | null;
  /**
   * @param form the fields of a POST; empty for a GET.
   * @param show answers with a page of the console.
   */
  handle(ctx: Context, visit: Visit, form: URLSearchParams, show: ShowPage): Promise<void>;
}

/** @param title the `h1`, and the first part of the document's title. */
export type ShowPage = (title: string, content: JSX.Element) => Promise<void>;

export function defineHandler(handler: Handler): Handler {
  return handler;
}
