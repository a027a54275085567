import { randomUUID } from 'node:crypto';
import type { BlobStore } from '#blobs/port.ts';
import { headerOf } from '#db/operations/export-lines.ts';
import type { ExportScope } from '#db/operations/exports.ts';
import { insertUpload, takeUpload, type HeldUpload } from '#db/operations/operation-uploads.ts';
import { startOperation } from '#db/operations/operation-queue.ts';
import { findSubmission } from '#db/operations/operations.ts';
import { isForeignSnapshot } from '#db/xid-origin.ts';
import { exportTypes, type ExportRequest } from '#domain/exports.ts';
import type { OperationInput } from '#temporal/operations.ts';
import { chunksOf, layOutAll, type Layout } from './export-chunks.ts';
import { endOperation, snapshotLost } from '#db/operations/operation-ends.ts';
import type { OperationProgress } from '#temporal/operations.ts';
import type { QueuedActivityDeps } from './operation-queue.ts';
import { Pulse, Stopped } from './pulse.ts';
import { ResultWriter } from './result-writer.ts';

export interface ExportActivityDeps extends QueuedActivityDeps {
  blobs: BlobStore;
}

export function createExportActivities(deps: ExportActivityDeps) {
  const { db, blobs } = deps;

  /**
   * Writes the rows of an export to its file. Called again, it goes on behind the last part that is in the store.
   */
  async function exportRows({ operationId, accountId }: OperationInput): Promise<OperationProgress> {
    const status = await startOperation(db, operationId, deps.operationsPerAccount);
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
      if (isForeignSnapshot(error)) return endOperation(deps, operationId, snapshotLost);
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

  /** The upload that is there, or a new one; and how what is not written yet can be divided. */
  async function holdUpload(scope: ExportScope, { signal }: Pulse): Promise<HeldExport> {
    const { operationId, request } = scope;
    const attempt = randomUUID();
    const held = await takeUpload(db, operationId, attempt);
    if (held) {
      const writer = await ResultWriter.resume(db, blobs, held);
      const isWritten = held.lastPosition === null || writer.position === held.lastPosition;
      const { marks } = isWritten ? noRows : await layOutAll(db, scope, writer.position || null, signal);
      return { upload: held, writer, marks };
    }
    const { rows: total, marks } = await layOutAll(db, scope, null, signal);
    const key = `results/${operationId}`;
    const contentType = exportTypes[request.format];
    const uploadId = await blobs.begin(key, contentType);
    const lastPosition = marks.at(-1) ?? null;
    await insertUpload(db, { operationId, key, uploadId, contentType, total, lastPosition }, attempt);
    const own = await takeUpload(db, operationId, attempt);
    if (!own) throw new Error(`The upload of ${operationId} is gone`);
    return { upload: own, writer: await ResultWriter.resume(db, blobs, own), marks };
  }

  async function writeAll(scope: ExportScope, { upload, writer, marks }: HeldExport, pulse: Pulse) {
    const { total, lastPosition } = upload;
    pulse.progress(writer.rows, total);
    if (writer.isEmpty) await writeHeader(scope, writer);
    for await (const { bytes, rows, position } of chunksOf(db, scope, writer.position || null, marks)) {
      pulse.signal.throwIfAborted();
      await writer.write(bytes.view(), { rows, position }, pulse.signal);
      pulse.progress(writer.rows, total);
    }
    const result = await writer.finish(lastPosition ?? '', pulse.signal);
    return { total: writer.rows, result };
  }

  return { exportRows };
}

export type ExportActivities = ReturnType<typeof createExportActivities>;

/** An export that an attempt goes on with. */
interface HeldExport {
  upload: HeldUpload;
  writer: ResultWriter;
  /** Where chunks behind what is written can end. */
  marks: string[];
}

const noRows: Layout = { rows: 0, marks: [] };

async function writeHeader({ request, apiVersion }: ExportScope, writer: ResultWriter): Promise<void> {
  const header = headerOf(request.resource, request.format, apiVersion);
  await writer.write(Buffer.from(header), { rows: 0, position: '' });
}
