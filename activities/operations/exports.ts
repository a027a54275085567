import { buildHeader } from '#db/operations/export-lines.ts';
import { findTable, type ExportScope } from '#db/operations/exports.ts';
import type { OperationEnd } from '#db/operations/operation-ends.ts';
import type { TakenUpload } from '#db/operations/operation-uploads.ts';
import { exportTypes, type ExportRequest } from '#domain/operations/exports.ts';
import type { OperationInput, OperationProgress } from '#temporal/operations.ts';
import type { ActivityDeps } from '../deps.ts';
import { readChunks, layOutAll, type Layout } from './export-chunks.ts';
import type { Heartbeats } from './heartbeats.ts';
import { ResultWriter } from './result-writer.ts';
import { takeOverUpload, workOn } from './work.ts';

/** Writes the rows of an export or a report to its file. Called again, it resumes behind the last stored part. */
export function exportRows(deps: ActivityDeps, input: OperationInput): Promise<OperationProgress> {
  return workOn<ExportRequest>(deps, input, async (job, heartbeats) =>
    writeAll(deps, job, await holdExport(deps, job, heartbeats), heartbeats),
  );
}

/** An export that an attempt has taken over. */
interface HeldExport {
  upload: TakenUpload;
  writer: ResultWriter;
  /** Positions at which the chunks that are not written yet can end. */
  marks: string[];
}

const noRows: Layout = { rows: 0, marks: [] };

/** Returns the upload that is there, or a new one, and how the rows that are not written yet can be divided. */
async function holdExport(
  deps: ActivityDeps,
  scope: ExportScope,
  { signal }: Heartbeats,
): Promise<HeldExport> {
  const { db, blobs } = deps;
  let layout: Layout | null = null;
  const upload = await takeOverUpload(deps, scope.operationId, async () => {
    layout = await layOutAll(db, scope, null, signal);
    const contentType = exportTypes[scope.request.format];
    return { contentType, total: layout.rows, lastPosition: layout.marks.at(-1) ?? null };
  });
  const writer = await ResultWriter.resume(db, blobs, upload);
  const isWritten = upload.lastPosition === null || writer.position === upload.lastPosition;
  layout ??= isWritten ? noRows : await layOutAll(db, scope, writer.position || null, signal);
  return { upload, writer, marks: layout.marks };
}

async function writeAll(
  { db }: ActivityDeps,
  scope: ExportScope,
  { upload, writer, marks }: HeldExport,
  heartbeats: Heartbeats,
): Promise<OperationEnd> {
  const { total, lastPosition } = upload;
  heartbeats.setProgress(writer.rows, total);
  if (writer.isEmpty) await writeHeader(scope, writer);
  for await (const { bytes, rows, position } of readChunks(db, scope, writer.position || null, marks)) {
    heartbeats.signal.throwIfAborted();
    await writer.write(bytes.view(), { rows, position }, heartbeats.signal);
    heartbeats.setProgress(writer.rows, total);
  }
  const result = await writer.finish(lastPosition ?? '', heartbeats.signal);
  return { status: 'succeeded', total: writer.rows, result };
}

/** Tells a spreadsheet that a CSV file is in UTF-8. */
const byteOrderMark = '\u{feff}';

async function writeHeader(scope: ExportScope, writer: ResultWriter): Promise<void> {
  const { request, apiVersion } = scope;
  const mark = request.bom ? byteOrderMark : '';
  const header = mark + buildHeader(findTable(scope), request.format, apiVersion);
  await writer.write(Buffer.from(header), { rows: 0, position: '' });
}
