import { ProblemError } from '#client/src/index.ts';
import type { QueryOf, ResultOf } from '#client/src/document.ts';
import type { Visit } from '../page.ts';
import type { components, paths } from './schema.ts';

/** The API of operators. Its types are made from `openapi-service.json`, and not kept in git (CONTRIBUTING.md). */

type Schemas = components['schemas'];

export type Account = Schemas['OperatorAccount'];
export type AccountName = Schemas['OperatorAccountName'];
export type AuditEntry = Schemas['OperatorAuditEntry'];
export type DeadLetter = Schemas['DeadLetter'];
export type Difference = Schemas['ReconciliationDifference'];
export type FailingEndpoint = Schemas['FailingEndpoint'];
export type OpenOperation = Schemas['OpenOperation'];
export type Overview = Schemas['OperatorOverview'];
export type Reconciliation = Schemas['Reconciliation'];
export type Resource = Schemas['OperatorResource'];
export type UnknownOutcome = Schemas['UnknownOutcome'];

/** The templates that can be read. */
type Readable = {
  [P in keyof paths]: paths[P] extends { get: { responses: unknown } } ? P : never;
}[keyof paths];

/** What the query of a template may be. */
export type QueryTo<P extends Readable> = QueryOf<paths[P]['get']>;

/**
 * Reads something of the operators' API.
 *
 * @param template whose `{id}` is that of the page.
 * @throws {ProblemError} of the client, {ConnectionError}
 */
export async function read<P extends Readable>(
  { api, id }: Pick<Visit, 'api' | 'id'>,
  template: P,
  query?: QueryTo<P>,
): Promise<ResultOf<paths[P]['get']>> {
  const path = template.replace('{id}', () => encodeURIComponent(id));
  const { body } = await api.request<ResultOf<paths[P]['get']>>('GET', path, query && { query });
  return body;
}

/** Returns what is known of the unknown outcome of the page; `null` once it is known. */
export async function findUnknown(visit: Pick<Visit, 'api' | 'id'>): Promise<UnknownOutcome | null> {
  try {
    return await read(visit, '/operator/unknown-outcomes/{id}');
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not_found') return null;
    throw error;
  }
}
