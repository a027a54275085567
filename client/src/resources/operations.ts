// Made from openapi.json by `npm run openapi`.
import { Resource } from '../caller.ts';
import type { CallOptions, CallPromise } from '../calls.ts';
import type { Query, Schemas } from '../document.ts';
import type { Download } from '../downloads.ts';
import { toList, type List } from '../lists.ts';
import { openResult, WaitingResource } from '../waiting.ts';

/** Work that lasts longer than its request. */
export class Operations extends WaitingResource {
  /**
   * Open the file. Reading goes on where a connection was cut, and compares the SHA-256.
   *
   * @throws {DownloadError} if there is none.
   */
  result(operation: Schemas['Operation'] | string, options: CallOptions = {}): Promise<Download> {
    return openResult(this.caller, operation, (id) => this.get(id, options), options);
  }

  /** List operations, newest first. All filters must hold. Finished operations are kept for 30 days. */
  list(query?: Query<'listOperations'>, options?: CallOptions): List<Schemas['Operation']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/operations', { query: page }, each),
    );
  }

  /**
   * Read an operation. Poll it until `done` is true, no faster than `Retry-After` says. It can be read for
   * 30 days after its end.
   */
  get(id: string, options?: CallOptions): CallPromise<Schemas['Operation']> {
    return this.caller.send('get', '/v1/operations/{id}', { params: { id } }, options);
  }

  /**
   * Cancel an operation; one that is done stays as it is. A request, not a guarantee: the work stops as soon
   * as it can. What was done by then stays done. Poll the operation to learn how it ends.
   */
  cancel(
    id: string,
    params: Schemas['EmptyBody'] = {},
    options?: CallOptions,
  ): CallPromise<Schemas['Operation']> {
    return this.caller.send('post', '/v1/operations/{id}:cancel', { params: { id }, body: params }, options);
  }
}

/** Files of charges, refunds, events and the audit. */
export class Exports extends Resource {
  /**
   * Export charges, refunds, events or the audit to a file. The file holds every row that exists when the
   * export is accepted, and no later one. Poll the operation for the link to the file, no faster than
   * `Retry-After` says. `operations.wait` waits for it.
   */
  create(params: Schemas['NewExport'], options?: CallOptions): CallPromise<Schemas['ExportOperation']> {
    return this.caller.send('post', '/v1/exports', { body: params }, options);
  }

  /** List exports, newest first. All filters must hold. Finished operations are kept for 30 days. */
  list(query?: Query<'listExports'>, options?: CallOptions): List<Schemas['ExportOperation']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/exports', { query: page }, each),
    );
  }

  /**
   * Read an export. Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30
   * days after its end.
   */
  get(id: string, options?: CallOptions): CallPromise<Schemas['ExportOperation']> {
    return this.caller.send('get', '/v1/exports/{id}', { params: { id } }, options);
  }

  /**
   * Cancel an export; one that is done stays as it is. A request, not a guarantee: the work stops as soon as
   * it can. What was done by then stays done. Poll the operation to learn how it ends.
   */
  cancel(id: string, options?: CallOptions): CallPromise<Schemas['ExportOperation']> {
    return this.caller.send('post', '/v1/exports/{id}/cancel', { params: { id } }, options);
  }

  /**
   * Open the file. Reading goes on where a connection was cut, and compares the SHA-256.
   *
   * @throws {DownloadError} if there is none.
   */
  download(operation: Schemas['Operation'] | string, options: CallOptions = {}): Promise<Download> {
    return openResult(this.caller, operation, (id) => this.get(id, options), options);
  }
}

/** Many charges in one request. */
export class ChargeBatches extends Resource {
  /**
   * Submit a batch of charges. Submits up to 10,000 charges. Each succeeds or fails on its own. Poll the
   * operation. Its result is a file of `application/x-ndjson` with one line for each row, in the order of
   * the request. `operations.wait` waits for it.
   */
  create(
    params: Schemas['NewChargeBatch'],
    options?: CallOptions,
  ): CallPromise<Schemas['ChargeBatchOperation']> {
    return this.caller.send('post', '/v1/charge-batches', { body: params }, options);
  }

  /** List charge batches, newest first. All filters must hold. Finished operations are kept for 30 days. */
  list(query?: Query<'listChargeBatches'>, options?: CallOptions): List<Schemas['ChargeBatchOperation']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/charge-batches', { query: page }, each),
    );
  }

  /**
   * Read a charge batch. Poll it until `done` is true, no faster than `Retry-After` says. It can be read for
   * 30 days after its end.
   */
  get(id: string, options?: CallOptions): CallPromise<Schemas['ChargeBatchOperation']> {
    return this.caller.send('get', '/v1/charge-batches/{id}', { params: { id } }, options);
  }

  /**
   * Cancel a charge batch; one that is done stays as it is. A request, not a guarantee: the work stops as
   * soon as it can. What was done by then stays done. Poll the operation to learn how it ends.
   */
  cancel(id: string, options?: CallOptions): CallPromise<Schemas['ChargeBatchOperation']> {
    return this.caller.send('post', '/v1/charge-batches/{id}/cancel', { params: { id } }, options);
  }

  /**
   * Open the file. Reading goes on where a connection was cut, and compares the SHA-256.
   *
   * @throws {DownloadError} if there is none.
   */
  download(operation: Schemas['Operation'] | string, options: CallOptions = {}): Promise<Download> {
    return openResult(this.caller, operation, (id) => this.get(id, options), options);
  }
}

/** Files of what each customer has paid and got back. */
export class CustomerReports extends Resource {
  /**
   * Report to a file what each customer has paid. The file has a line for each customer that has paid, and
   * for each currency: `customer`, `currency`, `charges` (how many were captured), `amount_captured`,
   * `amount_refunded` (with refunds that are under way), `amount_returned`, and `last_captured`. Charges
   * without a customer are in no line. It is made of every charge that exists when the report is accepted,
   * and of no later one. Poll the operation for the link to the file, no faster than `Retry-After` says.
   * `operations.wait` waits for it.
   */
  create(
    params: Schemas['NewCustomerReport'],
    options?: CallOptions,
  ): CallPromise<Schemas['CustomerReportOperation']> {
    return this.caller.send('post', '/v1/customer-reports', { body: params }, options);
  }

  /** List customer reports, newest first. All filters must hold. Finished operations are kept for 30 days. */
  list(
    query?: Query<'listCustomerReports'>,
    options?: CallOptions,
  ): List<Schemas['CustomerReportOperation']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/customer-reports', { query: page }, each),
    );
  }

  /**
   * Read a customer report. Poll it until `done` is true, no faster than `Retry-After` says. It can be read
   * for 30 days after its end.
   */
  get(id: string, options?: CallOptions): CallPromise<Schemas['CustomerReportOperation']> {
    return this.caller.send('get', '/v1/customer-reports/{id}', { params: { id } }, options);
  }

  /**
   * Cancel a customer report; one that is done stays as it is. A request, not a guarantee: the work stops as
   * soon as it can. What was done by then stays done. Poll the operation to learn how it ends.
   */
  cancel(id: string, options?: CallOptions): CallPromise<Schemas['CustomerReportOperation']> {
    return this.caller.send('post', '/v1/customer-reports/{id}/cancel', { params: { id } }, options);
  }

  /**
   * Open the file. Reading goes on where a connection was cut, and compares the SHA-256.
   *
   * @throws {DownloadError} if there is none.
   */
  download(operation: Schemas['Operation'] | string, options: CallOptions = {}): Promise<Download> {
    return openResult(this.caller, operation, (id) => this.get(id, options), options);
  }
}
