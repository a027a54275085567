import type { Answer } from './route.ts';

/** A request to a {@link RawRoute}: nothing of it was read but its head. */
export interface RawRequest {
  method: string;
  traceId: string;
  /** Lower-cased names. */
  headers: Record<string, string | undefined>;
  /** Whether the header was sent once at most; node keeps only the first of some. */
  isSingle(header: string): boolean;
  /**
   * @param limit in bytes.
   * @throws {ProblemError} `payload_too_large` beyond it.
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
  handle(request: RawRequest): Promise<Answer>;
}
