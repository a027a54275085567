import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise } from '../calls.ts';
import type { Download } from '../downloads.ts';
import { toList, type List } from '../lists.ts';
import type { ExportOperation, ExportQuery, NewExport, Operation } from '../types.ts';
import { openResult } from './operations.ts';

export class Exports {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Begins an export; see `operations.wait` and `download`. */
  create(params: NewExport, options?: CallOptions): CallPromise<ExportOperation> {
    return this.#caller.send('post', '/v1/exports', { body: params }, options);
  }

  /** Newest first. */
  list(query?: ExportQuery, options?: CallOptions): List<ExportOperation> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/exports', { query: page }, each),
    );
  }

  get(id: string, options?: CallOptions): CallPromise<ExportOperation> {
    return this.#caller.send('get', '/v1/exports/{id}', { params: { id } }, options);
  }

  cancel(id: string, options?: CallOptions): CallPromise<ExportOperation> {
    return this.#caller.send('post', '/v1/exports/{id}/cancel', { params: { id } }, options);
  }

  /** Opens the file of an export that succeeded. @throws {DownloadError} if it has none. */
  download(operation: Operation | string, options: CallOptions = {}): Promise<Download> {
    return openResult(this.#caller, operation, (id) => this.get(id, options), options);
  }
}
