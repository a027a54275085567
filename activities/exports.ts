import { randomUUID } from 'node:crypto';
import type { BlobStore } from '../blobs/port.ts';
import { headerOf } from '../db/export-lines.ts';
import { countRows, readLines, type ExportScope, type Lines } from '../db/exports.ts';
import type { Database } from '../db/knex.ts';
import { insertUpload, takeUpload, type HeldUpload } from '../db/operation-uploads.ts';
import { findSubmission, startOperation } from '../db/operations.ts';
import { exportTypes, type ExportRequest } from '../domain/exports.ts';
import type { OperationInput } from '../workflows/contract.ts';
import { endOperation, type OperationActivityDeps, type OperationProgress } from './operations.ts';
import { Pulse, Stopped } from './pulse.ts';
import { ResultWriter } from './result-writer.ts';

export interface ExportActivityDeps extends OperationActivityDeps {
  blobs: BlobStore;
}

/** Rows that one statement counts: well under the time that a statement may take. */
const countedAtOnce = 100_000;

/** What a chunk is to hold: enough that its round trip does not matter, little enough to be nothing to memory. */
const chunkBytes = 512 * 1024;

/** Rows of a chunk: the first of an export, and the bounds of those after it. */
const chunkRows = { first: 100, most: 2_000 };

export function createExportActivities(deps: ExportActivityDeps) {
  const { db, blobs } = deps;

  /**
   * Writes the rows of an export to its file. Called again, it goes on behind the last part that is in the store.
   */
  async function exportRows({ operationId, accountId }: OperationInput): Promise<OperationProgress> {
    const status = await startOperation(db, operationId);
    if (status !== 'running') return windUp(operationId, status);
    try {
      const result = await Pulse.during(db, operationId, async (pulse) => {
        const { request, apiVersion } = await findSubmission<ExportRequest>(db, operationId);
        const scope = { operationId, accountId, request, apiVersion };
        return writeAll(scope, await holdUpload(scope, pulse), pulse);
      });
      return await endOperation(deps, operationId, { status: 'succeeded', ...result });
    } catch (error) {
      if (error instanceof Stopped) return windUp(operationId, error.status);
      throw error;
    }
  }

  /** What was written goes: half an export is none. */
  async function windUp(
    operationId: string,
    status: OperationProgress['status'],
  ): Promise<OperationProgress> {
    if (status !== 'cancelling') return { status };
    const ended = await endOperation(deps, operationId, { status: 'cancelled', result: null });
    return ended;
  }

  /** The upload that is there, or a new one. */
  async function holdUpload(scope: ExportScope, pulse: Pulse): Promise<HeldUpload> {
    const { operationId, request } = scope;
    const attempt = randomUUID();
    const held = await takeUpload(db, operationId, attempt);
    if (held) return held;
    const { rows: total, last: lastPosition } = await countAll(db, scope, pulse);
    const key = `results/${operationId}`;
    const contentType = exportTypes[request.format];
    const uploadId = await blobs.begin(key, contentType);
    await insertUpload(db, { operationId, key, uploadId, contentType, total, lastPosition }, attempt);
    const own = await takeUpload(db, operationId, attempt);
    if (!own) throw new Error(`The upload of ${operationId} is gone`);
    return own;
  }

  async function writeAll(scope: ExportScope, upload: HeldUpload, pulse: Pulse) {
    const { total, lastPosition: last } = upload;
    const writer = await ResultWriter.resume(db, blobs, upload);
    pulse.progress(writer.rows, total);
    if (writer.isEmpty) await writeHeader(scope, writer);
    if (last !== null) {
      for await (const { text, rows, position } of chunks(db, scope, { after: writer.position, last })) {
        pulse.signal.throwIfAborted();
        await writer.write(text, { rows, position }, pulse.signal);
        pulse.progress(writer.rows, total);
      }
    }
    const result = await writer.finish(last ?? '', pulse.signal);
    return { total: writer.rows, result };
  }

  return { exportRows };
}

async function writeHeader({ request, apiVersion }: ExportScope, writer: ResultWriter): Promise<void> {
  const header = headerOf(request.resource, request.format, apiVersion);
  await writer.write(header, { rows: 0, position: '' });
}

async function countAll(db: Database, scope: ExportScope, { signal }: Pulse) {
  const all: { rows: number; last: string | null } = { rows: 0, last: null };
  for (;;) {
    signal.throwIfAborted();
    const { rows, last } = await countRows(db, scope, { after: all.last, limit: countedAtOnce });
    all.rows += rows;
    all.last = last ?? all.last;
    if (rows < countedAtOnce) return all;
  }
}

interface Chunk {
  text: string;
  rows: number;
  position: string;
}

/** The lines behind `after`. Postgres makes the next chunk while this one is written. */
async function* chunks(
  db: Database,
  scope: ExportScope,
  { after, last }: { after: string | null; last: string },
): AsyncGenerator<Chunk> {
  let limit = chunkRows.first;
  let next = readLines(db, scope, { after: after || null, last, limit });
  for (;;) {
    const { text, rows, last: position } = await next;
    if (text === null || position === null) return;
    const isLast = rows < limit || position === last;
    limit = limitAfter({ text, rows });
    if (!isLast) next = readLines(db, scope, { after: position, last, limit });
    // Who waits for it hears of its failure; who was stopped before that does not mind.
    next.catch(() => undefined);
    yield { text, rows, position };
    if (isLast) return;
  }
}

/** As many rows as fit, going by those before. */
function limitAfter({ text, rows }: Pick<Lines, 'rows'> & { text: string }): number {
  const fitting = Math.floor(chunkBytes / (text.length / rows));
  return Math.min(chunkRows.most, Math.max(1, fitting));
}
