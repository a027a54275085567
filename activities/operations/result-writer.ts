import { createHash, type Hash } from 'node:crypto';
import type { BlobStore, Upload } from '#blobs/port.ts';
import type { Database } from '#db/knex.ts';
import {
  listParts,
  recordPart,
  type TakenUpload,
  type OperationPart,
} from '#db/operations/operation-uploads.ts';
import type { OperationResult } from '#domain/operations.ts';

/** Bytes of a part: more than the least that S3 takes, and little to do again after a crash. */
const partBytes = 8 * 1024 * 1024;

/** Room for the rows that take a part beyond its size. */
const slackBytes = 1024 * 1024;

/** Another attempt has taken the upload over: this one must stop, and undo nothing. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';

  constructor() {
    super('Another attempt has taken this upload over');
  }
}

/**
 * Writes the result of an operation in parts, with a checkpoint in Postgres after each: another worker resumes at the last
 * one.
 *
 * The bytes of a part are gathered in one buffer that is used again for the next, so that a large result takes no more
 * memory than a small one.
 */
export class ResultWriter {
  readonly #db: Database;
  readonly #blobs: BlobStore;
  readonly #upload: TakenUpload;
  readonly #parts: OperationPart[];
  readonly #hash: Hash | null;
  #buffer = Buffer.allocUnsafeSlow(partBytes + slackBytes);
  #filled = 0;
  #rowsInPart = 0;
  #rows: number;
  #position: string | null;

  private constructor(db: Database, blobs: BlobStore, upload: TakenUpload, parts: OperationPart[]) {
    this.#db = db;
    this.#blobs = blobs;
    this.#upload = upload;
    this.#parts = parts;
    // The state of a hash cannot be kept: what was begun by another attempt is read back at the end.
    this.#hash = parts.length === 0 ? createHash('sha256') : null;
    this.#rows = parts.reduce((sum, { rows }) => sum + rows, 0);
    this.#position = parts.at(-1)?.position ?? null;
  }

  /** Resumes behind the parts that are stored. */
  static async resume(db: Database, blobs: BlobStore, upload: TakenUpload): Promise<ResultWriter> {
    return new ResultWriter(db, blobs, upload, await listParts(db, upload.operationId));
  }

  /** Rows written so far, by all attempts. */
  get rows(): number {
    return this.#rows;
  }

  /** Up to and with which row; `null` before the first. */
  get position(): string | null {
    return this.#position;
  }

  /** Whether nothing is written yet, so that a header is due. */
  get isEmpty(): boolean {
    return this.#parts.length === 0 && this.#filled === 0;
  }

  /**
   * @param upTo how many rows the bytes hold, and the position of the last one.
   * @throws {TakenOver}
   */
  async write(bytes: Buffer, upTo: { rows: number; position: string }, signal?: AbortSignal): Promise<void> {
    if (this.#filled + bytes.length > this.#buffer.length) this.#grow(this.#filled + bytes.length);
    this.#filled += bytes.copy(this.#buffer, this.#filled);
    this.#rowsInPart += upTo.rows;
    this.#rows += upTo.rows;
    this.#position = upTo.position;
    if (this.#filled >= partBytes) await this.#store(signal);
  }

  /**
   * Makes the file of all parts.
   *
   * @param position of the last row there is: nothing is to be written behind it.
   * @throws {TakenOver}
   */
  async finish(position: string, signal?: AbortSignal): Promise<OperationResult> {
    this.#position = position;
    if (this.#filled > 0 || this.#parts.length === 0) await this.#store(signal);
    const { key, uploadId, contentType } = this.#upload;
    await this.#blobs.complete({ key, uploadId } satisfies Upload, this.#parts);
    const size = this.#parts.reduce((sum, part) => sum + part.size, 0);
    const sha256 = this.#hash?.digest('hex') ?? (await hashBlob(this.#blobs, key, signal));
    return { key, contentType, size, sha256 };
  }

  async #store(signal: AbortSignal | undefined): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#filled);
    this.#hash?.update(bytes);
    const number = (this.#parts.at(-1)?.number ?? 0) + 1;
    const next = Math.max(number, this.#upload.nextPart);
    const stored = await this.#blobs.putPart(this.#upload, next, bytes, signal);
    const part = { ...stored, rows: this.#rowsInPart, position: this.#position ?? '' };
    if (!(await recordPart(this.#db, this.#upload, part))) throw new TakenOver();
    this.#parts.push(part);
    this.#filled = 0;
    this.#rowsInPart = 0;
  }

  #grow(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(bytes);
    this.#buffer.copy(larger, 0, 0, this.#filled);
    this.#buffer = larger;
  }
}

async function hashBlob(blobs: BlobStore, key: string, signal: AbortSignal | undefined): Promise<string> {
  const stored = await blobs.read(key);
  if (!stored) throw new Error(`There is no blob ${key}`);
  const hash = createHash('sha256');
  for await (const chunk of stored.bytes as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest('hex');
}
