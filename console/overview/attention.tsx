import type { Charge, LoggedRequest, Operation, WebhookEndpoint } from '#client/src/index.ts';
import { money, plain, status, text, time, timeOrDash, words } from '../screens/fields.tsx';
import { listPart } from '../screens/lists.tsx';

/** What may need somebody: each list is short, and leads to the page about it. */

const rowsAtMost = 10;

/** From this age on a pending charge is shown: most end in a second. */
const pendingForMs = 60_000;

/** Charges that nobody knows the outcome of, for more than a minute. */
export const pendingRegion = listPart<Charge>({
  name: 'pending',
  live: 'always',
  heading: 'Pending for more than a minute',
  read({ api, now }) {
    const before = new Date(now.getTime() - pendingForMs).toISOString();
    return api.charges.list({ status: 'pending', 'created[lt]': before, limit: rowsAtMost }).page();
  },
  caption: 'Charges that are pending for more than a minute, newest first',
  columns: [
    ['Charge', plain('id')],
    ['Amount', money],
    ['Made', time('created')],
  ],
  href: ({ id }) => `/payments/${id}`,
  none: 'No charge waits for its outcome.',
});

/** Endpoints that do not take their events. */
export const failingRegion = listPart<WebhookEndpoint>({
  name: 'endpoints',
  scope: 'webhooks:read',
  live: 'always',
  heading: 'Endpoints that fail',
  async read({ api }) {
    const { data } = await api.webhookEndpoints.list({ limit: 100 }).page();
    const isFailing = ({ failing_since: since, disabled_reason: reason }: WebhookEndpoint) =>
      since !== null || reason === 'failing';
    return { data: data.filter(isFailing) };
  },
  caption: 'Webhook endpoints that fail',
  columns: [
    ['Endpoint', text('url')],
    ['Status', status('status')],
    ['Fails since', timeOrDash('failing_since')],
  ],
  href: ({ id }) => `/webhooks/${id}`,
  none: 'No endpoint fails.',
});

/** Work that is under way. */
export const operationsRegion = listPart<Operation>({
  name: 'operations',
  scope: 'operations:read',
  live: 'always',
  heading: 'Open operations',
  async read({ api }) {
    const { data } = await api.operations.list({ limit: 25 }).page();
    return { data: data.filter(({ done }) => !done) };
  },
  caption: 'Operations that are not done, newest first',
  columns: [
    ['Operation', words('type')],
    ['Status', status('status')],
    ['Began', time('created')],
  ],
  href: ({ id }) => `/operations/${id}`,
  none: 'No operation is under way.',
});

/** Requests that are looked through for refusals. */
const requestsRead = 100;

/** Refusals with one code. */
interface Refusals {
  code: string;
  count: number;
  last: LoggedRequest;
}

/** The last refusals, by their code. */
export const refusalsRegion = listPart<Refusals>({
  name: 'refusals',
  scope: 'requests:read',
  live: 'always',
  heading: 'Last refusals',
  async read({ api }) {
    const { data } = await api.requests.list({ limit: requestsRead }).page();
    return { data: countRefusals(data) };
  },
  caption: 'Refusals among the last 100 requests in the log, the newest first',
  columns: [
    ['Code', plain('code')],
    ['Requests', plain('count')],
    ['Last', ({ last }) => time('created')(last)],
    [
      'What it means',
      ({ code }, { links }) => <a href={`${links.apiUrl}/problems/${code}`}>Read about {code}</a>,
    ],
  ],
  rowKey: ({ code }) => code,
  href: ({ code }) => `/requests?code=${code}`,
  none: `None of the last ${requestsRead} requests was refused.`,
});

/** Puts requests with one code together. The newest code comes first, as the requests do. */
function countRefusals(requests: readonly LoggedRequest[]): Refusals[] {
  const refusals = new Map<string, Refusals>();
  for (const request of requests) {
    const { code } = request;
    if (code === null) continue;
    const known = refusals.get(code);
    if (known) known.count += 1;
    else refusals.set(code, { code, count: 1, last: request });
  }
  return [...refusals.values()].slice(0, rowsAtMost);
}
