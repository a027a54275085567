import { catalogue, type Problem, type ProblemExtras } from './problem-catalogue.ts';

export type { ProblemExtras, ValidationFault } from './problem-catalogue.ts';

/**
 * Problem documents (RFC 9457): the codes of the catalogue, as they go over the wire and as they are thrown.
 */

export type ProblemCode = keyof typeof catalogue;

/** The catalogue, for the documents and the pages at `/problems/{code}`. */
export const problems: Readonly<Record<ProblemCode, Problem>> = catalogue;

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

/** A resource in one state, as its entity tag names it. */
export interface TaggedRecord {
  id: string;
  /** Differs after every change. */
  version: number | string;
}

/** The answer to a request, before it is rendered for its caller (`domain/answers.ts`): a resource, or a problem. */
export type Reply<Code extends ProblemCode = ProblemCode> =
  /** `202` while the resource is not done. */
  | { status: 200 | 201 | 202; path: string; resource: object; record?: TaggedRecord }
  /** `detail`: (Default: the catalogue's advice) */
  | { problem: Code; detail?: string | undefined; extras?: ProblemExtras };

/** Returns the document for `code`; `detail` defaults to the catalogue's advice. */
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

/** A failure that is answered to the caller. Every other error is a bare 500. */
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
