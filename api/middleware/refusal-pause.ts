import { setTimeout as sleep } from 'node:timers/promises';
import type { Middleware } from 'koa';
import type { RequestState } from '../http/context.ts';

/** How long a refused request waits for its answer, in milliseconds. It holds no place meanwhile. */
const pauseMs = 500;

/** The requests that wait at once in this process. Further ones are answered at once: each costs memory. */
const mostPaused = 2_000;

/**
 * Delays each answer 429, and each 503 because of load: a caller that asks again at once gets no more by it, and its
 * refusals take no CPU from others.
 */
export function pauseRefusals(): Middleware<RequestState> {
  let paused = 0;
  return async (ctx, next) => {
    await next();
    const isRefused = ctx.status === 429 || ctx.state.isTurnedAway;
    if (!isRefused || paused >= mostPaused) return;
    paused += 1;
    await sleep(pauseMs, undefined, { ref: false });
    paused -= 1;
  };
}
