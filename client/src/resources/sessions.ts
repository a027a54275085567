import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise } from '../calls.ts';
import { toList, type List } from '../lists.ts';
import type { Session, SessionQuery } from '../types.ts';

/** Where members of the account are signed in to the console. */
export class Sessions {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Those that last, newest first. */
  list(query?: SessionQuery, options?: CallOptions): List<Session> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/sessions', { query: page }, each),
    );
  }

  get(id: string, options?: CallOptions): CallPromise<Session> {
    return this.#caller.send('get', '/v1/sessions/{id}', { params: { id } }, options);
  }

  /** Ends it, and refuses its tokens within 5 s. */
  end(id: string, options?: CallOptions): CallPromise<Session> {
    return this.#caller.send('post', '/v1/sessions/{id}:end', { params: { id } }, options);
  }
}
