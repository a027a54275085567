import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AuthenticationError, ConnectionError, ProblemError as ApiProblem } from '#client/src/index.ts';
import { problems, ProblemError } from '#domain/problems.ts';
import { SessionEnded } from '../session/session.ts';
import type { Handler } from '../page.ts';

/** Headers of the file that go on to the browser. */
const passedOn = [
  'accept-ranges',
  'content-disposition',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
] as const;

/**
 * Passes the result of an operation through, as the API sends it: no link leaves the console, and nothing is kept here. A
 * browser that was cut off goes on with a range.
 */
export const downloadResult: Handler = {
  method: 'GET',
  path: '/operations/{id}/result',
  scope: 'operations:read',
  async handle(ctx, { api, params }) {
    const { range, 'if-range': ifRange } = ctx.req.headers;
    const wanted = { range, ifRange: typeof ifRange === 'string' ? ifRange : undefined };
    const part = await api.operations.resultPart(params['id'] ?? '', wanted).catch(refuse);
    ctx.status = part.status;
    ctx.set('Cache-Control', 'private, no-store');
    if (ctx.method === 'HEAD') await part.stream.cancel();
    else ctx.body = Readable.fromWeb(part.stream as ReadableStream<Uint8Array>);
    // Last: Koa sets a type and a length of its own with a body.
    for (const name of passedOn) {
      const value = part.headers.get(name);
      if (value !== null) ctx.set(name, value);
    }
  },
};

/** Answers with the API's own refusal: there is no region that could show it. */
function refuse(error: unknown): never {
  if (error instanceof AuthenticationError) throw new SessionEnded();
  if (error instanceof ConnectionError) throw new ProblemError('service_unavailable', { cause: error });
  if (!(error instanceof ApiProblem) || error.code === null || !Object.hasOwn(problems, error.code))
    throw error;
  const range = error.headers.get('content-range');
  throw new ProblemError(error.code, {
    headers: range === null ? {} : { 'Content-Range': range },
    cause: error,
  });
}
