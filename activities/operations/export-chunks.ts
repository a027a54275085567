import type { Database } from '#db/knex.ts';
import { copyLines, layOut, type ExportScope } from '#db/operations/exports.ts';
import { Bytes } from '#db/copy-out.ts';

/**
 * The lines of an export, in order, with Postgres a step ahead: while one chunk is written the next ones are made, so
 * that neither waits for the other.
 */

/** Rows that one statement counts: well under the time that a statement may take. */
const countedAtOnce = 100_000;

/** Rows between two marks; a chunk ends at a mark. */
const grain = 250;

/** Bytes of a chunk: enough that its round trip does not matter, and little memory. */
const chunkBytes = 1024 * 1024;

/** The longest chunk, in marks. */
const longestChunk = 16;

/** Chunks that are made at a time: each has a connection, and a CPU where one is free. */
const ahead = 2;

export interface Layout {
  rows: number;
  /** Where chunks can end; the last is the last row. */
  marks: string[];
}

/** Finds where the rows behind `after` can be divided. (Default: from the first on) */
export async function layOutAll(
  db: Database,
  scope: ExportScope,
  after: string | null,
  signal: AbortSignal,
): Promise<Layout> {
  const marks: string[] = [];
  let rows = 0;
  for (;;) {
    signal.throwIfAborted();
    const behind = marks.at(-1) ?? after;
    const stretch = await layOut(db, scope, { after: behind, limit: countedAtOnce, grain });
    rows += stretch.rows;
    for (const mark of stretch.marks) marks.push(mark);
    if (stretch.rows < countedAtOnce) return { rows, marks };
  }
}

export interface Chunk {
  rows: number;
  /** Of its last row. */
  position: string;
  /** Its lines; only until the next chunk is asked for. */
  bytes: Bytes;
}

/** Reads the chunks behind `after`. */
export async function* readChunks(
  db: Database,
  scope: ExportScope,
  after: string | null,
  marks: readonly string[],
): AsyncGenerator<Chunk> {
  let begun = 0;
  let length = 1;
  const underway: Promise<Chunk>[] = [];
  const begin = (bytes: Bytes) => {
    if (begun >= marks.length) return;
    const end = Math.min(begun + length, marks.length);
    const range = { after: marks[begun - 1] ?? after, last: marks[end - 1] ?? '' };
    const chunk = readChunk(db, scope, range, bytes);
    // Its reader gets the failure; a reader that has stopped needs none.
    chunk.catch(() => undefined);
    underway.push(chunk);
    begun = end;
  };
  for (let n = 0; n < ahead; n += 1) begin(new Bytes(chunkBytes));
  let spare = new Bytes(chunkBytes);
  for (let next = underway.shift(); next; next = underway.shift()) {
    const chunk = await next;
    length = lengthAfter(chunk);
    begin(spare);
    yield chunk;
    spare = chunk.bytes;
  }
}

async function readChunk(
  db: Database,
  scope: ExportScope,
  range: { after: string | null; last: string },
  bytes: Bytes,
): Promise<Chunk> {
  bytes.clear();
  const rows = await copyLines(db, scope, range, bytes);
  return { rows, position: range.last, bytes };
}

/** Returns as many marks as fit, judged by the chunk before. */
function lengthAfter({ rows, bytes }: Chunk): number {
  const perMark = (bytes.length / Math.max(rows, 1)) * grain;
  return Math.min(longestChunk, Math.max(1, Math.floor(chunkBytes / perMark)));
}
