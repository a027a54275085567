import { exportScopes, exportTypes, presentExportRequest, type ExportRequest } from './exports.ts';
import type { Scope } from '../scopes.ts';

/**
 * The kinds of operation: all that the API, its document, the console and Temporal know of each. How to add one:
 * `docs/architecture.md`, "A new kind of operation".
 */
export interface OperationKind {
  /** The collection under `/v1`: its own, or that of {@link allOperations}. */
  collection: string;
  /** Describes its own collection, in the document and in the clients. */
  about?: string;
  /** The scopes that read, and that make and cancel its operations. */
  scopes: Readonly<Record<'read' | 'write', Scope>>;
  /** The scopes that the rows of a result need, for each sort of rows that it may hold. */
  contents: readonly (readonly Scope[])[];
  /** Returns those that a result needs. (Default: the only ones) */
  findContents?: (request: object) => readonly Scope[];
  /** The media types that its result may have. */
  resultTypes: readonly [string, ...string[]];
  /** One that was cancelled or failed has a result too, of what was done. (Default: half of a result is none) */
  hasPartialResult?: true;
  /** It is of the rows that exist at its submission, so it needs to know them apart. */
  isOfSnapshot: boolean;
  /** Shows what was asked for. (Default: it is not shown) */
  presentRequest?: (request: object) => object;
  /** The type that it reads as in `2026-05-01`, which does not know it. */
  olderType?: string;
  /** The type of its workflow, by which operators find it. */
  workflow: string;
  /** The activity that does its work. */
  work: string;
}

/** Where operations of every kind are read. */
export const allOperations = {
  collection: 'operations',
  scopes: { read: 'operations:read', write: 'operations:write' },
} as const;

const kinds = {
  export: {
    collection: 'exports',
    about: 'Files of charges, refunds, events and the audit.',
    scopes: { read: 'exports:read', write: 'exports:write' },
    contents: Object.values(exportScopes).map((scope) => [scope]),
    findContents: (request) => [exportScopes[(request as ExportRequest).resource]],
    resultTypes: [exportTypes.csv, exportTypes.ndjson],
    isOfSnapshot: true,
    presentRequest: (request) => presentExportRequest(request as ExportRequest),
    workflow: 'export',
    work: 'exportRows',
  },
  charge_batch: {
    collection: 'charge-batches',
    about: 'Many charges in one request.',
    scopes: { read: 'charge-batches:read', write: 'charge-batches:write' },
    contents: [['charges:read']],
    resultTypes: [exportTypes.ndjson],
    hasPartialResult: true,
    isOfSnapshot: false,
    workflow: 'chargeBatch',
    work: 'chargeRows',
  },
  customer_report: {
    collection: 'customer-reports',
    about: 'Files of what each customer has paid and got back.',
    scopes: { read: 'exports:read', write: 'exports:write' },
    contents: [['charges:read']],
    resultTypes: [exportTypes.csv, exportTypes.ndjson],
    isOfSnapshot: true,
    olderType: 'export',
    workflow: 'customerReport',
    work: 'exportRows',
  },
  // Asked for at an endpoint.
  webhook_replay: {
    ...allOperations,
    contents: [['webhooks:read']],
    resultTypes: ['application/json'],
    isOfSnapshot: true,
    workflow: 'replayDeliveries',
    work: 'replayEvents',
  },
} as const satisfies Record<string, OperationKind>;

export type OperationType = keyof typeof kinds;

/** The activities that do the work of operations. */
export type OperationWork = (typeof kinds)[OperationType]['work'];

export const operationKinds: Readonly<Record<OperationType, OperationKind & { work: OperationWork }>> = kinds;

export const operationTypes = Object.keys(kinds) as [OperationType, ...OperationType[]];

/** Returns the name of a type in schemas: `ChargeBatch`. */
export function nameInSchemas(type: OperationType): string {
  return type.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Returns the name of a type for people: `charge batch`. */
export function operationWords(type: OperationType): string {
  return type.replaceAll('_', ' ');
}
