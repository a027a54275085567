import { presentProblem } from '#domain/problems.ts';
import { currentVersion } from '#domain/versions/versions.ts';
import type { Listener } from '#http/http-server.ts';
import { newTraceId } from '#http/middleware/trace.ts';
import { problemType } from './http/media-types.ts';

/** Answers bytes that are not an HTTP request with a problem document. */
export function describeRefusalAt(publicUrl: string): Listener['describeRefusal'] {
  return ({ code, detail }) => {
    const traceId = newTraceId();
    const problem = presentProblem(code, { publicUrl, instance: '/', traceId }, detail);
    return {
      status: problem.status,
      headers: { 'Content-Type': problemType, 'Trace-Id': traceId, 'API-Version': currentVersion },
      body: JSON.stringify(problem),
    };
  };
}
