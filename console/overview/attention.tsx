import type { Charge, LoggedRequest, Operation, WebhookEndpoint } from '#client/src/index.ts';
import { defineRegion, type Visit } from '../page.ts';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { ShortList } from './short-list.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

/** What may need somebody: each list is short, and leads to the page about it. */

const rowsAtMost = 10;

/** From this age on a pending charge is shown: most end in a second. */
const pendingForMs = 60_000;

/** Charges that nobody knows the outcome of, for more than a minute. */
export const pendingRegion = defineRegion<Charge[]>({
  name: 'pending',
  live: 'always',
  async load({ api, now }) {
    const before = new Date(now.getTime() - pendingForMs).toISOString();
    const { data } = await api.charges
      .list({ status: 'pending', 'created[lt]': before, limit: rowsAtMost })
      .page();
    return data;
  },
  view: (charges) => (
    <>
      <h2>Pending for more than a minute</h2>
      <ShortList
        caption="Charges that are pending for more than a minute, newest first"
        head={['Charge', 'Amount', 'Made']}
        rows={charges.map((charge) => ({
          key: charge.id,
          href: `/payments/${charge.id}`,
          cells: [
            charge.id,
            <Money key="amount" amount={charge.amount} currency={charge.currency} />,
            <Time key="made" at={charge.created} />,
          ],
        }))}
        none="No charge waits for its outcome."
      />
    </>
  ),
});

/** Endpoints that do not take their events. */
export const failingRegion = defineRegion<WebhookEndpoint[]>({
  name: 'endpoints',
  live: 'always',
  async load({ api }) {
    const { data } = await api.webhookEndpoints.list({ limit: 100 }).page();
    return data.filter(
      ({ failing_since: since, disabled_reason: reason }) => since !== null || reason === 'failing',
    );
  },
  view: (endpoints) => (
    <>
      <h2>Endpoints that fail</h2>
      <ShortList
        caption="Webhook endpoints that fail"
        head={['Endpoint', 'Status', 'Fails since']}
        rows={endpoints.map(({ id, url, status, failing_since: since }) => ({
          key: id,
          href: `/webhooks/${id}`,
          cells: [
            <Text key="url" value={url} />,
            <Status key="status" value={status} />,
            <Time key="since" at={since} />,
          ],
        }))}
        none="No endpoint fails."
      />
    </>
  ),
});

/** Work that is under way. */
export const operationsRegion = defineRegion<Operation[]>({
  name: 'operations',
  live: 'always',
  async load({ api }) {
    const { data } = await api.operations.list({ limit: 25 }).page();
    return data.filter(({ done }) => !done);
  },
  view: (operations) => (
    <>
      <h2>Open operations</h2>
      <ShortList
        caption="Operations that are not done, newest first"
        head={['Operation', 'Status', 'Began']}
        rows={operations.map(({ id, type, status, created }) => ({
          key: id,
          href: `/operations/${id}`,
          cells: [
            type.replaceAll('_', ' '),
            <Status key="status" value={status} />,
            <Time key="began" at={created} />,
          ],
        }))}
        none="No operation is under way."
      />
    </>
  ),
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
export const refusalsRegion = defineRegion<Refusals[]>({
  name: 'refusals',
  live: 'always',
  async load({ api }) {
    const { data } = await api.requests.list({ limit: requestsRead }).page();
    return countRefusals(data);
  },
  view: (refusals, { links }: Visit) => (
    <>
      <h2>Last refusals</h2>
      <ShortList
        caption="Refusals among the last 100 requests in the log, the newest first"
        head={['Code', 'Requests', 'Last', 'What it means']}
        rows={refusals.map(({ code, count, last }) => ({
          key: code,
          href: `/requests?code=${code}`,
          cells: [
            code,
            String(count),
            <Time key="last" at={last.created} />,
            <a key="problem" href={`${links.apiUrl}/problems/${code}`}>
              Read about {code}
            </a>,
          ],
        }))}
        none={`None of the last ${requestsRead} requests was refused.`}
      />
    </>
  ),
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
