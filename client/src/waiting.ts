import { Resource, type Caller } from './caller.ts';
import type { CallOptions, CallPromise } from './calls.ts';
import { Download, openPart, type PartOptions, type ResultPart } from './downloads.ts';
import { DownloadError, TimeoutError } from './errors.ts';
import { sleep } from './retries.ts';
import type { Operation, OperationResult } from './types.ts';

export interface WaitOptions extends CallOptions {
  /** Hears every state that was read. */
  onProgress?: (operation: Operation) => void;
  /** The longest time to wait in milliseconds. (Default: no limit) */
  maxWait?: number;
}

/** Between polls, where the service asks for no time. */
const pollMs = 1_000;

/** Waits for operations, and reads their results. */
export abstract class WaitingResource extends Resource {
  abstract get(id: string, options?: CallOptions): CallPromise<Operation>;

  /**
   * Polls an operation, no faster than Retry-After says, until it has ended: as `succeeded`, `failed` or `cancelled`.
   *
   * @throws {TimeoutError} after `maxWait`; the operation goes on.
   */
  async wait(
    operation: Operation | string,
    { onProgress, maxWait, ...options }: WaitOptions = {},
  ): Promise<Operation> {
    const until = performance.now() + (maxWait ?? Number.POSITIVE_INFINITY);
    const id = typeof operation === 'string' ? operation : operation.id;
    let current = typeof operation === 'string' ? null : operation;
    let wait = current ? pollMs : 0;
    for (;;) {
      if (current) onProgress?.(current);
      if (current?.done) return current;
      if (performance.now() + wait > until)
        throw new TimeoutError(`Operation ${id} did not end within ${maxWait} ms; it goes on`);
      await sleep(wait, options.signal);
      const { body, headers } = await this.get(id, options).answer();
      current = body;
      // A little later than asked, so that callers who began together do not stay together.
      wait = (headers.retryAfterMs ?? pollMs) * (1 + Math.random() / 10);
    }
  }

  /**
   * Opens the result, or a range of it, for a server that passes it on: the status, the headers and the bytes are those
   * of the service. `result` checks what it reads, and goes on where a connection was cut; this does neither.
   *
   * @throws {ProblemError} such as `operation_not_done`, `result_expired` or `range_not_satisfiable`.
   */
  resultPart(id: string, options: PartOptions = {}): Promise<ResultPart> {
    return openPart(this.caller.wire, `/v1/operations/${encodeURIComponent(id)}/result`, options);
  }
}

/** Opens the result of an operation that this function reads. @throws {DownloadError} if it has none. */
export async function openResult(
  caller: Caller,
  operation: Operation | string,
  get: (id: string) => Promise<Operation>,
  options: CallOptions,
): Promise<Download> {
  const id = typeof operation === 'string' ? operation : operation.id;
  const known = typeof operation === 'string' ? await get(id) : operation;
  const readResult = async () => requireResult(await get(id));
  return new Download(caller.wire, requireResult(known), readResult, options);
}

function requireResult(operation: Operation): OperationResult {
  if (operation.response) return operation.response;
  throw new DownloadError(`Operation ${operation.id} has no result: it is ${operation.status}`);
}
