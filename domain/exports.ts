/**
 * An export: a file of all charges, refunds or events that existed when it was submitted.
 */

export type ExportResource = 'charges' | 'refunds' | 'events';

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
  /** Ids in [from, before): a range of time, since an id carries its time. */
  from?: string | undefined;
  before?: string | undefined;
}

/** The request of an export, kept with its operation. */
export interface ExportRequest {
  resource: ExportResource;
  format: ExportFormat;
  filter: ExportFilter;
}

/** RFC 4180 §3 and the NDJSON specification. */
export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
};
