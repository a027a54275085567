import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise, ConditionalOptions } from '../calls.ts';
import { toList, type List } from '../lists.ts';
import type { Member, MemberPatch, MemberQuery, NewMember } from '../types.ts';

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

  /** A member gets no scope that this client lacks. */
  create(params: NewMember, options?: CallOptions): CallPromise<Member> {
    return this.#caller.send('post', '/v1/members', { body: params }, options);
  }

  get(id: string, options?: CallOptions): CallPromise<Member> {
    return this.#caller.send('get', '/v1/members/{id}', { params: { id } }, options);
  }

  /** Another role ends the member's sessions within 5 s. */
  update(id: string, params: MemberPatch, options: ConditionalOptions): CallPromise<Member> {
    return this.#caller.send('patch', '/v1/members/{id}', { params: { id }, body: params }, options);
  }

  /** Ends the member's sessions within 5 s, and refuses new ones. */
  disable(id: string, options?: CallOptions): CallPromise<Member> {
    return this.#caller.send('post', '/v1/members/{id}:disable', { params: { id } }, options);
  }

  /** Lets the member sign in again. */
  enable(id: string, options?: CallOptions): CallPromise<Member> {
    return this.#caller.send('post', '/v1/members/{id}:enable', { params: { id } }, options);
  }
}
