import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { isDatabaseAway } from '#db/knex.ts';
import { presentProblem, problems, ProblemError, type ProblemCode } from '#domain/problems.ts';
import { LineShares } from '#http/line-shares.ts';
import { TurnedAway } from '../limits/load-shedding.ts';
import { problemType } from '../http/media-types.ts';
import { outage } from '../http/outage.ts';
import type { Context, RequestState } from '../http/context.ts';

/** The problem codes of errors that have an HTTP status (those of Koa and `http-errors`). */
const codeByStatus: Record<number, ProblemCode> = {
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

/** Lines of one code and route: an outage fails every request alike. The access log has the others too. */
const shareOfErrors = { atOnce: 50, perSecond: 1 };

/**
 * Answers every error with a problem document (RFC 9457). An error outside the catalogue is logged with its trace id,
 * and answered as a bare `internal_error`.
 */
export function answerProblems(publicUrl: string, log: Logger): Middleware<RequestState> {
  const shares = new LineShares(shareOfErrors);
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (isClientGone(error)) {
        // The caller has disconnected; 499 is for the log.
        ctx.status = 499;
        return;
      }
      const problem = toProblem(error, ctx.method);
      ctx.state.isTurnedAway = problem instanceof TurnedAway;
      // The access log has requests that were turned away. Under load, another line for each is too much.
      if (problems[problem.code].status >= 500 && !ctx.state.isTurnedAway) {
        const { traceId, route } = ctx.state;
        const leftOut = shares.take(`${problem.code} ${route}`);
        const more = leftOut !== null && leftOut > 0 && { left_out: leftOut };
        if (leftOut !== null)
          log.error({ err: problem.cause ?? error, trace_id: traceId, route, ...more }, problem.code);
      }
      sendProblem(ctx, problem, publicUrl);
    }
  };
}

function toProblem(error: unknown, method: string): ProblemError {
  if (error instanceof ProblemError) return error;
  const status = (error as { status?: unknown } | null)?.status;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new ProblemError(codeByStatus[status] ?? 'malformed_request', { cause: error });
  }
  // A write may have had its effect.
  const isRead = method === 'GET' || method === 'HEAD';
  if (isDatabaseAway(error)) return outage(isRead ? 'service_unavailable' : 'outcome_unknown', error);
  return new ProblemError('internal_error', { cause: error });
}

/** Returns whether the caller disconnected while its request was read. */
function isClientGone(error: unknown): boolean {
  return (error as { type?: unknown } | null)?.type === 'request.aborted';
}

function sendProblem(ctx: Context, problem: ProblemError, publicUrl: string): void {
  const context = { publicUrl, instance: ctx.path, traceId: ctx.state.traceId };
  const document = presentProblem(problem.code, context, problem.detail, problem.extras);
  ctx.status = document.status;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Type', problemType);
  // RFC 9110 §11.6.1 requires it on every 401.
  if (document.status === 401) ctx.set('WWW-Authenticate', 'Bearer realm="payments"');
  ctx.set(problem.headers);
  ctx.body = Buffer.from(JSON.stringify(document));
}
