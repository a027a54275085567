import { AuthenticationError, ConnectionError, ProblemError } from '#client/src/index.ts';
import type { Visit } from '../page.ts';
import type { ProblemProps } from '../parts/problem.tsx';
import { SessionEnded } from '../session/session.ts';

/** Why a call of the API gave nothing, as a person reads it. */
export interface Failure extends ProblemProps {
  /** The status of a page that this is the failure of. */
  status: number;
  /** Whether the failure is a fault of ours, which belongs into the log. */
  isFault: boolean;
}

/** @throws {SessionEnded} if the API takes the session's token no longer. */
export function toFailure(error: unknown, visit: Visit): Failure {
  if (error instanceof SessionEnded || error instanceof AuthenticationError) throw new SessionEnded();
  if (error instanceof ProblemError) return fromProblem(error, visit);
  const base = { code: null, page: null, traceId: visit.traceId };
  if (error instanceof ConnectionError) {
    const detail = 'What this part of the page shows is not known now. Nothing was changed.';
    return { ...base, status: 503, title: 'The API does not answer', detail, isFault: false };
  }
  const detail = 'The console has logged it under this trace id.';
  return { ...base, status: 500, title: 'This part of the page failed', detail, isFault: true };
}

function fromProblem({ status, code, problem, traceId }: ProblemError, visit: Visit): Failure {
  return {
    status,
    code,
    title: problem?.title ?? `The API answered ${status}`,
    detail: problem?.detail ?? 'The answer came from another server than the API, such as a proxy before it.',
    traceId: traceId ?? visit.traceId,
    page: code === null ? null : `${visit.links.apiUrl}/problems/${code}`,
    isFault: false,
  };
}
