import {
  presentProblem,
  type ProblemCode,
  type ProblemContext,
  type ProblemExtras,
  type Reply,
  type TaggedRecord,
} from './problems.ts';
import { problemToVersion, toVersion } from './versions/versions.ts';
import type { ApiVersion, Resource } from './versions/version-change.ts';

/**
 * Answers that are stored with an effect and replayed byte for byte. Each resource states its replies in its own file.
 */
export interface RenderedAnswer {
  status: number;
  /** Content-Type, and Location where there is one. */
  headers: Record<string, string>;
  /** UTF-8 JSON. */
  text: string;
}

/** The caller of an answer: the version that it speaks, and what a problem document names. */
export interface AnswerContext extends ProblemContext {
  apiVersion: ApiVersion;
}

/** Seconds after which a resource that is not done is worth reading again. */
export const pendingRetryAfter = '1';

/** Returns the strong tag of a record in one API version. It holds the id for readers of logs. */
export function entityTag({ id, version }: TaggedRecord, apiVersion: ApiVersion): string {
  return `"${id}.${version}.${apiVersion}"`;
}

/** Renders a reply in the version of its caller. */
export function renderReply(reply: Reply, context: AnswerContext): RenderedAnswer {
  if ('problem' in reply) return answerProblem(reply.problem, context, reply.detail, reply.extras);
  const { status, path, resource, record } = reply;
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      // RFC 9110 §8.7: names the resource that is shown, and whose tag this is.
      [status === 200 ? 'content-location' : 'location']: path,
      ...(record && { etag: entityTag(record, context.apiVersion) }),
      ...(status === 202 && { 'retry-after': pendingRetryAfter }),
    },
    text: JSON.stringify(toVersion(context.apiVersion, resource as Resource)),
  };
}

export function answerProblem(
  code: ProblemCode,
  context: AnswerContext,
  detail?: string,
  extras?: ProblemExtras,
): RenderedAnswer {
  const problem = problemToVersion(context.apiVersion, presentProblem(code, context, detail, extras));
  return {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json; charset=utf-8' },
    text: JSON.stringify(problem),
  };
}
