import type { z } from 'zod';
import type { ByteRange, StoredBytes } from '#blobs/port.ts';
import type { Account } from '#db/access/accounts.ts';
import type { Author, ChangeAudit } from '#db/writes/authors.ts';
import type { ProblemCode } from '#domain/problems.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import type { Scope } from '#domain/scopes.ts';
import type { Change, Validators, Versioned } from './conditional-requests.ts';

/** Routes are data: the router, the authorization rule and the documents are made from the same value. */

/**
 * The scopes that a route needs of its caller: one or all of several, any valid token, or nothing. There is no
 * default. Each resource that an answer shows, and each that a request changes, needs its own scope.
 */
export type Access = Scope | readonly [Scope, ...Scope[]] | 'any-token' | 'public';

/** Returns the scopes that a route always needs. */
export function listScopes(access: Access): readonly Scope[] {
  if (access === 'any-token' || access === 'public') return [];
  return typeof access === 'string' ? [access] : access;
}

/** A request that passed authentication, the scopes of its route, and parsing. */
export interface ApiRequest<Params = unknown, Query = unknown, Body = unknown> {
  /** The account of the token; the only source of ownership. */
  account: Account;
  apiVersion: ApiVersion;
  traceId: string;
  method: string;
  /** The concrete path, without the query. */
  path: string;
  /** Concrete path and query string, as received. */
  url: string;
  params: Params;
  query: Query;
  body: Body;
  /** The parsed body before validation, for the fingerprint. */
  rawJson: unknown;
  /** Lower-cased names. */
  headers: Record<string, string | undefined>;
  /** The valid, unquoted Idempotency-Key; `null` if it is optional and missing. */
  idempotencyKey: string | null;
  /** Who asks, and the entry that the audit has of it. */
  author: Author;
  /**
   * Takes tokens of the account's rate limit for an expensive request, at most half of its burst. The token that
   * every request takes is included.
   *
   * @throws {ProblemError} `rate_limited`
   */
  payFor(tokens: number): Promise<void>;
}

/** A request whose path names one resource. */
export type IdRequest<Body = unknown> = ApiRequest<{ id: string }, unknown, Body>;

/**
 * A request with the checks of what its caller may do. Only the parts of a route that run before any answer get it: a
 * stored answer too is for those who may have it.
 */
export interface CallerRequest<Params = unknown, Query = unknown, Body = unknown> extends ApiRequest<
  Params,
  Query,
  Body
> {
  /**
   * Requires one of the sets in `furtherScopes` of the route. Such a route must call it before it answers.
   *
   * @throws {ProblemError} `insufficient_scope`
   */
  requireFurther(scopes: readonly Scope[]): void;
  /**
   * Requires that the token has these scopes: those of the client or the member that the request makes or changes.
   *
   * @throws {ProblemError} `insufficient_scope`
   */
  requireHeld(scopes: readonly Scope[]): void;
}

/** Returns the entry of the audit for a change without a claim, which its statement makes. */
export function toAudit({ author, traceId }: ApiRequest, status: number): ChangeAudit | undefined {
  return author.auditId === null ? undefined : { author, traceId, status };
}

/** An answer to render: an object becomes JSON in the request's API version, a Buffer goes out as it is. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: object | Buffer;
  /** The record that the body shows: its validators are made from it. (Default: from the bytes) */
  record?: Versioned;
  /** A file instead of a body. The request decides the status. */
  file?: FileAnswer;
  /** (Default: `on_request`) */
  change?: Change;
}

/** A file to be sent, in whole or in part. */
export interface FileAnswer {
  /** The name of a saved copy. */
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  validators: Validators;
  /** Opens the file. An error is answered like any other failure of a route. */
  open(range: ByteRange): Promise<StoredBytes>;
}

/** A successful answer of a route. */
export interface RouteResponse {
  description: string;
  schema?: z.ZodType;
  /** Headers that the answer may have, besides those of its status and method. */
  headers?: readonly string[];
  /** The media types, if the answer is a file. */
  types?: readonly string[];
  /** The template of the path where the resource is read. (Default: an item of the collection) */
  readAt?: string;
  /** Members of the example in the documents that differ from those of the schema. */
  example?: object;
}

export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The template as in the documents: `/v1/charges/{id}:capture`. */
  path: string;
  access: Access;
  /** Sets of scopes, if the scope depends on the request. Each request needs one of the sets besides `access`. */
  furtherScopes?: readonly (readonly Scope[])[];
  /** One line for the documents. */
  summary: string;
  description?: string;
  /** The name of the operation in the documents and in clients. (Default: made from method and path) */
  operationId?: string;
  idempotencyKey?: 'required' | 'optional';
  params?: Params;
  query?: Query;
  body?: Body;
  /** The body for the documents, if `body` is a frame whose parts the handler validates. (Default: `body`) */
  documentedBody?: z.ZodType;
  /**
   * Whether the audit has an entry before it is served, and for refusals of programs too: for a write that is no statement
   * of its own. (Default: the entry is made with the change)
   */
  isAuditedAhead?: boolean;
  /** `false`: the audit has the writes of people alone. (Default: it has those of programs too) */
  isAuditedForPrograms?: boolean;
  /** In bytes. (Default: 256 KiB) */
  bodyLimit?: number;
  /** The media types of its answers, besides problems. (Default: JSON) */
  produces?: string[];
  /** The successful answers by status. */
  responses: Record<number, RouteResponse>;
  /** Its own problem codes, besides those of every route. */
  problems?: ProblemCode[];
  handle(request: CallerRequest<z.output<Params>, z.output<Query>, z.output<Body>>): Promise<Answer>;
}

/** Returns the route, with the handler's types inferred from its schemas. */
export function defineRoute<
  Params extends z.ZodType = z.ZodType<unknown>,
  Query extends z.ZodType = z.ZodType<unknown>,
  Body extends z.ZodType = z.ZodType<unknown>,
>(route: Route<Params, Query, Body>): Route {
  return route;
}
