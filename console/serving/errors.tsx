import type { Middleware } from 'koa';
import { problems, ProblemError, type ProblemCode } from '#domain/problems.ts';
import type { RequestState } from '#http/context.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Visit } from '../page.ts';
import { BarePage } from '../parts/layout.tsx';
import { Problem } from '../parts/problem.tsx';
import { renderDocument, renderWhole, sendHtml } from './documents.tsx';

/** The problem codes of errors that have an HTTP status (those of Koa, of `http-errors` and of `raw-body`). */
const codeByStatus: Record<number, ProblemCode> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

/** What a person reads about an error of the console itself. */
const words: Partial<Record<ProblemCode, { title: string; detail: string }>> = {
  not_found: {
    title: 'There is no such page',
    detail: 'Check the address. What belongs to another account is not found either.',
  },
  payload_too_large: { title: 'The form is too large', detail: 'A form may have 64 KiB.' },
  internal_error: { title: 'The console failed', detail: 'It has logged the error under this trace id.' },
};

/** Answers every error with a page. One outside the catalogue is logged with its trace id, and says no more. */
export function answerErrors({
  log,
}: Pick<ConsoleDeps, 'log'>): Middleware<RequestState & { visit?: Visit }> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const problem = toProblem(error);
      const { status, title, advice } = problems[problem.code];
      const { traceId, route, visit } = ctx.state;
      if (status >= 500) log.error({ err: problem.cause ?? error, trace_id: traceId, route }, problem.code);
      ctx.set(problem.headers);
      const said = words[problem.code] ?? { title, detail: problem.detail ?? advice };
      await sendHtml(ctx, status, renderError({ ...said, code: null, traceId, page: null }, visit));
    }
  };
}

function renderError(said: Parameters<typeof Problem>[0], visit: Visit | undefined): string {
  const content = <Problem {...said} />;
  if (visit) return renderDocument({ title: said.title, visit, section: null }, content);
  return renderWhole(<BarePage title={said.title}>{content}</BarePage>);
}

function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const status = (error as { status?: unknown } | null)?.status;
  const isRefusal = typeof status === 'number' && status >= 400 && status < 500;
  return new ProblemError(isRefusal ? (codeByStatus[status] ?? 'malformed_request') : 'internal_error', {
    cause: error,
  });
}
