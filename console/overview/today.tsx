import type { JSX } from 'preact';
import type {
  Charge,
  LoggedRequest,
  Operation,
  WebhookDelivery,
  WebhookEndpoint,
} from '#client/src/index.ts';
import { problems } from '#domain/problems.ts';
import { defineRegion, type Page, type Visit } from '../page.ts';
import { overviewTabs } from '../parts/tabs.tsx';
import { money, plain, text, time, words } from '../screens/fields.tsx';
import { showIn } from '../screens/items.tsx';
import { listPart, Records, type Found } from '../screens/lists.tsx';
import { deliveryRows } from '../webhooks/deliveries.tsx';
import { countReasons, describeRate, type Figure } from './overview.tsx';
import { Facts } from '../parts/table.tsx';
import { LinkLine, Status, Text, Time } from '../parts/values.tsx';

/** What somebody should know today: why charges fail, what waits for a person, and what went wrong. Days are in UTC. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The most rows that a call answers. */
const mostRows = 100;

const toIso = (ms: number) => new Date(ms).toISOString();

/** Returns when the day began, in milliseconds since 1970. */
const beginOfDay = (now: Date) => now.getTime() - (now.getTime() % dayMs);

/** Returns when yesterday began: what has failed since then is shown, so that none is lost at midnight. */
const findSince = (now: Date) => toIso(beginOfDay(now) - dayMs);

/** Leads to the list that holds all of it, and says if not all of it was looked through here. */
const allOf =
  (href: string, label: string) =>
  (_visit: Visit, { has_more: hasMore }: Found<unknown>): JSX.Element => (
    <p>
      <a href={href}>{label}</a>
      {hasMore ? '. There are more than were looked through here.' : null}
    </p>
  );

interface Days {
  today: Figure[];
  /** Of yesterday, until the same time of day. */
  yesterday: Figure[];
}

const declinesRegion = defineRegion<Days>({
  name: 'declines',
  main: true,
  live: 'always',
  async load(visit) {
    const [from, to] = [beginOfDay(visit.now), visit.now.getTime()];
    const [today, yesterday] = await Promise.all([
      readFigures(visit, from, to),
      readFigures(visit, from - dayMs, to - dayMs),
    ]);
    return { today, yesterday };
  },
  view: (days, visit) => <Declines days={days} visit={visit} />,
});

/** Returns figures to the minute: those of whole hours by the hour, so that they are few. */
async function readFigures({ api }: Visit, from: number, to: number): Promise<Figure[]> {
  const hour = to - (to % hourMs);
  const parts = [
    { step: '1h', from, to: hour },
    { step: '1m', from: hour, to },
  ] as const;
  const found = await Promise.all(
    parts
      .filter((part) => part.from < part.to)
      .map((part) => api.figures.charges({ ...part, from: toIso(part.from), to: toIso(part.to) })),
  );
  return found.flatMap(({ data }) => data);
}

function Declines({ days: { today, yesterday }, visit }: { days: Days; visit: Visit }): JSX.Element {
  const [now, before] = [new Map(countReasons(today)), new Map(countReasons(yesterday))];
  const reasons = [...new Set([...now.keys(), ...before.keys()])];
  return (
    <>
      {overviewTabs(visit)}
      <h2>Declines and other failures, by reason</h2>
      <Facts
        facts={[
          ['Success rate today', describeRate(today)],
          ['Yesterday by this time', describeRate(yesterday)],
        ]}
      />
      <Records
        found={{ data: reasons }}
        caption="Reasons of charges that failed today, the most frequent first"
        columns={[
          ['Reason', (reason) => reason],
          ['Today', (reason) => now.get(reason) ?? 0],
          ['Yesterday by this time', (reason) => before.get(reason) ?? 0],
        ]}
        rowKey={(reason) => reason}
        none="No charge failed today, and none yesterday by this time."
        visit={visit}
      />
      <LinkLine href={`/payments?status=failed&from=${toIso(beginOfDay(visit.now)).slice(0, 10)}`}>
        Failed today
      </LinkLine>
      <p class="hint">A day begins at 00:00 UTC. New events are counted within about 10 seconds.</p>
    </>
  );
}

/** Authorizations are shown from so long before their end. The longest last 7 days. */
const soonMs = 2 * dayMs;

const capturesRegion = listPart<Charge>({
  name: 'captures',
  live: 'always',
  heading: 'Need a capture within 2 days',
  async read({ api, now }) {
    const middle = toIso(now.getTime() - 5 * dayMs);
    // The oldest end first, and the newest come first in a page: so the old ones have a page of their own.
    const pages = await Promise.all(
      [{ 'created[lt]': middle }, { 'created[gte]': middle }].map((created) =>
        api.charges.list({ status: 'requires_capture', ...created, limit: mostRows }).page(),
      ),
    );
    const findEnd = ({ expires_at: end }: Charge) => Date.parse(end ?? '');
    const soon = pages.flatMap(({ data }) => data).filter((each) => findEnd(each) < now.getTime() + soonMs);
    return {
      data: soon.toSorted((one, other) => findEnd(one) - findEnd(other)),
      has_more: pages.some(({ has_more: hasMore }) => hasMore),
    };
  },
  caption: 'Payments whose authorization ends within 2 days, the first one to end first',
  columns: [
    ['Payment', plain('id')],
    ['Amount', money],
    ['Reference', text('reference')],
    ['Ends', time('expires_at')],
  ],
  href: ({ id }) => `/payments/${id}`,
  none: 'No authorization ends within 2 days.',
  below: allOf('/payments?status=requires_capture', 'All that wait for a capture'),
});

const failedOperations = listPart<Operation>({
  name: 'operations',
  scope: 'operations:read',
  live: 'always',
  heading: 'Operations that failed since yesterday',
  async read({ api, now }) {
    const { data, ...page } = await api.operations.list({ status: 'failed', limit: mostRows }).page();
    return { ...page, data: data.filter(({ updated }) => updated >= findSince(now)) };
  },
  caption: 'Operations that failed since yesterday, newest first',
  columns: [
    ['Operation', words('type')],
    ['Why', ({ error }) => error?.code],
    ['Failed', time('updated')],
  ],
  href: ({ id }) => `/operations/${id}`,
  none: 'No operation failed.',
  below: allOf('/operations?status=failed', 'All that failed'),
});

const deadDeliveries = listPart<WebhookDelivery>({
  name: 'dead',
  scope: 'webhooks:read',
  live: 'always',
  heading: 'Deliveries that were given up',
  read: ({ api }) => api.webhookDeliveries.list({ status: 'dead_letter', limit: 10 }).page(),
  caption: 'Deliveries that were given up, newest first',
  ...deliveryRows,
  none: 'No delivery was given up.',
  below: allOf('/webhooks/deliveries?status=dead_letter', 'All that were given up'),
});

/** Requests with one status of ours. */
interface Failures {
  status: number;
  requests: readonly LoggedRequest[];
  hasMore: boolean;
}

const ownStatuses = [...new Set(Object.values(problems).map(({ status }) => status))].filter(
  (status) => status >= 500,
);

// It is not live: a search of the log by status reads up to 20,000 rows.
const failuresRegion = listPart<Failures>({
  name: 'failures',
  scope: 'requests:read',
  heading: 'Requests that we failed since yesterday',
  async read({ api, now }) {
    const since = { 'created[gte]': findSince(now), limit: mostRows };
    const found = ownStatuses.map(async (status): Promise<Failures> => {
      const { data, has_more: hasMore } = await api.requests.list({ status, ...since }).page();
      return { status, requests: data, hasMore };
    });
    return { data: (await Promise.all(found)).filter(({ requests }) => requests.length > 0) };
  },
  caption: 'Answers of 5xx since yesterday, by their status',
  columns: (visit) => [
    ['Answer', ({ status }) => <Status value={String(status)} tone="bad" />],
    ['Requests', ({ requests, hasMore }) => `${countAll(requests)}${hasMore ? ' or more' : ''}`],
    ['Last code', ({ requests: [last] }) => last?.code],
    ['Last', ({ requests: [last] }) => last && <Time at={last.created} />],
    ['All of them', ({ status }) => <a href={findList(status, visit)}>Requests with {status}</a>],
  ],
  rowKey: ({ status }) => String(status),
  none: 'Every request was answered without a fault of ours.',
});

const countAll = (requests: readonly LoggedRequest[]) => requests.reduce((sum, { count }) => sum + count, 0);

const findList = (status: number, { now }: Visit) =>
  `/requests?${new URLSearchParams({ status: String(status), 'created[gte]': findSince(now) })}`;

/** An endpoint that does not keep up. */
interface Lag {
  endpoint: WebhookEndpoint;
  /** Deliveries that wait for longer than a minute, newest first. */
  waiting: readonly WebhookDelivery[];
}

const lagRegion = listPart<Lag>({
  name: 'lag',
  scope: 'webhooks:read',
  live: 'always',
  heading: 'Endpoints that lag',
  async read({ api, now }) {
    const before = toIso(now.getTime() - minuteMs);
    const [endpoints, open] = await Promise.all([
      api.webhookEndpoints.list({ limit: mostRows }).page(),
      api.webhookDeliveries.list({ status: 'open', 'created[lt]': before, limit: mostRows }).page(),
    ]);
    const all = endpoints.data.map((endpoint) => ({
      endpoint,
      waiting: open.data.filter((each) => each.endpoint === endpoint.id),
    }));
    const late = all.filter(({ endpoint, waiting }) => waiting.length > 0 || endpoint.failing_since !== null);
    return { data: late, has_more: open.has_more };
  },
  caption: 'Endpoints that fail, or that events have waited for longer than a minute',
  columns: [
    ['Endpoint', ({ endpoint: { url } }) => <Text value={url} />],
    ['Waiting', ({ waiting }) => waiting.length],
    ['The oldest since', ({ waiting }) => <Time at={waiting.at(-1)?.created ?? null} />],
    ['Fails since', ({ endpoint: { failing_since: since } }) => <Time at={since} />],
  ],
  rowKey: ({ endpoint }) => endpoint.id,
  href: ({ endpoint }) => `/webhooks/deliveries?endpoint=${endpoint.id}&status=open`,
  none: 'Every endpoint keeps up.',
  below: allOf('/webhooks/deliveries?status=open', 'All deliveries that wait'),
});

const regions = [declinesRegion, capturesRegion, failedOperations, deadDeliveries, failuresRegion, lagRegion];

/** What somebody should know today, on one page. */
export const today: Page = {
  path: '/today',
  tab: 'Today',
  section: 'overview',
  scope: 'charges:read',
  title: () => 'Today',
  regions: (visit) => showIn(visit, regions),
};
