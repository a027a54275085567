import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise } from '../calls.ts';
import { toList, type List } from '../lists.ts';
import type { Event, EventQuery } from '../types.ts';

export class Events {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  list(query?: EventQuery, options?: CallOptions): List<Event> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/events', { query: page }, each),
    );
  }

  get(id: string, options?: CallOptions): CallPromise<Event> {
    return this.#caller.send('get', '/v1/events/{id}', { params: { id } }, options);
  }
}
