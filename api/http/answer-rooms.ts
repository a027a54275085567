import { whenSent } from '#http/answers-under-way.ts';
import type { LoadShedding } from '../limits/load-shedding.ts';
import type { Context } from './context.ts';
import { defaultPageLimit, isPaged, maxPageLimit } from './pagination.ts';
import type { RawRoute } from './raw-route.ts';
import type { Route } from './route.ts';

/** Room in memory for answers, from before they are read from Postgres until their readers have taken them. */

/** The largest item of a list: 50 values of metadata with 500 characters each, and all else that it shows. */
const itemBytes = 48 * 1024;

/** Returns the function that estimates how large an answer of the route may be, in bytes. */
export function createEstimate({
  method,
  query,
}: Pick<Route, 'method' | 'query'> | RawRoute): (ctx: Context) => number {
  // The answer to a write is counted when it exists. Meanwhile it may wait for an outcome, and holds nothing.
  if (method !== 'GET') return () => 0;
  if (!query || !isPaged(query)) return () => itemBytes;
  return (ctx) => {
    const asked = ctx.query['limit'];
    const limit = asked === undefined ? defaultPageLimit : Number(asked);
    return itemBytes * (limit >= 1 && limit <= maxPageLimit ? limit : 1);
  };
}

/**
 * Has a request served while there is room for its answer. The room is released when the answer was sent.
 *
 * @throws {TurnedAway} `service_unavailable`: the request had no effect.
 */
export async function serveInRoom(
  ctx: Context,
  load: LoadShedding,
  { caller, bytes }: { caller: string; bytes: number },
  serve: () => Promise<unknown>,
): Promise<void> {
  const room = await load.reserveAnswer(caller, bytes);
  whenSent(ctx.req, ctx.res, () => room.release());
  try {
    await serve();
  } finally {
    room.resize(ctx.response.length ?? 0);
  }
}
