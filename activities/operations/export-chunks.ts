import type { Database } from '#db/knex.ts';
import { copyLines, layOut, type ExportScope } from '#db/operations/exports.ts';
import { Lines } from '#db/copy-out.ts';

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
  /** Of its last row. */
  position: string;
  /** Only until the next chunk is asked for. */
  lines: Lines;
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
  const begin = (lines: Lines) => {
    if (begun >= marks.length) return;
    const end = Math.min(begun + length, marks.length);
    const range = { after: marks[begun - 1] ?? after, last: marks[end - 1] ?? '' };
    const chunk = readChunk(db, scope, range, lines);
    // Its reader gets the failure; a reader that has stopped needs none.
    chunk.catch(() => undefined);
    underway.push(chunk);
    begun = end;
  };
  for (let n = 0; n < ahead; n += 1) begin(new Lines(chunkBytes));
  let spare = new Lines(chunkBytes);
  for (let next = underway.shift(); next; next = underway.shift()) {
    const chunk = await next;
    length = lengthAfter(chunk);
    begin(spare);
    yield chunk;
    spare = chunk.lines;
  }
}

async function readChunk(
  db: Database,
  scope: ExportScope,
  range: { after: string | null; last: string },
  lines: Lines,
): Promise<Chunk> {
  await copyLines(db, scope, range, lines);
  return { position: range.last, lines };
}

/** Returns as many marks as fit, judged by the chunk before. */
function lengthAfter({ lines }: Chunk): number {
  const perMark = (lines.view().length / Math.max(lines.rows, 1)) * grain;
  return Math.min(longestChunk, Math.max(1, Math.floor(chunkBytes / perMark)));
}
