import type { z } from 'zod';
import type { ByteRange, StoredBytes } from '#blobs/port.ts';
import type { Account } from '#db/access/accounts.ts';
import type { ProblemCode } from '#domain/problems.ts';
import type { ApiVersion } from '#domain/version-change.ts';
import type { Scope } from '#domain/scopes.ts';
import type { Change, Validators, Versioned } from './conditional-requests.ts';

/**
 * Routes are data: the router, the authorization rule and the documents are made from the same value.
 */

/**
 * What a route needs of its caller: a scope or all of several, any valid token, or nothing at all. There is no default.
 * What an answer shows and what a request brings about is guarded by the scope of each resource in it.
 */
export type Access = Scope | readonly [Scope, ...Scope[]] | 'any-token' | 'public';

/** The scopes that a route always needs. */
export function listScopes(access: Access): readonly Scope[] {
  if (access === 'any-token' || access === 'public') return [];
  return typeof access === 'string' ? [access] : access;
}

/** A request that passed authentication, authorization and parsing. */
export interface ApiRequest<Params = unknown, Query = unknown, Body = unknown> {
  /** The account that owns the token; the only source of ownership. */
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
  /** The valid, unquoted Idempotency-Key, or `null` where it is optional and missing. */
  idempotencyKey: string | null;
  /**
   * Of a route with `furtherScopes`: which of them this request needs. No answer leaves such a route before.
   *
   * @throws {ProblemError} `insufficient_scope`
   */
  requireFurther(scopes: readonly Scope[]): void;
  /**
   * Takes tokens of the account's rate limit for what the request asks for, the one of the request itself included; half
   * of its burst at most.
   *
   * @throws {ProblemError} `rate_limited`
   */
  payFor(tokens: number): Promise<void>;
}

/** A request whose path names one resource. */
export type IdRequest<Body = unknown> = ApiRequest<{ id: string }, unknown, Body>;

/** An answer to render: an object becomes JSON in the request's API version, a Buffer goes out as it is. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: object | Buffer;
  /** The record that the body shows: its validators are made from it. (Default: from the bytes) */
  record?: Versioned;
  /** A file instead of a body; its status follows from what is asked of it. */
  file?: FileAnswer;
  /** (Default: `on_request`) */
  change?: Change;
}

/** A file to be sent, in whole or in part. */
export interface FileAnswer {
  /** As a saved copy is to be called. */
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  validators: Validators;
  /** Opens it. What is thrown is told like any other failure of a route. */
  open(range: ByteRange): Promise<StoredBytes>;
}

/** An answer of a route where it does what was asked. */
export interface RouteResponse {
  description: string;
  schema?: z.ZodType;
  /** Headers that it may carry, beside those that its status and its method call for. */
  headers?: readonly string[];
  /** Media types, where it holds a file. */
  types?: readonly string[];
  /** Members of the documents' example that read otherwise than those of the schema. */
  example?: object;
}

export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Template as in the documents: `/v1/charges/{id}:capture`. */
  path: string;
  access: Access;
  /** Where it hangs on what is asked for: sets of scopes, one of which each request needs besides `access`. */
  furtherScopes?: readonly (readonly Scope[])[];
  /** One line for the documents. */
  summary: string;
  description?: string;
  /** Its name in the documents and in clients. (Default: made from method and path) */
  operationId?: string;
  idempotencyKey?: 'required' | 'optional';
  params?: Params;
  query?: Query;
  body?: Body;
  /**
   * The body for the documents, where `body` is its frame only and the handler validates what is in it. (Default: `body`)
   */
  documentedBody?: z.ZodType;
  /** Bytes; (Default: 256 KiB) */
  bodyLimit?: number;
  /** Media types that it answers with, beside problems. (Default: JSON) */
  produces?: string[];
  /** Success answers by status, and what they hold. */
  responses: Record<number, RouteResponse>;
  /** Problem codes of its own, beside those every route can answer. */
  problems?: ProblemCode[];
  handle(request: ApiRequest<z.output<Params>, z.output<Query>, z.output<Body>>): Promise<Answer>;
}

/** A route with its handler's types inferred from its schemas. */
export function defineRoute<
  Params extends z.ZodType = z.ZodType<unknown>,
  Query extends z.ZodType = z.ZodType<unknown>,
  Body extends z.ZodType = z.ZodType<unknown>,
>(route: Route<Params, Query, Body>): Route {
  return route;
}
