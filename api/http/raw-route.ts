import type { z } from 'zod';
import type { ProblemCode } from '#domain/problems.ts';
import type { OperatorScope } from '#domain/scopes.ts';
import type { Answer } from './route.ts';

/** A request to a {@link RawRoute}: only its head was read. */
export interface RawRequest {
  method: string;
  /** The parameters of the template, decoded. */
  params: Record<string, string>;
  /** The concrete path, without the query. */
  path: string;
  /** The query string with its `?`, or nothing. */
  search: string;
  traceId: string;
  /** Of the caller, as the trusted proxies tell it. */
  address: string;
  /** Lower-cased names. */
  headers: Record<string, string | undefined>;
  /** Returns the media type that the caller prefers; `null` if it accepts none of them. */
  prefers(types: readonly string[]): string | null;
  /** Returns whether the header was sent at most once; node keeps only the first of some. */
  isSingle(header: string): boolean;
  /**
   * Reads the body within seconds, before the request takes a place that others wait for.
   *
   * @param limit in bytes.
   * @throws {ProblemError} `payload_too_large`, `request_timeout`, and `service_unavailable` if there is no room.
   */
  readBody(limit: number): Promise<Buffer>;
}

/**
 * A route outside the conventions of `/v1` (OAuth, health, the processor's notifications). It reads its own body, has
 * its own format and no versions, and authenticates its callers itself.
 */
export interface RawRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Who may ask: anybody, or an operator whose token has the scope. The route itself holds it. */
  access: 'public' | OperatorScope;
  /** The name of the operation in the documents: a verb and a resource. */
  operationId: string;
  /** The group of the operation in the documents. (Default: `authorization`) */
  tag?: string;
  /** In the document for operators, not in that for merchants. */
  isForOperators?: true;
  /** One line for the documents. */
  summary: string;
  description?: string;
  /** How the route authenticates its callers, if it does. */
  callers?: 'clients' | 'processor' | 'operators';
  /** How many requests it counts as in the budget of public pages. (Default: 1) */
  cost?: number;
  /** Never turned away: it reports the health of the process, also under load. */
  isAlwaysServed?: true;
  /** The parameters of its path and of its query, for the documents. */
  params?: z.ZodType;
  query?: z.ZodType;
  idempotencyKey?: 'required';
  /** The body that it accepts. */
  body?: { type: string; schema: z.ZodType };
  /** The answers in its own format, by status. */
  responses?: Record<number, RawResponse>;
  /** Problem codes, beside those every route outside `/v1` can answer. */
  problems?: ProblemCode[];
  handle(request: RawRequest): Promise<Answer>;
}

/** An answer of a {@link RawRoute}, for the documents. */
export interface RawResponse {
  description: string;
  /** The media types of the body, if it has one. A type other than JSON is text. */
  types?: readonly string[];
  /** The schema of the JSON. */
  schema?: z.ZodType;
  /** Headers that the answer may have, besides those of its status. */
  headers?: readonly string[];
}
