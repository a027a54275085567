import { currentTimeMs } from '#db/clock.ts';
import { exportScopes, type ExportRequest } from '#domain/operations/exports.ts';
import { eventRetentionMs } from '#domain/events.ts';
import { firstIdAt } from '#domain/ids.ts';
import { operationKinds } from '#domain/operations/operation-kinds.ts';
import { z } from 'zod';
import type { ApiDeps } from '../http/deps.ts';
import { currency } from '../payments/charge-schemas.ts';
import { bom, createFilterSchema, format, isOfCsv, needsCsv, newExport } from './export-schemas.ts';
import type { Route } from '../http/route.ts';
import { kindRoutes } from './submissions.ts';

const newCustomerReport = z
  .strictObject({
    format,
    bom,
    filter: createFilterSchema(
      'charge',
      { currency: currency.optional().describe('Only charges in this currency.') },
      { id: 'CustomerReportFilter', description: 'The charges of a report; all members must hold.' },
    ),
  })
  .refine(isOfCsv, needsCsv)
  .meta({ id: 'NewCustomerReport', example: { format: 'csv', filter: { currency: 'EUR' } } });

const customerReport = `
The file has a line for each customer that has paid, and for each currency: \`customer\`, \`currency\`, \`charges\` (how many
were captured), \`amount_captured\`, \`amount_refunded\` (with refunds that are under way), \`amount_returned\`, and
\`last_captured\`. Charges without a customer are in no line. It is made of every charge that exists when the report is
accepted, and of no later one. Poll the operation for the link to the file, no faster than \`Retry-After\` says.
`.trim();

/** How exports and reports are submitted. */
export function exportRoutes(deps: ApiDeps): Route[] {
  const ofExports = kindRoutes(deps, {
    type: 'export',
    furtherScopes: operationKinds.export.contents,
    summary: 'Export charges, refunds, events or the audit to a file',
    description:
      'The file holds every row that exists when the export is accepted, and no later one. Poll the operation for the link to the file, no faster than `Retry-After` says.',
    body: newExport,
    accepted: 'The export is accepted',
    admit: (request) => request.requireFurther([exportScopes[request.body.resource]]),
    summarize: ({ body }) => `${body.resource} as ${body.format}`,
    prepare: ({ body }, accept) => accept(() => toRetained(body)),
  });
  const ofCustomerReports = kindRoutes(deps, {
    type: 'customer_report',
    access: ['exports:write', 'charges:read'],
    summary: 'Report to a file what each customer has paid',
    description: customerReport,
    body: newCustomerReport,
    accepted: 'The report is accepted',
    summarize: ({ body }) => `as ${body.format}`,
    prepare: ({ body }, accept) => accept(() => body),
  });
  return [...ofExports, ...ofCustomerReports];
}

type NewExport = z.output<typeof newExport>;

/** Limits an export of events to the retained ones: others are dropped by the week, also while an export goes on. */
function toRetained(body: NewExport): ExportRequest {
  if (body.resource !== 'events') return body;
  const oldest = firstIdAt('event', currentTimeMs() - eventRetentionMs);
  const { from = oldest } = body.filter;
  return { ...body, filter: { ...body.filter, from: from > oldest ? from : oldest } };
}
