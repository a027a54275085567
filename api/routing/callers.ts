import { whenSent } from '#http/answers-under-way.ts';
import type { Context } from '../http/context.ts';
import { defaultPageLimit, isPaged, maxPageLimit } from '../http/pagination.ts';
import type { CallerKind, Route } from '../http/route.ts';
import type { LoadShedding } from '../limits/load-shedding.ts';
import { serveAccount } from './account.ts';
import { serveOperator } from './operator.ts';
import type { CallerRow, Parts, Visit } from './parts.ts';
import { servePublic, serveClient, serveProcessor } from './strangers.ts';

/** How each kind of caller is identified, limited, audited and told of errors. `api/openapi/callers.ts` describes the same. */
const callers: Record<CallerKind, CallerRow> = {
  account: serveAccount,
  operator: serveOperator,
  client: serveClient,
  processor: serveProcessor,
  anyone: servePublic,
};

/** Serves the requests of one route. `params` are the parameters of the path, decoded. */
export type Serve = (ctx: Context, params: Record<string, string>) => Promise<void>;

/** Creates the server of a route. */
export function createRouteServer(route: Route, parts: Parts): Serve {
  const admit = callers[route.caller](route, parts);
  const estimate = createEstimate(route);
  return async (ctx, params) => {
    const leaves: Visit['leaves'] = [];
    try {
      const { name, serve } = await admit({ ctx, params, leaves });
      if (name === null) await serve();
      else await serveInRoom(ctx, parts.load, { caller: name, bytes: estimate(ctx) }, serve);
    } finally {
      for (const leave of leaves) leave();
    }
  };
}

/** Room in memory for answers, from before they are read from Postgres until their readers have taken them. */

/** The largest item of a list: 50 values of metadata with 500 characters each, and all else that it shows. */
const itemBytes = 48 * 1024;

/** Returns the function that estimates how large an answer of the route may be, in bytes. */
function createEstimate({ method, query }: Pick<Route, 'method' | 'query'>): (ctx: Context) => number {
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
async function serveInRoom(
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
