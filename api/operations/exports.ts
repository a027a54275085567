import { currentTimeMs } from '#db/clock.ts';
import { newId } from '#db/new-id.ts';
import type { ExportRequest, ExportResource } from '#domain/exports.ts';
import { eventRetentionMs } from '#domain/events.ts';
import { firstIdAt, type IdKind } from '#domain/ids.ts';
import { claimedIds } from '#temporal/client/ids.ts';
import { operationStart } from '#temporal/client/starts.ts';
import type { z } from 'zod';
import type { ApiDeps } from '../http/deps.ts';
import { newExport } from './export-schemas.ts';
import { createdRange } from '../http/list-schemas.ts';
import { requireRoom } from './open-operations.ts';
import { operationResource } from './operation-schemas.ts';
import { collectionRoutes, requireSnapshots } from './operations.ts';
import { exportContents, resultRoute } from './results.ts';
import { defineRoute, type Answer, type ApiRequest, type Route } from '../http/route.ts';
import { keyOf, submit } from '../writes/submit.ts';

/** Exports: how they are asked for. What becomes of them is read as of any operation. */
export function exportRoutes(deps: ApiDeps): Route[] {
  const create = defineRoute({
    method: 'POST',
    path: '/v1/exports',
    access: 'exports:write',
    furtherScopes: exportContents,
    summary: 'Export charges, refunds or events to a file',
    description:
      'The file holds every row that is there when the export is accepted, and none that comes later. Poll the operation, no faster than `Retry-After` says, for the link to it.',
    idempotencyKey: 'required',
    body: newExport,
    responses: { 202: { description: 'The export is accepted', schema: operationResource } },
    problems: ['too_many_open_operations', 'snapshots_unavailable'],
    handle(request) {
      request.requireFurther([`${request.body.resource}:read`]);
      return createExport(deps, request);
    },
  });

  return [create, ...collectionRoutes(deps, 'export', 'exports'), resultRoute(deps, 'export')];
}

type NewExport = z.output<typeof newExport>;

function createExport(deps: ApiDeps, request: ApiRequest<unknown, unknown, NewExport>): Promise<Answer> {
  const { account, body, traceId } = request;
  const key = keyOf(request);
  const { db, log, config, temporal } = deps;
  const summary = `${body.resource} as ${body.format}`;
  return submit({ db, log, syncWindowMs: config.syncWindowMs }, request, {
    endpoint: 'POST /v1/exports',
    key,
    async intent() {
      await requireRoom(deps, account);
      await requireSnapshots(db);
      return { resourceId: newId('operation'), request: requestOf(body) };
    },
    findFault: () => Promise.resolve(null),
    run(claim, deadline) {
      const ids = claimedIds('export', account.id, key, claim);
      const start = operationStart({ ...ids, type: 'export' }, { summary, traceId });
      return temporal.outcome(start, deadline);
    },
  });
}

const kindOf: Record<ExportResource, IdKind> = { charges: 'charge', refunds: 'refund', events: 'event' };

/** As it is kept: times have become ranges of ids. */
function requestOf({ resource, format, filter: { created, ...filter } }: NewExport): ExportRequest {
  const { gt, gte, lt, lte } = created ?? {};
  const range = { 'created[gt]': gt, 'created[gte]': gte, 'created[lt]': lt, 'created[lte]': lte };
  const ids = createdRange(kindOf[resource], range);
  return { resource, format, filter: { ...filter, ...(resource === 'events' ? stillKept(ids) : ids) } };
}

/** Events are dropped by the week, also while an export goes on: it has none that could be. */
function stillKept(ids: ReturnType<typeof createdRange>): ReturnType<typeof createdRange> {
  const oldest = firstIdAt('event', currentTimeMs() - eventRetentionMs);
  return { ...ids, from: ids.from !== undefined && ids.from > oldest ? ids.from : oldest };
}
