import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { toConnectionError, type AttemptAnswer } from './attempt.ts';
import type { AnswerHeaders } from './answer-headers.ts';
import type { CallOptions } from './calls.ts';
import { ConnectionError, DownloadError, ProblemError } from './errors.ts';
import { sleep, waitMs } from './retries.ts';
import type { OperationResult } from './types.ts';
import type { Wire } from './wire.ts';

/** Reads the operation's result anew, with a fresh link. */
export type ReadResult = () => Promise<OperationResult>;

/**
 * The result of an operation. It is read as it comes, goes on where a connection was cut, and fails at its end if the
 * bytes are not those that the service made:
 *
 * ```ts
 * for await (const chunk of await client.exports.download(id)) file.write(chunk);
 * ```
 */
export class Download implements AsyncIterable<Uint8Array> {
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly #parts: Parts;

  constructor(wire: Wire, result: OperationResult, readResult: ReadResult, options: CallOptions) {
    this.contentType = result.content_type;
    this.size = result.size;
    this.sha256 = result.sha256;
    this.#parts = new Parts(wire, result, readResult, options);
  }

  /**
   * Reads the file from its beginning.
   *
   * @throws {DownloadError} at the end, if the SHA-256 is another: what was read must not be used.
   * @throws {ConnectionError} if it cannot go on after all retries.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const hash = sha256.create();
    let size = 0;
    for await (const chunk of this.#parts.read()) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
    const found = bytesToHex(hash.digest());
    if (found === this.sha256) return;
    throw new DownloadError(`The file has ${size} bytes with SHA-256 ${found}, not ${this.sha256}`);
  }

  stream(): ReadableStream<Uint8Array> {
    return toStream(this[Symbol.asyncIterator]());
  }

  /** Reads the whole file into memory. */
  async bytes(): Promise<Uint8Array> {
    const all = new Uint8Array(this.size);
    let end = 0;
    for await (const chunk of this) {
      if (end + chunk.length <= all.length) all.set(chunk, end);
      end += chunk.length;
    }
    return all;
  }

  /** Reads the whole file into memory, as UTF-8. */
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }
}

/** The chunks of a file, over as many requests as it takes. */
class Parts {
  readonly #wire: Wire;
  #result: OperationResult;
  readonly #readResult: ReadResult;
  readonly #options: CallOptions;

  constructor(wire: Wire, result: OperationResult, readResult: ReadResult, options: CallOptions) {
    this.#wire = wire;
    this.#result = result;
    this.#readResult = readResult;
    this.#options = options;
  }

  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    let received = 0;
    for (let failures = 0; ; failures += 1) {
      const before = received;
      const answer = await this.#open(received);
      try {
        for await (const chunk of this.#chunks(answer, received)) {
          received += chunk.length;
          yield chunk;
        }
        return;
      } catch (error) {
        // An attempt that got further is no failure in a row.
        if (received > before) failures = 0;
        if (!(error instanceof ConnectionError) || failures >= this.#wire.maxRetries(this.#options))
          throw error;
      }
      await sleep(waitMs(this.#wire.backoff, failures, null) ?? 0, this.#options.signal);
    }
  }

  /** Asks for the file from a byte on, with a fresh link if this one has expired. */
  async #open(from: number): Promise<AttemptAnswer> {
    const range = { ...this.#options.headers, ...(from > 0 && { range: `bytes=${from}-` }) };
    const open = () =>
      this.#wire.openStream('GET', toPath(this.#result.href), { ...this.#options, headers: range });
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'link_expired') throw error;
      this.#result = await this.#readResult();
      return open();
    }
  }

  /** @throws {ConnectionError} if the body ends too early. */
  async *#chunks(answer: AttemptAnswer, from: number): AsyncGenerator<Uint8Array> {
    const { status, url, deadline } = answer;
    // A whole file where a part was asked for: what is known already is passed over.
    let toSkip = status === 206 ? 0 : from;
    let end = status === 206 ? from : 0;
    try {
      for await (const value of readChunks(answer)) {
        end += value.length;
        const fresh = value.subarray(Math.min(toSkip, value.length));
        toSkip -= value.length - fresh.length;
        if (fresh.length > 0) yield fresh;
      }
    } catch (error) {
      const { signal, timeout = 60_000 } = this.#options;
      throw toConnectionError(error, { method: 'GET', url, timeout, signal }, deadline);
    }
    if (end < this.#result.size) throw new ConnectionError(`The file ended after ${end} bytes`);
  }
}

/** Reads the body of an answer. The time in which its reader looks at a piece is not counted. */
async function* readChunks({ response, deadline }: AttemptAnswer): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  try {
    for (;;) {
      deadline.extend();
      const { done, value } = (await reader?.read()) ?? { done: true };
      deadline.clear();
      if (done) return;
      yield value;
    }
  } finally {
    deadline.clear();
    await reader?.cancel().catch(() => undefined);
  }
}

function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

/** One answer with bytes of a result, as the service sends them. */
export interface ResultPart {
  /** 206 for a range, 200 for the whole file. */
  status: number;
  headers: AnswerHeaders;
  stream: ReadableStream<Uint8Array>;
}

export interface PartOptions extends CallOptions {
  /** The value of a `Range` header, such as `bytes=100-`. (Default: the whole file) */
  range?: string | undefined;
  /** The value of `If-Range`: the range is for this entity tag alone. */
  ifRange?: string | undefined;
}

/** Opens the result, or a range of it. @throws {ProblemError} @throws {ConnectionError} */
export async function openPart(
  wire: Wire,
  path: string,
  { range, ifRange, ...options }: PartOptions,
): Promise<ResultPart> {
  const headers = {
    ...options.headers,
    ...(range !== undefined && { range }),
    ...(ifRange !== undefined && { 'if-range': ifRange }),
  };
  const answer = await wire.openStream('GET', path, { ...options, headers });
  // No time runs until somebody reads.
  answer.deadline.clear();
  return { status: answer.status, headers: answer.headers, stream: toStream(readChunks(answer)) };
}

/** Returns the path of a link. The token goes to `baseUrl` only, whatever the link says. */
function toPath(href: string): string {
  const at = href.indexOf('/v1/');
  if (at < 0) throw new DownloadError(`The link of the result has no path of the API: ${href.split('?')[0]}`);
  return href.slice(at);
}
