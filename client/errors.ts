import type { Problem } from './operations.ts';

/** The service refused the request, or failed. `code` has the reason, and `problem` all details. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** The code to branch on; `null` if another server answered. */
  readonly code: Problem['code'] | null;
  readonly problem: Problem | null;
  readonly headers: Headers;

  constructor({ status, headers, body }: { status: number; headers: Headers; body: unknown }) {
    const problem = isProblem(body) ? body : null;
    super(problem ? `${status} ${problem.code}: ${problem.detail}` : `The service answered ${status}`);
    this.status = status;
    this.code = problem?.code ?? null;
    this.problem = problem;
    this.headers = headers;
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'trace_id' in body;
}

/** No attempt got an answer. The request may have had its effect: send it again with its key. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The issuer refused a token; `code` is one of RFC 6749 §5.2. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly status: number;
  readonly code: string | null;

  constructor({ status, body }: { status: number; body: unknown }) {
    const { error = null, error_description: detail = '' } = (body ?? {}) as {
      error?: string | null;
      error_description?: string;
    };
    super(`No token: ${status} ${error ?? ''} ${detail}`.trimEnd());
    this.status = status;
    this.code = error;
  }
}
