import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise } from '../calls.ts';
import type { ChargeFigureQuery, ChargeFigures, DeliveryFigureQuery, DeliveryFigures } from '../types.ts';

/** How many there were of something, step by step. */
export class Figures {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Counts charges by outcome. `up_to_sequence` says which events are counted. */
  charges(query: ChargeFigureQuery = {}, options?: CallOptions): CallPromise<ChargeFigures> {
    return this.#caller.send('get', '/v1/figures/charges', { query }, options);
  }

  /** Counts attempts at deliveries, with how long they took. */
  deliveries(query: DeliveryFigureQuery = {}, options?: CallOptions): CallPromise<DeliveryFigures> {
    return this.#caller.send('get', '/v1/figures/deliveries', { query }, options);
  }
}
