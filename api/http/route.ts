import type { z } from 'zod';
import type { ByteRange, StoredBytes } from '#blobs/port.ts';
import type { Account } from '#db/access/accounts.ts';
import type { Author, ChangeAudit } from '#db/writes/authors.ts';
import type { OAuthClient } from '#db/access/oauth-clients.ts';
import type { ProblemCode } from '#domain/problems.ts';
import type { OperatorScope, Scope } from '#domain/scopes.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import type { Grant } from '#issuer/tokens.ts';
import type { Change, Validators, Versioned } from './conditional-requests.ts';

/**
 * Routes are data: the router, the authorization rule and the documents are made from the same value. One definition serves
 * every kind of caller, and `api/routing/callers.ts` has a row for each.
 */

/**
 * Who may ask: a program or a person of an account, an operator of the service, an OAuth client at the issuer, a payment
 * processor (or a buyer whom it sends), or anyone.
 */
export type CallerKind = 'account' | 'operator' | 'client' | 'processor' | 'anyone';

/**
 * The scopes that a route needs of its caller: one or all of several, or any valid token. There is no default. Each
 * resource that an answer shows, and each that a request changes, needs its own scope.
 */
export type Access = Scope | readonly [Scope, ...Scope[]] | 'any-token';

/** Returns the scopes that a route always needs. */
export function listScopes(access: Access | undefined): readonly Scope[] {
  if (access === 'any-token' || access === undefined) return [];
  return typeof access === 'string' ? [access] : access;
}

/** What every route is told of its request. */
interface ReceivedRequest<Params, Query, Body> {
  traceId: string;
  method: string;
  /** The concrete path, without the query. */
  path: string;
  /** Concrete path and query string, as received. */
  url: string;
  params: Params;
  query: Query;
  body: Body;
  /** Lower-cased names. */
  headers: Record<string, string | undefined>;
  /** The valid, unquoted Idempotency-Key; `null` if it is optional and missing. */
  idempotencyKey: string | null;
}

/** A request that passed authentication, the scopes of its route, and parsing. */
export interface ApiRequest<Params = unknown, Query = unknown, Body = unknown> extends ReceivedRequest<
  Params,
  Query,
  Body
> {
  /** The account of the token; the only source of ownership. */
  account: Account;
  apiVersion: ApiVersion;
  /** The parsed body before validation, for the fingerprint. */
  rawJson: unknown;
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

/** A request of an operator, over all accounts. It has no versions. */
export interface OperatorRequest<Params = unknown, Query = unknown, Body = unknown> extends ReceivedRequest<
  Params,
  Query,
  Body
> {
  operator: Grant;
  /** Stands for the account in cursors. */
  account: { id: string };
}

/** A request of somebody whom its head does not tell. Parameters of the query that are unknown are ignored. */
export interface StrangerRequest<Params = unknown, Body = unknown> extends ReceivedRequest<
  Params,
  URLSearchParams,
  Body
> {
  /** Of the caller, as the trusted proxies tell it. */
  address: string;
  /** Returns the media type that the caller prefers; `null` if it accepts none of them. */
  prefers: (types: readonly string[]) => string | null;
  /** Returns whether the header was sent at most once; node keeps only the first of some. */
  isSingle: (header: string) => boolean;
}

/** A request of a stranger whose body was not read. */
export interface ArrivedRequest extends StrangerRequest<Record<string, string>, null> {
  /**
   * Reads the body within seconds, before the request takes a place that others wait for.
   *
   * @throws {ProblemError} `payload_too_large`, `request_timeout`, and `service_unavailable` if there is no room.
   */
  readBody(): Promise<Buffer>;
}

/** The parameters of a form; none is empty. */
export type Form = ReadonlyMap<string, string>;

/** The requests of the kinds of callers. The body of a processor is its bytes, which its signature covers. */
interface Requests<Params, Query, Body> {
  account: CallerRequest<Params, Query, Body>;
  operator: OperatorRequest<Params, Query, Body>;
  client: StrangerRequest<Params, Form> & { client: OAuthClient };
  processor: StrangerRequest<Params, Buffer>;
  anyone: StrangerRequest<Params, null>;
}

/** Returns the entry of the audit for a change without a claim, which its statement makes. */
export function toAudit({ author, traceId }: ApiRequest, status: number): ChangeAudit | undefined {
  return author.auditId === null ? undefined : { author, traceId, status };
}

/**
 * An answer to render: an object becomes JSON in the request's API version, a Buffer goes out as it is. A route answers no
 * status that it does not declare, apart from the stored answer of a key.
 */
export interface Answer<Status extends number = number> {
  status: Status;
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

/** An answer of a route: a successful one, or one in a format of its own. */
export interface RouteResponse {
  description: string;
  /** The schema of the JSON. */
  schema?: z.ZodType;
  /** Headers that the answer may have, besides those of its status and method. */
  headers?: readonly string[];
  /** The media types of the body. One without a schema is a file to an account, and text to others. (Default: JSON if there is a schema) */
  types?: readonly string[];
  /** The template of the path where the resource is read. (Default: an item of the collection) */
  readAt?: string;
  /** Members of the example in the documents that differ from those of the schema. */
  example?: object;
}

export interface Route<
  Kind extends CallerKind = CallerKind,
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Status extends number = number,
> {
  caller: Kind;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The template as in the documents: `/v1/charges/{id}:capture`. */
  path: string;
  /** Of accounts and operators, and only of them. */
  access?: Access;
  /** Sets of scopes, if the scope depends on the request. Each request needs one of the sets besides `access`. */
  furtherScopes?: readonly (readonly Scope[])[];
  /** One line for the documents. */
  summary: string;
  description?: string;
  /** The name of the operation in the documents and in clients. (Default: made from method and path) */
  operationId?: string;
  /** The group of the operation in the documents, if anyone may ask. (Default: `authorization`) */
  tag?: 'documents' | 'health';
  /** How many requests it counts as in the budget of public pages. (Default: 1) */
  cost?: number;
  /** Never turned away: it reports the health of the process, also under load. */
  isAlwaysServed?: true;
  idempotencyKey?: 'required' | 'optional';
  params?: Params;
  query?: Query;
  /** Of accounts and operators, JSON that the server validates. Other callers have it for the documents. */
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
  /** In bytes. (Default: 256 KiB; 16 KiB of whoever has no account) */
  bodyLimit?: number;
  /** The media types of its answers to accounts, besides problems. (Default: JSON) */
  produces?: string[];
  /** The answers by status, besides problems. */
  responses: Record<Status, RouteResponse>;
  /** Its own problem codes, besides those of every route of its caller. */
  problems?: ProblemCode[];
  handle(
    request: Requests<z.output<Params>, z.output<Query>, z.output<Body>>[Kind],
  ): Promise<Answer<NoInfer<Status>>>;
}

/** A route to define. Who has a token says which scope it needs. */
type Definition<
  Kind extends CallerKind,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Status extends number,
> = Omit<Route<Kind, Params, Query, Body, Status>, 'caller' | 'access'> & {
  caller?: Kind;
} & (Kind extends 'account'
    ? { access: Access }
    : Kind extends 'operator'
      ? { access: OperatorScope }
      : { access?: never });

/**
 * Returns the route, with the handler's types inferred from its schemas.
 *
 * @param route its `caller` is an account unless it says otherwise.
 */
export function defineRoute<
  Params extends z.ZodType = z.ZodType<unknown>,
  Query extends z.ZodType = z.ZodType<unknown>,
  Body extends z.ZodType = z.ZodType<unknown>,
  Kind extends CallerKind = 'account',
  Status extends number = number,
>(route: Definition<Kind, Params, Query, Body, Status>): Route {
  return { caller: 'account', ...route };
}

/** Returns whether requests of the route have a body. What anyone may ask has none. */
export function takesBody({ caller, method }: Pick<Route, 'caller' | 'method'>): boolean {
  return caller !== 'anyone' && method !== 'GET' && method !== 'DELETE';
}
