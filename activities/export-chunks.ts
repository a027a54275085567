import type { Database } from '../db/knex.ts';
import { layOut, readLines, type ExportScope, type Lines } from '../db/exports.ts';

/**
 * The lines of an export, in order, with Postgres a step ahead: while one chunk is written the next ones are made, so
 * that neither waits for the other.
 */

/** Rows that one statement counts: well under the time that a statement may take. */
const countedAtOnce = 100_000;

/** Rows between two marks; a chunk ends at a mark. */
const grain = 250;

/** What a chunk is to hold: enough that its round trip does not matter, little enough to be nothing to memory. */
const chunkBytes = 512 * 1024;

/** In marks. */
const longestChunk = 8;

/** Chunks that are made at a time: each has a connection, and a processor where there is one to spare. */
const ahead = 2;

export interface Layout {
  rows: number;
  /** Where chunks can end; the last is the last row. */
  marks: string[];
}

/** Where the rows behind `after` can be divided. (Default: from the first on) */
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

export interface Chunk extends Lines {
  /** Of its last row. */
  position: string;
}

/** The chunks behind `after`. */
export async function* chunksOf(
  db: Database,
  scope: ExportScope,
  after: string | null,
  marks: readonly string[],
): AsyncGenerator<Chunk> {
  let begun = 0;
  let length = 1;
  const underway: Promise<Chunk>[] = [];
  const begin = () => {
    const last = marks[Math.min(begun + length, marks.length) - 1];
    if (last === undefined || begun >= marks.length) return;
    const chunk = readChunk(db, scope, begun === 0 ? after : (marks[begun - 1] ?? null), last);
    // Who waits for it hears of its failure; who stops before that does not mind.
    chunk.catch(() => undefined);
    underway.push(chunk);
    begun += length;
  };
  while (underway.length < ahead && begun < marks.length) begin();
  for (let next = underway.shift(); next; next = underway.shift()) {
    const chunk = await next;
    length = lengthAfter(chunk);
    begin();
    yield chunk;
  }
}

async function readChunk(
  db: Database,
  scope: ExportScope,
  after: string | null,
  last: string,
): Promise<Chunk> {
  return { ...(await readLines(db, scope, { after, last })), position: last };
}

/** As many marks as fit, going by the chunk before. */
function lengthAfter({ rows, text }: Lines): number {
  const perMark = (text.length / Math.max(rows, 1)) * grain;
  return Math.min(longestChunk, Math.max(1, Math.floor(chunkBytes / perMark)));
}
