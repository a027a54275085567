import type pg from 'pg';
import { markDeadWhenFatal, type Database } from './knex.ts';

/** A buffer that grows by appending. Clearing keeps its memory for the next use. */
export class Bytes {
  #buffer: Buffer;
  #length = 0;

  /** @param size bytes to start with; it grows when needed. */
  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafeSlow(size);
  }

  get length(): number {
    return this.#length;
  }

  /** Returns the bytes without a copy. They are valid until the next change. */
  view(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  push(bytes: Buffer): void {
    if (this.#length + bytes.length > this.#buffer.length) this.#grow(this.#length + bytes.length);
    bytes.copy(this.#buffer, this.#length);
    this.#length += bytes.length;
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/**
 * Runs `COPY … TO STDOUT` and appends each row's bytes to `into`, without decoding them. Returns the number of rows.
 *
 * @param text the complete statement: COPY takes no parameters.
 * @param lineEnd replaces the line feed with which Postgres ends a row.
 * @param isBinary whether the format is binary, and each row one text that ends its line itself.
 */
export async function copyOut(
  db: Database,
  text: string,
  { into, lineEnd, isBinary }: { into: Bytes; lineEnd: Buffer; isBinary: boolean },
): Promise<number> {
  const connection: pg.Client = await db.client.acquireConnection();
  try {
    return await new Promise<number>((resolve, reject) => {
      let rows = 0;
      const copy = new CopyOut(text, (message) => {
        const row = isBinary ? readBinary(message) : message.subarray(0, -1);
        if (!row) return;
        into.push(row);
        if (!isBinary) into.push(lineEnd);
        rows += 1;
      });
      copy.callback = (error) => (error ? reject(error) : resolve(rows));
      connection.query(copy);
    });
  } catch (error) {
    markDeadWhenFatal(connection, error);
    throw error;
  } finally {
    await db.client.releaseConnection(connection);
  }
}

/** The bytes with which a binary COPY begins: signature, flags, and no extension. */
const signature = 'PGCOPY\n';
const headerBytes = 19;

/** Returns the text in a message of a binary COPY, or `null` if it holds no row. */
function readBinary(message: Buffer): Buffer | null {
  const row =
    message.toString('latin1', 0, signature.length) === signature ? message.subarray(headerBytes) : message;
  if (row.length < 6) return null;
  if (row.readInt32BE(2) < 0) throw new Error('A line of the export is null');
  return row.subarray(6);
}

/** A statement as the driver runs it. The driver hands it each message of the server. */
class CopyOut implements pg.Submittable {
  readonly #text: string;
  readonly #onRow: (row: Buffer) => void;
  #error: Error | null = null;
  /** Called with the outcome. The driver wraps it to stop its time-out. */
  callback: (error: Error | null) => void = () => undefined;

  constructor(text: string, onRow: (row: Buffer) => void) {
    this.#text = text;
    this.#onRow = onRow;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  /** What fails here must not end the process: the driver calls it from the socket. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    try {
      this.#onRow(chunk);
    } catch (error) {
      this.#error = error as Error;
    }
  }

  handleCommandComplete(): void {
    // The statement ends with ReadyForQuery.
  }

  handleReadyForQuery(): void {
    this.callback(this.#error);
  }

  /** ReadyForQuery follows an error of the statement. Nothing follows an error of the connection. */
  handleError(error: Error): void {
    this.#error = error;
    if (!('severity' in error)) this.callback(error);
  }
}
