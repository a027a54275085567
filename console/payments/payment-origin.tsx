import type { LoggedRequest } from '#client/src/index.ts';
import { idTime, isId } from '#domain/ids.ts';
import type { Visit } from '../page.ts';
import { request } from '../operations/requests.tsx';
import { listPart, type Found } from '../screens/lists.tsx';

/** The request that made the payment of the page, with its Idempotency-Key and its trace id. */
export const paymentOrigin = listPart<LoggedRequest>({
  name: 'origin',
  scope: 'requests:read',
  live: 'events',
  isSettled: ({ data }) => data.length > 0,
  heading: 'The request that made it',
  read: findOrigin,
  caption: 'The request that made this payment',
  columns: [
    ['Trace id', ({ trace_id: trace }) => <code class="id">{trace}</code>],
    request.key,
    request.answer,
    request.asker,
    request.at,
  ],
  href: ({ trace_id: trace }) => `/requests/${trace}`,
  none: 'The request log does not have it: it keeps 7 days, and no rows of a batch.',
});

/** How long after the charge began its request is looked for: most are answered in a second, all in a minute. */
const spansMs = [2_000, 65_000];

/** Finds the request by its time: the log has no filter for what a request made. */
async function findOrigin({ api, id }: Visit): Promise<Found<LoggedRequest>> {
  const began = isId('charge', id) ? idTime(id) : 0;
  for (const ms of began === 0 ? [] : spansMs) {
    const [from, to] = [began, began + ms].map((at) => new Date(at).toISOString());
    const range = { 'created[gte]': from!, 'created[lt]': to! };
    const { data } = await api.requests.list({ route: '/v1/charges', ...range, limit: 100 }).page();
    // The first one made it; the others repeated its key.
    const found = data.findLast(({ resource }) => resource === id);
    if (found) return { data: [found] };
  }
  return { data: [] };
}
