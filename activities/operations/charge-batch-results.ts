import { createHash, randomBytes } from 'node:crypto';
import { minPartBytes, type StoredPart } from '#blobs/port.ts';
import { deleteRows, listRows } from '#db/operations/charge-batches.ts';
import { publishResult, type FailedBatch } from '#db/operations/failed-batches.ts';
import type { Database } from '#db/knex.ts';
import { findClaimedOperation } from '#db/operations/operations.ts';
import { deleteDraft, insertDraft, recordDraftUpload } from '#db/operations/result-drafts.ts';
import { endRow, presentRow, type KeptRow } from '#domain/operations/charge-batches.ts';
import { exportTypes } from '#domain/operations/exports.ts';
import type { OperationResult } from '#domain/operations.ts';
import type { ProblemCode, ProblemContext } from '#domain/problems.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import type { ActivityDeps } from '../deps.ts';

type BatchResultDeps = Pick<ActivityDeps, 'db' | 'blobs'>;

/** What the lines of a result need to know of their batch. */
export interface LineOptions {
  apiVersion: ApiVersion;
  /** The problem of the batch, for rows that never began. */
  end: ProblemCode;
  /** For the problem documents of rows. */
  context: ProblemContext;
}

/** Rows that one statement reads, and that are in memory at once beside their part. */
const pageRows = 200;

/**
 * Writes the result of a batch at its end: a line a row, in order, with the charges as they are now. After a crash it is
 * written anew: it has 10,000 lines at most. Each attempt has a file of its own: a late worker that was thought dead finds
 * no rows, and must not replace the published result by its empty one. Until {@link settleDraft} the file is a draft, which
 * maintenance deletes if no operation names it.
 */
export async function writeResult(
  { db, blobs }: BatchResultDeps,
  operationId: string,
  options: LineOptions,
): Promise<OperationResult> {
  const key = `results/${operationId}-${randomBytes(8).toString('hex')}`;
  await insertDraft(db, { key, operationId });
  const upload = { key, uploadId: await blobs.begin(key, exportTypes.ndjson) };
  await recordDraftUpload(db, key, upload.uploadId);
  const hash = createHash('sha256');
  const parts: StoredPart[] = [];
  let size = 0;
  for await (const bytes of inParts(lines(db, operationId, options))) {
    hash.update(bytes);
    size += bytes.length;
    parts.push(await blobs.putPart(upload, parts.length + 1, bytes));
  }
  await blobs.complete(upload, parts);
  return { key, contentType: exportTypes.ndjson, size, sha256: hash.digest('hex') };
}

async function* lines(
  db: Database,
  operationId: string,
  { apiVersion, end, context }: LineOptions,
): AsyncGenerator<string> {
  const toLine = (kept: KeptRow) => {
    const { row, charge } = kept;
    return `${JSON.stringify(presentRow({ row, charge, ...endRow(kept, end, context) }, apiVersion))}\n`;
  };
  for (let from = 0; ;) {
    const rows = await listRows(db, operationId, { from, limit: pageRows });
    yield rows.map(toLine).join('');
    if (rows.length < pageRows) return;
    from = (rows.at(-1)?.row ?? 0) + 1;
  }
}

/**
 * Writes the result of a batch that failed, and deletes its rows then. Safe to run twice: the result that is published
 * first stays.
 */
export async function writeFailedResult(
  deps: BatchResultDeps & Pick<ActivityDeps, 'publicUrl'>,
  { id, error, apiVersion, path, traceId }: FailedBatch,
): Promise<void> {
  const context = { publicUrl: deps.publicUrl, instance: path, traceId };
  const result = await writeResult(deps, id, { apiVersion, end: error.code, context });
  await publishResult(deps.db, id, result);
  await settleDraft(deps, id, result.key);
  await deleteRows(deps.db, id);
}

/** Keeps the file if the operation has ended with it. Deletes it if another attempt ended the operation. */
export async function settleDraft(
  { db, blobs }: BatchResultDeps,
  operationId: string,
  key: string,
): Promise<void> {
  const held = await findClaimedOperation(db, operationId);
  if (held?.operation.result?.key !== key) await blobs.delete(key);
  await deleteDraft(db, key);
}

/** Joins texts to parts of a size that every store takes. */
async function* inParts(texts: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const text of texts) {
    const next = Buffer.from(text);
    held.push(next);
    bytes += next.length;
    if (bytes < minPartBytes) continue;
    yield Buffer.concat(held);
    [held, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(held);
}
