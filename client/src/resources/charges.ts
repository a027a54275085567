import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise, ConditionalOptions } from '../calls.ts';
import { toList, type List } from '../lists.ts';
import type {
  Capture,
  Charge,
  ChargePatch,
  ChargeQuery,
  EmptyBody,
  NewCharge,
  TimelineEntry,
  TimelineQuery,
} from '../types.ts';

export class Charges {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Takes a payment. A charge may answer as `pending`: its outcome follows by an event.
   *
   * @throws {CardDeclinedError} if the card is declined.
   */
  create(params: NewCharge, options?: CallOptions): CallPromise<Charge> {
    return this.#caller.send('post', '/v1/charges', { body: params }, options);
  }

  /** Newest first. */
  list(query?: ChargeQuery, options?: CallOptions): List<Charge> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/charges', { query: page }, each),
    );
  }

  get(id: string, options?: CallOptions): CallPromise<Charge> {
    return this.#caller.send('get', '/v1/charges/{id}', { params: { id } }, options);
  }

  /** Changes what `params` names of the description and metadata; `null` empties a member. */
  update(id: string, params: ChargePatch, options: ConditionalOptions): CallPromise<Charge> {
    return this.#caller.send('patch', '/v1/charges/{id}', { params: { id }, body: params }, options);
  }

  /** Takes the money of a charge that `requires_capture`, once. (Default: all of it) */
  capture(id: string, params: Capture = {}, options?: CallOptions): CallPromise<Charge> {
    return this.#caller.send('post', '/v1/charges/{id}:capture', { params: { id }, body: params }, options);
  }

  /** Lets go of the money that a charge reserved, or of a charge whose outcome is unknown. */
  cancel(id: string, params: EmptyBody = {}, options?: CallOptions): CallPromise<Charge> {
    return this.#caller.send('post', '/v1/charges/{id}:cancel', { params: { id }, body: params }, options);
  }

  /** What happened to a charge, oldest first. */
  timeline(id: string, query?: TimelineQuery, options?: CallOptions): List<TimelineEntry> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/charges/{id}/timeline', { params: { id }, query: page }, each),
    );
  }
}
