import { currentTimeMs } from '#db/clock.ts';
import { newId } from '#db/new-id.ts';
import { exportScopes, type ExportRequest } from '#domain/exports.ts';
import { eventRetentionMs } from '#domain/events.ts';
import { firstIdAt } from '#domain/ids.ts';
import type { z } from 'zod';
import type { ApiDeps } from '../http/deps.ts';
import { newExport } from './export-schemas.ts';
import { operationResources } from './operation-schemas.ts';
import { collectionRoutes } from './operations.ts';
import { exportContents, resultRoute } from './results.ts';
import type { ApiRequest, Route } from '../http/route.ts';
import { operationCreation, requireOperationQuota, requireSnapshots } from './submissions.ts';
import { defineWrite } from '../writes/workflow-writes.ts';

/** How exports are submitted. They are read and cancelled like every operation. */
export function exportRoutes(deps: ApiDeps): Route[] {
  const create = defineWrite(deps, {
    path: '/v1/exports',
    access: 'exports:write',
    furtherScopes: exportContents,
    summary: 'Export charges, refunds, events or the audit to a file',
    description:
      'The file holds every row that exists when the export is accepted, and no later one. Poll the operation for the link to the file, no faster than `Retry-After` says.',
    body: newExport,
    responses: { 202: { description: 'The export is accepted', schema: operationResources.export } },
    problems: ['too_many_open_operations', 'snapshots_unavailable'],
    authorize: (request) => request.requireFurther([exportScopes[request.body.resource]]),
    kind: operationCreation(
      'export',
      ({ body }: ApiRequest<unknown, unknown, NewExport>) => `${body.resource} as ${body.format}`,
    ),
    async prepare({ account, body }) {
      await requireOperationQuota(deps, account);
      await requireSnapshots(deps.db);
      return { resourceId: newId('operation'), request: toRetained(body) };
    },
  });

  return [create, ...collectionRoutes(deps, 'exports', 'export'), resultRoute(deps, 'export')];
}

type NewExport = z.output<typeof newExport>;

/** Limits an export of events to the retained ones: others are dropped by the week, also while an export goes on. */
function toRetained(body: NewExport): ExportRequest {
  if (body.resource !== 'events') return body;
  const oldest = firstIdAt('event', currentTimeMs() - eventRetentionMs);
  const { from = oldest } = body.filter;
  return { ...body, filter: { ...body.filter, from: from > oldest ? from : oldest } };
}
