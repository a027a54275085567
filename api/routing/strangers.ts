import { toAddressBlock } from '#http/address-blocks.ts';
import { announcedBytes, readBytes, strangersBodyLimit } from '../http/body.ts';
import { isSingleHeader } from '../http/headers.ts';
import { renderAnswer } from '../http/render.ts';
import { takesBody, type Answer, type ArrivedRequest, type Route } from '../http/route.ts';
import type { LoadShedding, StrangerKind } from '../limits/load-shedding.ts';
import { describeRequest, parseParams, type Admission, type CallerRow, type Visit } from './parts.ts';

/** The longest time in which a stranger sends a body, in milliseconds. The body is small. */
const bodyWithinMs = 5_000;

/** Lets a stranger in, whose address has a share of the places of its kind. Who sends a body takes one afterwards. */
export async function admitStranger(
  kind: StrangerKind,
  { route, load }: { route: Route; load: LoadShedding },
  { ctx, params, leaves }: Visit,
  answer: (request: ArrivedRequest) => Promise<Answer>,
): Promise<Admission> {
  const { bodyLimit = strangersBodyLimit } = route;
  const address = toAddressBlock(ctx.ip, 48);
  const enter = async () => void leaves.push(await load.admit(kind, address));
  if (!takesBody(route) && !route.isAlwaysServed) await enter();
  const request: ArrivedRequest = {
    ...describeRequest(ctx, route),
    params,
    query: new URLSearchParams(ctx.search),
    body: null,
    idempotencyKey: null,
    address: ctx.ip,
    prefers: (types) => ctx.accepts([...types]) || null,
    isSingle: (header) => isSingleHeader(ctx.req, header),
    async readBody() {
      leaves.push(load.reserve('strange', address, announcedBytes(ctx.req, bodyLimit)));
      const bytes = await readBytes(ctx.req, bodyLimit, bodyWithinMs);
      await enter();
      return bytes;
    },
  };
  return {
    name: kind === 'anyone' ? null : `${kind} ${address}`,
    serve: async () => renderAnswer(ctx, await answer(request)),
  };
}

/** A client is known by the form that it sends, or by the head and the form. It is told of errors in OAuth's own format. */
export const serveClient: CallerRow =
  (route, { load, answerClient }) =>
  (visit) =>
    admitStranger('client', { route, load }, visit, (request) =>
      answerClient(request, (client, body) => route.handle({ ...request, client, body })),
    );

/** A processor signs the bytes of its body, which the route itself checks. A buyer whom it sends has a signed path. */
export const serveProcessor: CallerRow =
  (route, { load }) =>
  (visit) =>
    admitStranger('processor', { route, load }, visit, async (request) => {
      const params = parseParams(route, request.params);
      const body = takesBody(route) ? await request.readBody() : Buffer.alloc(0);
      return route.handle({ ...request, params, body });
    });

/** Whoever reads what is public pays from one of two small budgets. */
export const servePublic: CallerRow = (route, { load, budgets }) => {
  const budget = route.tag === 'documents' ? budgets.documents : budgets.issuer;
  return async (visit) => {
    if (!route.isAlwaysServed) await budget.pay(visit.ctx.ip, route.cost);
    return admitStranger('anyone', { route, load }, visit, async (request) =>
      route.handle({ ...request, params: parseParams(route, request.params) }),
    );
  };
};
