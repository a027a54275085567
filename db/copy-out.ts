import type pg from 'pg';
import { markDeadWhenFatal, type Database } from './knex.ts';

/** Bytes that come one after another; used again, it costs no new memory. */
export class Bytes {
  #buffer: Buffer;
  #length = 0;

  /** @param size room to start with; it grows. */
  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafeSlow(size);
  }

  get length(): number {
    return this.#length;
  }

  /** Only until the next change. */
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
 * Runs `COPY … TO STDOUT` and adds each row's bytes to `into`: nothing is decoded on the way. Returns how many rows.
 *
 * @param text complete: COPY takes no parameters.
 * @param lineEnd takes the place of the line feed that Postgres ends a row with.
 */
export async function copyOut(
  db: Database,
  text: string,
  { into, lineEnd }: { into: Bytes; lineEnd: Buffer },
): Promise<number> {
  const connection: pg.Client = await db.client.acquireConnection();
  try {
    return await new Promise<number>((resolve, reject) => {
      let rows = 0;
      const copy = new CopyOut(text, (row) => {
        into.push(row.subarray(0, -1));
        into.push(lineEnd);
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

/** A statement as the driver has it active: it is handed each message that the server answers with. */
class CopyOut implements pg.Submittable {
  readonly #text: string;
  readonly #onRow: (row: Buffer) => void;
  #error: Error | null = null;
  /** The driver wraps it to stop the clock that it lets run. */
  callback: (error: Error | null) => void = () => undefined;

  constructor(text: string, onRow: (row: Buffer) => void) {
    this.#text = text;
    this.#onRow = onRow;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#onRow(chunk);
  }

  handleCommandComplete(): void {
    // What counts is that the server is ready again.
  }

  handleReadyForQuery(): void {
    this.callback(this.#error);
  }

  /** A fault of the statement is followed by ReadyForQuery; one of the connection is the last that is heard. */
  handleError(error: Error): void {
    this.#error = error;
    if (!('severity' in error)) this.callback(error);
  }
}
