import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise } from '../calls.ts';
import { toList, type List } from '../lists.ts';
import type { LoggedRequest, RequestQuery, RequestTrace } from '../types.ts';

/** What the account asked of the service in the last 7 days. */
export class Requests {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Newest first. */
  list(query?: RequestQuery, options?: CallOptions): List<LoggedRequest> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/requests', { query: page }, each),
    );
  }

  /** Says what a trace id did: that of an answer or a problem. */
  get(traceId: string, options?: CallOptions): CallPromise<RequestTrace> {
    return this.#caller.send('get', '/v1/requests/{trace_id}', { params: { trace_id: traceId } }, options);
  }
}
