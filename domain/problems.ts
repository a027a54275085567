import { catalogue, type Problem } from './problem-catalogue.ts';

/**
 * Problem documents (RFC 9457): the codes of the catalogue, as they go over the wire and as they are thrown.
 */

export type ProblemCode = keyof typeof catalogue;

/** The catalogue, for the documents and the pages at `/problems/{code}`. */
export const problems: Readonly<Record<ProblemCode, Problem>> = catalogue;

/** One fault of a body: where (RFC 6901), which, and what to do. */
export interface ValidationFault {
  pointer: string;
  code: string;
  detail: string;
}

/** Members beyond the standard ones, by what the code calls for. */
export interface ProblemExtras {
  errors?: ValidationFault[];
  decline_code?: string;
  /** Id of the charge that was declined, voided or cancelled. */
  charge?: string;
  /** Id of the refund that failed. */
  refund?: string;
  /** Path of the result of what a cancelled operation had done. */
  result?: string;
}

/** A problem document as it goes over the wire (RFC 9457 §3). */
export interface ProblemResource extends ProblemExtras {
  type: string;
  code: ProblemCode;
  title: string;
  status: number;
  detail: string;
  instance: string;
  trace_id: string;
}

export interface ProblemContext {
  publicUrl: string;
  /** The path that was asked for. */
  instance: string;
  traceId: string;
}

/** The document for `code`; `detail` defaults to the catalogue's advice. */
export function presentProblem(
  code: ProblemCode,
  context: ProblemContext,
  detail?: string,
  extras: ProblemExtras = {},
): ProblemResource {
  const { status, title, advice } = problems[code];
  return {
    type: `${context.publicUrl}/problems/${code}`,
    code,
    title,
    status,
    detail: detail ?? advice,
    instance: context.instance,
    trace_id: context.traceId,
    ...extras,
  };
}

/**
 * A failure that the caller is told about. Everything else that is thrown is a bare 500.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;
  readonly detail: string | undefined;
  /** Headers the answer must carry, such as `Retry-After` (seconds) or `Allow`. */
  readonly headers: Record<string, string>;

  constructor(
    code: ProblemCode,
    options: {
      detail?: string;
      extras?: ProblemExtras;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(options.detail ?? problems[code].title, { cause: options.cause });
    this.code = code;
    this.detail = options.detail;
    this.extras = options.extras ?? {};
    this.headers = options.headers ?? {};
  }
}
