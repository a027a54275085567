import { buildHeader } from '#db/operations/export-lines.ts';
import type { ExportScope } from '#db/operations/exports.ts';
import type { OperationEnd } from '#db/operations/operation-ends.ts';
import type { UploadLease } from '#db/operations/operation-uploads.ts';
import { findSubmission } from '#db/operations/operations.ts';
import { exportTypes, type ExportRequest } from '#domain/exports.ts';
import type { OperationInput, OperationProgress } from '#temporal/operations.ts';
import { chunksOf, layOutAll, type Layout } from './export-chunks.ts';
import type { Pulse } from './pulse.ts';
import { ResultWriter } from './result-writer.ts';
import { holdUpload, workOn, type WorkDeps } from './work.ts';

/** Writes the rows of an export to its file. Called again, it goes on behind the last part that is in the store. */
export function exportRows(deps: WorkDeps, input: OperationInput): Promise<OperationProgress> {
  const { operationId, accountId } = input;
  return workOn(deps, operationId, async (pulse) => {
    const { request, apiVersion } = await findSubmission<ExportRequest>(deps.db, operationId);
    const scope = { operationId, accountId, request, apiVersion };
    return writeAll(deps, scope, await holdExport(deps, scope, pulse), pulse);
  });
}

/** An export that an attempt goes on with. */
interface HeldExport {
  upload: UploadLease;
  writer: ResultWriter;
  /** Where chunks behind what is written can end. */
  marks: string[];
}

const noRows: Layout = { rows: 0, marks: [] };

/** Returns the upload that is there, or a new one, and how the rows that are not written yet can be divided. */
async function holdExport(deps: WorkDeps, scope: ExportScope, { signal }: Pulse): Promise<HeldExport> {
  const { db, blobs } = deps;
  let layout: Layout | null = null;
  const upload = await holdUpload(deps, scope.operationId, async () => {
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
  { db }: WorkDeps,
  scope: ExportScope,
  { upload, writer, marks }: HeldExport,
  pulse: Pulse,
): Promise<OperationEnd> {
  const { total, lastPosition } = upload;
  pulse.progress(writer.rows, total);
  if (writer.isEmpty) await writeHeader(scope, writer);
  for await (const { bytes, rows, position } of chunksOf(db, scope, writer.position || null, marks)) {
    pulse.signal.throwIfAborted();
    await writer.write(bytes.view(), { rows, position }, pulse.signal);
    pulse.progress(writer.rows, total);
  }
  const result = await writer.finish(lastPosition ?? '', pulse.signal);
  return { status: 'succeeded', total: writer.rows, result };
}

async function writeHeader({ request, apiVersion }: ExportScope, writer: ResultWriter): Promise<void> {
  const header = buildHeader(request.resource, request.format, apiVersion);
  await writer.write(Buffer.from(header), { rows: 0, position: '' });
}
