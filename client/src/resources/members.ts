import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise } from '../calls.ts';
import { toList, type List } from '../lists.ts';
import type { Member, MemberQuery } from '../types.ts';

/** The people of the account, who sign in to the console. */
export class Members {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Newest first. */
  list(query?: MemberQuery, options?: CallOptions): List<Member> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/members', { query: page }, each),
    );
  }

  get(id: string, options?: CallOptions): CallPromise<Member> {
    return this.#caller.send('get', '/v1/members/{id}', { params: { id } }, options);
  }
}
