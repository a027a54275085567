import type { z } from 'zod';
import type { ProblemCode } from '#domain/problems.ts';
import type { Answer } from './route.ts';

/** A request to a {@link RawRoute}: nothing of it was read but its head. */
export interface RawRequest {
  method: string;
  /** Those of the template, decoded. */
  params: Record<string, string>;
  traceId: string;
  /** Lower-cased names. */
  headers: Record<string, string | undefined>;
  /** Which of these media types the caller likes best; `null` when it accepts none. */
  prefers(types: readonly string[]): string | null;
  /** Whether the header was sent once at most; node keeps only the first of some. */
  isSingle(header: string): boolean;
  /**
   * The body, read within seconds and before the request takes a place that others wait for.
   *
   * @param limit in bytes.
   * @throws {ProblemError} `payload_too_large` beyond it, `request_timeout`, and `service_unavailable` where there is
   *   no place.
   */
  readBody(limit: number): Promise<Buffer>;
}

/**
 * A route outside the conventions of `/v1`: it reads its own body, speaks its own format and is not
 * versioned (OAuth, health, the processor's notifications). It checks its callers itself.
 */
export interface RawRoute {
  method: 'GET' | 'POST';
  path: string;
  access: 'public';
  /** One line for the documents. */
  summary: string;
  description?: string;
  /** How it tells its callers apart, where it does. */
  callers?: 'clients' | 'processor';
  /** Never turned away: it tells how the process is, most of all when that is not well. */
  isAlwaysServed?: true;
  /** The body it takes. */
  body?: { type: string; schema: z.ZodType };
  /** What it answers in its own format, by status. */
  responses?: Record<number, RawResponse>;
  /** Problem codes, beside those every route outside `/v1` can answer. */
  problems?: ProblemCode[];
  handle(request: RawRequest): Promise<Answer>;
}

/** An answer of a {@link RawRoute}, for the documents. */
export interface RawResponse {
  description: string;
  /** Media types, where it has a body; what is not JSON is text. */
  types?: readonly string[];
  /** Of the JSON. */
  schema?: z.ZodType;
}
