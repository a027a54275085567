import type pg from 'pg';
import { markDeadWhenFatal, type Database } from './knex.ts';

/** Where the values of the row begin, in what a binary COPY sends: behind signature, flags and lengths. */
const at = { rows: 25, lines: 37, size: 45, text: 49 };

/** The answer to a binary COPY. Its buffer grows when needed, and is used again. */
export class Lines {
  #buffer: Buffer;
  #length = 0;

  /** @param size bytes to start with. */
  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafeSlow(size);
  }

  /** How many rows were counted. */
  get rows(): number {
    return Number(this.#buffer.readBigInt64BE(at.rows));
  }

  /** Returns the text without a copy and without decoding it. It is valid until the buffer is used again. */
  view(): Buffer {
    const size = Math.max(this.#buffer.readInt32BE(at.size), 0);
    return this.#buffer.subarray(at.text, at.text + size);
  }

  /**
   * Runs a statement that gives one row: its rows, the lines of them, and the text of all lines.
   *
   * @param select complete: COPY takes no parameters.
   */
  async copy(db: Database, select: string): Promise<void> {
    this.#length = 0;
    const connection: pg.Client = await db.client.acquireConnection();
    try {
      await new Promise<void>((resolve, reject) => {
        const copy = new CopyOut(`copy (${select}) to stdout (format binary)`, (bytes) => this.#push(bytes));
        copy.callback = (error) => (error ? reject(error) : resolve());
        connection.query(copy);
      });
    } catch (error) {
      markDeadWhenFatal(connection, error);
      throw error;
    } finally {
      await db.client.releaseConnection(connection);
    }
    if (this.#buffer.readBigInt64BE(at.lines) !== BigInt(this.rows))
      throw new Error('A line of the export is null');
  }

  #push(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    bytes.copy(this.#buffer, this.#length);
    this.#length = length;
  }
}

/** A statement as the driver runs it. The driver hands it each message of the server. */
class CopyOut implements pg.Submittable {
  readonly #text: string;
  readonly #onData: (bytes: Buffer) => void;
  #error: Error | null = null;
  /** Called with the outcome. The driver wraps it to stop its time-out. */
  callback: (error: Error | null) => void = () => undefined;

  constructor(text: string, onData: (bytes: Buffer) => void) {
    this.#text = text;
    this.#onData = onData;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#onData(chunk);
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
