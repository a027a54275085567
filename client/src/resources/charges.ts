// Made from openapi.json by `npm run openapi`.
import { Resource } from '../caller.ts';
import type { CallOptions, CallPromise, ConditionalOptions } from '../calls.ts';
import type { Query, Schemas } from '../document.ts';
import { toList, type List } from '../lists.ts';

/** Payments with a card, in one step or in two. */
export class Charges extends Resource {
  /**
   * Create a charge. Takes a payment, or reserves it with `capture_method` `manual`. The answer waits up to
   * 10 seconds for the outcome. After a timeout or a 5xx, send the same request with the same key: the buyer
   * is never charged twice.
   *
   * @throws {CardDeclinedError} if the card is declined.
   */
  create(params: Schemas['NewCharge'], options?: CallOptions): CallPromise<Schemas['Charge']> {
    return this.caller.send('post', '/v1/charges', { body: params }, options);
  }

  /** List charges, newest first. All filters must hold. */
  list(query?: Query<'listCharges'>, options?: CallOptions): List<Schemas['Charge']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/charges', { query: page }, each),
    );
  }

  /**
   * Read a charge. Returns the charge as it is now. While it is `pending`, `Retry-After` says when to read
   * it again. `answer()` has the `etag` that a change needs as `ifMatch`.
   */
  get(id: string, options?: CallOptions): CallPromise<Schemas['Charge']> {
    return this.caller.send('get', '/v1/charges/{id}', { params: { id } }, options);
  }

  /**
   * Change the reference, the description or the metadata of a charge (RFC 7386). A member that is left out
   * stays; `null` removes it. It works in every state of the charge and moves no money. The processor is not
   * told: it keeps the description that the charge was made with. A change is told by `charge.updated`.
   */
  update(
    id: string,
    params: Schemas['ChargePatch'],
    options: ConditionalOptions,
  ): CallPromise<Schemas['Charge']> {
    return this.caller.send('patch', '/v1/charges/{id}', { params: { id }, body: params }, options);
  }

  /**
   * Capture an authorized charge once, in full or in part. Takes the reserved money. With `amount`, takes
   * that part, and the rest is released for good. The charge must read `requires_capture`.
   *
   * @throws {CardDeclinedError} if the card is declined.
   */
  capture(
    id: string,
    params: Schemas['Capture'] = {},
    options?: CallOptions,
  ): CallPromise<Schemas['Charge']> {
    return this.caller.send('post', '/v1/charges/{id}:capture', { params: { id }, body: params }, options);
  }

  /**
   * Cancel a charge: void its authorization, or request the cancel while the outcome is unknown. An
   * authorization is voided, and the charge reads `cancelled`. While the outcome is unknown, the cancel is
   * recorded: the charge stays `pending` with `cancel_requested_at`. A cancel that is recorded is kept: what
   * the processor has taken by then is given back, and the charge ends `cancelled`, or `failed` if it was
   * declined. A cancel that comes after the outcome changes nothing. To give money back, refund the charge.
   */
  cancel(
    id: string,
    params: Schemas['EmptyBody'] = {},
    options?: CallOptions,
  ): CallPromise<Schemas['Charge']> {
    return this.caller.send('post', '/v1/charges/{id}:cancel', { params: { id }, body: params }, options);
  }

  /**
   * List the steps of a charge and its refunds, oldest first. Shows each call to the processor, each answer
   * and wait, and each delivery of an event of the charge.
   */
  timeline(
    id: string,
    query?: Query<'getChargeTimeline'>,
    options?: CallOptions,
  ): List<Schemas['TimelineEntry']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/charges/{id}/timeline', { params: { id }, query: page }, each),
    );
  }
}

/** Money returned from one charge, in full or in part. */
export class Refunds extends Resource {
  /**
   * Refund a charge, in full or in part. Gives money back to the buyer. Several refunds are possible, up to
   * what was taken. Without `amount`, all that is left goes back.
   */
  create(params: Schemas['NewRefund'], options?: CallOptions): CallPromise<Schemas['Refund']> {
    return this.caller.send('post', '/v1/refunds', { body: params }, options);
  }

  /** List refunds, newest first. All filters must hold. */
  list(query?: Query<'listRefunds'>, options?: CallOptions): List<Schemas['Refund']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/refunds', { query: page }, each),
    );
  }

  /**
   * Read a refund. Returns the refund as it is now. While it is `pending`, `Retry-After` says when to read
   * it again.
   */
  get(id: string, options?: CallOptions): CallPromise<Schemas['Refund']> {
    return this.caller.send('get', '/v1/refunds/{id}', { params: { id } }, options);
  }

  /**
   * Reverse a processed refund, until its `reversible_until`. Takes the refund back: the buyer gets nothing,
   * and the amount can be refunded again. It is possible while the refund reads `processed`.
   */
  cancel(
    id: string,
    params: Schemas['EmptyBody'] = {},
    options?: CallOptions,
  ): CallPromise<Schemas['Refund']> {
    return this.caller.send('post', '/v1/refunds/{id}:cancel', { params: { id }, body: params }, options);
  }
}
