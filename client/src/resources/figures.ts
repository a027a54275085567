// Made from openapi.json by `npm run openapi`.
import { Resource } from '../caller.ts';
import type { CallOptions, CallPromise } from '../calls.ts';
import type { Query, Schemas } from '../document.ts';

/** How many there were of something, step by step. */
export class Figures extends Resource {
  /**
   * Count charges by outcome, step by step. Counts the events of charges: each charge counts once, at the
   * time of the event of its end; and once more as authorized, if it was. New events are counted within
   * about 10 seconds, and each of them exactly once.
   */
  charges(
    query: Query<'getChargeFigures'> = {},
    options?: CallOptions,
  ): CallPromise<Schemas['ChargeFigures']> {
    return this.caller.send('get', '/v1/figures/charges', { query }, options);
  }

  /**
   * Count attempts at deliveries by endpoint and result, step by step. Each attempt counts once, when it
   * began. Without `endpoint` a range has at most 60 steps. Deleted endpoints are not shown.
   */
  deliveries(
    query: Query<'getDeliveryFigures'> = {},
    options?: CallOptions,
  ): CallPromise<Schemas['DeliveryFigures']> {
    return this.caller.send('get', '/v1/figures/deliveries', { query }, options);
  }
}
