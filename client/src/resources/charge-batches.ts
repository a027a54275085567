import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise } from '../calls.ts';
import type { Download } from '../downloads.ts';
import { toList, type List } from '../lists.ts';
import type { ChargeBatchOperation, ChargeBatchQuery, NewChargeBatch, Operation } from '../types.ts';
import { openResult } from './operations.ts';

export class ChargeBatches {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Begins up to 10,000 charges; see `operations.wait` and `download`. */
  create(params: NewChargeBatch, options?: CallOptions): CallPromise<ChargeBatchOperation> {
    return this.#caller.send('post', '/v1/charge-batches', { body: params }, options);
  }

  /** Newest first. */
  list(query?: ChargeBatchQuery, options?: CallOptions): List<ChargeBatchOperation> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/charge-batches', { query: page }, each),
    );
  }

  get(id: string, options?: CallOptions): CallPromise<ChargeBatchOperation> {
    return this.#caller.send('get', '/v1/charge-batches/{id}', { params: { id } }, options);
  }

  cancel(id: string, options?: CallOptions): CallPromise<ChargeBatchOperation> {
    return this.#caller.send('post', '/v1/charge-batches/{id}/cancel', { params: { id } }, options);
  }

  /** Opens the lines of a batch that has ended, one for each charge, as NDJSON. @throws {DownloadError} if it has none. */
  download(operation: Operation | string, options: CallOptions = {}): Promise<Download> {
    return openResult(this.#caller, operation, (id) => this.get(id, options), options);
  }
}
