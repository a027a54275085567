import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { NewRequest, RequestError } from '#db/access/requests.ts';
import { newId } from '#db/new-id.ts';
import { findIdInPath } from '#domain/ids.ts';
import type { Context, RequestState } from '../http/context.ts';

/**
 * The log of requests that merchants read. It costs a request nothing but a place in a queue: rows are inserted together,
 * beside the requests. So a crash loses those of the last second, and a database under pressure loses more: the metric
 * counts them, and nothing waits for them.
 */

/** Milliseconds between two inserts. */
const flushEveryMs = 1_000;

/** Rows of one statement. */
const rowsAtOnce = 1_000;

/** Rows that may wait. Later ones are dropped. */
const mostWaiting = 5_000;

export interface RequestLogOptions {
  insert(requests: readonly NewRequest[]): Promise<void>;
  log: Pick<Logger, 'warn'>;
  /** Is told how many rows were dropped. */
  onDropped?: ((count: number) => void) | undefined;
}

export class RequestLog {
  readonly #options: RequestLogOptions;
  #waiting: NewRequest[] = [];
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  /** Takes a row, or drops it if too many wait. Never throws. */
  add(request: NewRequest): void {
    if (this.#waiting.length >= mostWaiting) return this.#options.onDropped?.(1);
    this.#waiting.push(request);
    this.#timer ??= setTimeout(() => void this.#flush(), flushEveryMs).unref();
  }

  /** Inserts what waits. */
  async close(): Promise<void> {
    await this.#flushing;
    await this.#flush();
  }

  #flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    // One at a time: a slow database meets no second statement. Rows that come meanwhile wait for the next.
    this.#flushing ??= this.#insertAll().finally(() => {
      this.#flushing = null;
      this.#timer = null;
      if (this.#waiting.length > 0) this.#timer = setTimeout(() => void this.#flush(), flushEveryMs).unref();
    });
    return this.#flushing;
  }

  async #insertAll(): Promise<void> {
    const { log, onDropped } = this.#options;
    for (let left = this.#waiting.length; left > 0; left -= rowsAtOnce) {
      const rows = this.#waiting.splice(0, Math.min(left, rowsAtOnce));
      try {
        await this.#options.insert(rows);
      } catch (error) {
        onDropped?.(rows.length);
        log.warn({ rows: rows.length, error: String(error) }, 'requests are missing in the log of requests');
      }
    }
  }
}

/** Logs each request of an account that writes, or that was refused. */
export function logRequests(add: (request: NewRequest) => void): Middleware<RequestState> {
  return async (ctx, next) => {
    const since = performance.now();
    await next();
    const { accountId, clientId, memberId, route } = ctx.state;
    if (accountId === null || clientId === null || route === null || !isLogged(ctx)) return;
    const code = ctx.status < 400 ? null : findMember(ctx.body, problemCode);
    add({
      id: newId('request'),
      accountId,
      clientId,
      memberId,
      route,
      traceId: ctx.state.traceId,
      method: ctx.method,
      resourceId: findResource(ctx),
      status: ctx.status,
      code,
      errors: code === 'validation_failed' ? findErrors(ctx.body) : null,
      idempotencyKey: ctx.state.idempotencyKey,
      isReplayed: ctx.response.get('Idempotent-Replayed') === 'true',
      durationMs: Math.round((performance.now() - since) * 10) / 10,
    });
  };
}

function isLogged({ method, status }: Context): boolean {
  return status >= 400 || (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS');
}

const problemCode = /"code":"([a-z_]{1,64})"/;
const refusedCharge = /"charge":"(ch_[0-9A-Z]{26})"/;

/** Returns the id of what was made, or of what the path names, or of the charge that was declined. */
function findResource(ctx: Context): string | null {
  // Nothing else of a path is kept: callers type it.
  const made = findIdInPath(ctx.response.get('Location')) ?? findIdInPath(ctx.path);
  if (made !== null) return made;
  return ctx.status < 400 ? null : findMember(ctx.body, refusedCharge);
}

/** A problem document is short. */
const readBytes = 2_048;

function findMember(body: unknown, member: RegExp): string | null {
  if (!Buffer.isBuffer(body) && typeof body !== 'string') return null;
  const text = typeof body === 'string' ? body.slice(0, readBytes) : body.toString('latin1', 0, readBytes);
  return member.exec(text)?.[1] ?? null;
}

/** Errors of a request that are kept. */
const mostErrors = 10;

/** Returns the members of a body that were wrong, as its problem document names them. */
function findErrors(body: unknown): RequestError[] | null {
  if (!Buffer.isBuffer(body)) return null;
  const { errors } = JSON.parse(body.toString()) as { errors?: readonly RequestError[] };
  return (
    errors?.slice(0, mostErrors).map(({ pointer, code }) => ({ pointer: hideNames(pointer), code })) ?? null
  );
}

/** A name as this API gives them, or the place in a list. */
const plainName = /^(?:[a-z][a-z_]{0,39}|\d{1,6})$/;

/**
 * Replaces the names in a JSON pointer that callers made up by `*`: those of metadata, and those that do not look like a
 * member's name. An e-mail address as a name is personal data too.
 */
function hideNames(pointer: string): string {
  const names = pointer.split('/');
  const hidden = names.map((name, at) =>
    at === 0 || (plainName.test(name) && names[at - 1] !== 'metadata') ? name : '*',
  );
  return hidden.join('/');
}
