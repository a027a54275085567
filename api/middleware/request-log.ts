import { setTimeout as sleep } from 'node:timers/promises';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { NewRequest, RequestError } from '#db/access/requests.ts';
import { Batcher } from '#db/batcher.ts';
import { isDatabaseAway, isTimeLimit } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { findIdInPath } from '#domain/ids.ts';
import { LineShares } from '#http/line-shares.ts';
import type { Context, RequestState } from '../http/context.ts';

/**
 * The log of requests that merchants read. It costs a request nothing but a place in a queue: rows are inserted together,
 * beside the requests, so a crash loses those of the last second.
 *
 * Writes have a queue of their own, and are kept until Postgres takes them. Who is refused has a share of the rows. What is
 * beyond it is counted: one row a minute stands for all that were refused alike.
 */

/** How long rows wait for further ones, and for Postgres if it is away, in milliseconds. */
const insertEveryMs = 1_000;

/** Rows of one statement. */
const rowsAtOnce = 1_000;

/** Rows that may wait. Later ones are dropped. Each write has cost its account a token, so writes are few. */
const mostWaiting = { writes: 50_000, refusals: 5_000 };

/** The rows of refusals, each for one request: of those alike, so that one kind hides no other, and of one account. */
const shareOfAlike = { atOnce: 50, perSecond: 0.5 };
const shareOfAccount = { atOnce: 500, perSecond: 2 };

/** How long refusals beyond the share are counted before they are a row, in milliseconds. */
const countForMs = 60_000;

/** Rows that are counted at once, of one account and of all. Others are dropped. */
const mostCounted = { ofOne: 50, ofAll: 5_000 };

export interface RequestLogOptions {
  insert(requests: readonly NewRequest[]): Promise<void>;
  log: Pick<Logger, 'warn'>;
  /** Is told how many requests are missing. */
  onDropped?: ((count: number) => void) | undefined;
}

export class RequestLog {
  readonly #options: RequestLogOptions;
  readonly #alike = new LineShares(shareOfAlike);
  readonly #ofAccount = new LineShares(shareOfAccount);
  readonly #writes = this.#createQueue();
  readonly #refusals = this.#createQueue();
  /** Rows by what they stand for. */
  readonly #counted = new Map<string, NewRequest>();
  readonly #countedOf = new Map<string, number>();
  readonly #closing = new AbortController();

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  /** Takes a request, counts it, or drops it if too many wait. Never throws. */
  add(request: NewRequest): void {
    if (!isRefusal(request)) this.#queue('writes', request);
    else if (this.#takeShare(request)) this.#queue('refusals', request);
    else this.#count(request);
  }

  /** Inserts what waits and what is counted. Drops it if Postgres does not take it now. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const alike of this.#counted.keys()) this.#endCount(alike);
    await Promise.all([this.#writes.close(), this.#refusals.close()]);
  }

  #createQueue(): Batcher<NewRequest> {
    // One at a time: a slow database meets no second statement. Rows that come meanwhile wait for the next.
    return new Batcher({
      most: rowsAtOnce,
      every: insertEveryMs,
      atOnce: 1,
      run: (rows) => this.#insert(rows),
    });
  }

  #queue(kind: keyof typeof mostWaiting, request: NewRequest): void {
    const queue = kind === 'writes' ? this.#writes : this.#refusals;
    if (queue.size >= mostWaiting[kind]) this.#options.onDropped?.(request.count);
    else void queue.add(request);
  }

  #takeShare(request: NewRequest): boolean {
    return this.#alike.take(toKind(request)) !== null && this.#ofAccount.take(request.accountId) !== null;
  }

  #count(request: NewRequest): void {
    const { accountId } = request;
    const alike = toKind(request);
    const counted = this.#counted.get(alike);
    if (counted) {
      counted.count += request.count;
      return;
    }
    const ofOne = this.#countedOf.get(accountId) ?? 0;
    if (ofOne >= mostCounted.ofOne || this.#counted.size >= mostCounted.ofAll)
      return this.#options.onDropped?.(request.count);
    this.#countedOf.set(accountId, ofOne + 1);
    this.#counted.set(alike, { ...request });
    setTimeout(() => this.#endCount(alike), countForMs).unref();
  }

  /** Has a row that was counted for long enough wait with the others. */
  #endCount(alike: string): void {
    const row = this.#counted.get(alike);
    if (!row) return;
    this.#counted.delete(alike);
    const left = (this.#countedOf.get(row.accountId) ?? 0) - 1;
    if (left > 0) this.#countedOf.set(row.accountId, left);
    else this.#countedOf.delete(row.accountId);
    this.#queue('refusals', row);
  }

  /** Inserts the rows. Tries again while Postgres is away: an insert of the same rows again changes nothing. */
  async #insert(rows: readonly NewRequest[]): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      try {
        return await this.#options.insert(rows);
      } catch (error) {
        this.#options.log.warn(
          { rows: rows.length, error: String(error) },
          'the log of requests cannot be written',
        );
        const mayPass = isDatabaseAway(error) || isTimeLimit(error);
        if (!mayPass || signal.aborted)
          return this.#options.onDropped?.(rows.reduce((sum, { count }) => sum + count, 0));
        await sleep(insertEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }
}

/** Names the requests that were refused alike. */
function toKind({ accountId, clientId, memberId, method, route, status, code }: NewRequest): string {
  return [accountId, clientId, memberId, method, route, status, code].join(' ');
}

/**
 * Returns whether nothing happened: the request was refused, or its answer was given before. All that may have had an effect
 * is a write, a declined charge and an unknown outcome too.
 */
function isRefusal({ method, status, code, isReplayed }: NewRequest): boolean {
  if (status < 400) return isReplayed;
  const isRead = method === 'GET' || method === 'HEAD';
  const mayHaveEffect = status === 402 || status === 499 || (status >= 500 && code !== 'service_unavailable');
  return isRead || isReplayed || !mayHaveEffect;
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
      count: 1,
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
