import { idTime } from '../ids.ts';
import type { Scope } from '../scopes.ts';

/**
 * An export: a file of all charges, refunds, events or audit entries that existed when it was submitted.
 */

export type ExportResource = 'charges' | 'refunds' | 'events' | 'audit_entries';

/** The scope that reads the rows, and so the file. */
export const exportScopes = {
  charges: 'charges:read',
  refunds: 'refunds:read',
  events: 'events:read',
  audit_entries: 'access:read',
} as const satisfies Record<ExportResource, Scope>;

export type ExportFormat = 'csv' | 'ndjson';

/** Selects rows; a member that is left out selects all. */
export interface ExportFilter {
  /** Of charges: the customer's id. */
  customer?: string | undefined;
  /** Of charges: the merchant's own reference. */
  reference?: string | undefined;
  /** Of charges, in minor units. */
  amount?: number | undefined;
  /** Of charges. */
  currency?: string | undefined;
  /** Of refunds: the charge's id. */
  charge?: string | undefined;
  /** Of charges and refunds: their status when their line is written. */
  status?: string | undefined;
  /** Of events. */
  type?: string | undefined;
  /** Of audit entries: the id of the member or the client. */
  actor?: string | undefined;
  /** Ids in [from, before): a range of time, since an id carries its time. */
  from?: string | undefined;
  before?: string | undefined;
}

/** The request of an export, kept with its operation. */
export interface ExportRequest {
  resource: ExportResource;
  format: ExportFormat;
  /** A CSV file begins with a byte order mark, by which spreadsheets know UTF-8. (Default: it does not) */
  bom?: boolean | undefined;
  filter: ExportFilter;
}

/** What was asked for, over the wire: a body of `POST /v1/exports`. */
export interface ExportRequestResource {
  resource: ExportResource;
  format: ExportFormat;
  bom?: boolean;
  filter: Omit<ExportFilter, 'from' | 'before'> & { created?: { gte?: string; lt?: string } };
}

/** Presents the request of an export. Its range of ids is shown as the range of time that it was made from. */
export function presentExportRequest(request: ExportRequest): ExportRequestResource {
  const { from, before, ...filter } = request.filter;
  const created = {
    ...(from !== undefined && { gte: showTime(from) }),
    ...(before !== undefined && { lt: showTime(before) }),
  };
  const { resource, format, bom } = request;
  const shown = { ...filter, ...(Object.keys(created).length > 0 && { created }) };
  return { resource, format, ...(bom && { bom }), filter: shown };
}

/** The last time that RFC 3339 can write: a filter with an offset may name a later one. */
const lastTimeMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function showTime(id: string): string {
  return new Date(Math.min(idTime(id), lastTimeMs)).toISOString();
}

/** RFC 4180 §3 and the NDJSON specification. */
export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
};
