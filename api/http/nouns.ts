import { z } from 'zod';
import type { Database } from '#db/knex.ts';
import type { Found, IdRange, Page } from '#db/pages.ts';
import type { IdKind } from '#domain/ids.ts';
import { ProblemError, type ProblemCode } from '#domain/problems.ts';
import type { Scope } from '#domain/scopes.ts';
import type { Resource } from '#domain/versions/version-change.ts';
import type { Versioned } from './conditional-requests.ts';
import type { ApiDeps } from './deps.ts';
import { createdRange, createPageSchema, type CreatedQuery } from './list-schemas.ts';
import type { PageQuery } from './pagination.ts';
import {
  defineRoute,
  type Access,
  type Answer,
  type ApiRequest,
  type IdRequest,
  type Route,
} from './route.ts';

/** A noun is a kind of resource of accounts, which is read, listed and changed in one way. */
export interface Noun<R> {
  kind: IdKind;
  /** In words, such as `webhook endpoint`. */
  name: string;
  /** Of its list, under `/v1/`. */
  collection: string;
  /** The scopes of reads. */
  access: Access;
  id: z.ZodType<string>;
  schema: z.ZodType;
  /** Further headers of the answer. */
  headers?: readonly string[];
  /** Finds one of the account, also if it was deleted. */
  find: (db: Database, accountId: string, id: string) => Promise<R | null>;
  /** What is answered for one that was deleted, to the account that owned it. */
  deletedCode?: ProblemCode;
  present: (record: R, apiVersion: ApiRequest['apiVersion']) => Resource;
  /** The parts of an answer that are not its body. (Default: the record) */
  describe?: (record: R) => Pick<Answer, 'headers' | 'record' | 'change'>;
  /** The scopes that whoever changes one must hold: nobody changes what it could not have made. (Default: none) */
  scopesToChange?: (record: R) => readonly Scope[];
}

/** How the page of a noun is read. */
interface ListOf<R, Query extends z.ZodType> {
  summary: string;
  description: string;
  query: Query;
  /** (Default: the name of the noun and an `s`) */
  plural?: string;
  /** @param range the ids of the asked time. */
  find: (
    db: Database,
    request: ApiRequest<unknown, z.output<Query>>,
    range: IdRange,
    page: Page,
  ) => Promise<readonly R[] | Found<R>>;
  /** (Default: its id) */
  position?: (record: R) => string;
}

/** Returns the routes that read one and list all of a noun. */
export function defineNoun<R extends { id: string }, Query extends ListQuery>(
  deps: Pick<ApiDeps, 'db' | 'pages'>,
  noun: Noun<R>,
  { read, list }: { read: Pick<Route, 'summary' | 'description'>; list: ListOf<R, Query> },
): { read: Route; list: Route } {
  return {
    read: defineRoute({
      ...read,
      method: 'GET',
      path: `/v1/${noun.collection}/{id}`,
      access: noun.access,
      params: toParams(noun),
      responses: { 200: toResponse(noun) },
      problems: listMissingProblems(noun),
      handle: async (request) => show(noun, await requireOne(deps.db, noun, request), request),
    }),
    list: defineList(deps, noun, list),
  };
}

type ListQuery = z.ZodType<PageQuery & CreatedQuery>;

/** Returns the route that lists all of a noun. */
export function defineList<R extends { id: string }, Query extends ListQuery>(
  { pages }: Pick<ApiDeps, 'pages'>,
  noun: Pick<Noun<R>, 'kind' | 'name' | 'collection' | 'access' | 'schema' | 'present'>,
  { find, plural = `${noun.name}s`, position = ({ id }) => id, ...texts }: ListOf<R, Query>,
): Route {
  const { kind, collection, access, schema } = noun;
  return defineRoute({
    ...texts,
    method: 'GET',
    path: `/v1/${collection}`,
    access,
    responses: { 200: { description: `A page of ${plural}`, schema: createPageSchema(schema) } },
    handle: (request) =>
      pages.list(
        request,
        (page, db) => find(db, request, createdRange(kind, request.query), page),
        (record) => noun.present(record, request.apiVersion),
        position,
      ),
  });
}

/** Returns the parameters of the path of one. */
export const toParams = ({ id }: Pick<Noun<never>, 'id'>) => z.object({ id });

/** Returns the documents' words about an answer that shows one. */
export function toResponse({ name, schema, headers }: Pick<Noun<never>, 'name' | 'schema' | 'headers'>) {
  return { description: `The ${name}`, schema, ...(headers && { headers }) };
}

/** Returns the problems of a path that names none. */
export function listMissingProblems({ deletedCode }: Pick<Noun<never>, 'deletedCode'>): ProblemCode[] {
  return ['not_found', ...(deletedCode === undefined ? [] : [deletedCode])];
}

/**
 * Returns the account's own resource that the path names.
 *
 * @throws {ProblemError} `not_found`; the noun's code for one that was deleted, to the account that owned it.
 */
export async function requireOne<R>(
  db: Database,
  noun: Noun<R>,
  { account, params }: Pick<IdRequest, 'account' | 'params'>,
): Promise<R> {
  return requireThere(noun, await noun.find(db, account.id, params.id));
}

/** Returns what was found, as {@link requireOne} does. */
export function requireThere<R>({ deletedCode }: Pick<Noun<R>, 'deletedCode'>, found: R | null): R {
  const there = requireFound(found);
  if (deletedCode !== undefined && (there as { deletedAt?: Date | null }).deletedAt)
    throw new ProblemError(deletedCode);
  return there;
}

/**
 * Returns what was found.
 *
 * @throws {ProblemError} `not_found` if there is nothing.
 */
export function requireFound<R>(found: R | null | undefined): R {
  if (found === null || found === undefined) throw new ProblemError('not_found');
  return found;
}

/** Returns the answer that shows one. */
export function show<R>(
  noun: Noun<R>,
  record: R,
  { apiVersion }: Pick<ApiRequest, 'apiVersion'>,
): Answer<200> {
  const parts = noun.describe?.(record) ?? { record: record as R & Versioned };
  return { status: 200, ...parts, body: noun.present(record, apiVersion) };
}
