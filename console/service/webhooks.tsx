import { definePage, defineRegion } from '../page.ts';
import { Pager } from '../parts/pager.tsx';
import { Status } from '../parts/status.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { read, readList, type DeadLetter, type FailingEndpoint, type List } from './operator-api.ts';
import { AccountLink } from './words.tsx';

/** Webhooks that do not arrive, of all accounts. */

export const serviceWebhooksPage = definePage({
  path: '/service/webhooks',
  section: 'service',
  scope: 'operator:read',
  title: () => 'Webhooks that do not arrive',
  regions: () => [endpointsRegion, lettersRegion],
});

/** Endpoints shown; those that have failed for longest come first. */
const endpointsShown = 50;

const endpointsRegion = defineRegion<List<FailingEndpoint>>({
  name: 'endpoints',
  live: 'always',
  load: (visit) =>
    read<List<FailingEndpoint>>(visit, 'webhook-endpoints', {
      account: visit.query.get('account'),
      limit: endpointsShown,
    }),
  view: ({ data }) => (
    <>
      <h2>Endpoints that fail</h2>
      <Table
        caption="Endpoints that fail, the longest first"
        head={[
          'Endpoint',
          'Account',
          'Fails since',
          'Last answer',
          'Events that wait',
          'Probed next',
          'Disabled at',
        ]}
        rows={data.map((one) => ({
          key: one.id,
          cells: [
            <code key="id" class="id">
              {one.id}
            </code>,
            <AccountLink key="account" account={one.account} />,
            <Time key="since" at={one.failing_since} />,
            one.status_code ?? 'no answer',
            one.waiting >= 1_000 ? '1,000 or more' : one.waiting,
            one.parked_until === null ? (
              <Status key="probe" value="retried" tone="waiting" />
            ) : (
              <Time key="probe" at={one.parked_until} />
            ),
            <Time key="disabled" at={one.disabled_at} />,
          ],
        }))}
        empty={<p>No enabled endpoint fails.</p>}
      />
    </>
  ),
});

const lettersRegion = defineRegion<List<DeadLetter>>({
  name: 'dead-letters',
  main: true,
  live: 'always',
  load: (visit) => readList(visit, 'webhook-deliveries', ['account']),
  view: (list, visit) => (
    <>
      <h2>Dead letters</h2>
      <Table
        caption="Dead letters, newest first"
        head={['Delivery', 'Account', 'Event', 'Endpoint', 'Attempts', 'Last attempt']}
        rows={list.data.map((one) => ({
          key: one.id,
          cells: [
            <code key="id" class="id">
              {one.id}
            </code>,
            <AccountLink key="account" account={one.account} />,
            one.type,
            <code key="endpoint" class="id">
              {one.endpoint}
            </code>,
            one.attempts,
            <Time key="ended" at={one.ended} />,
          ],
        }))}
        empty={<p>No dead letter in 30 days.</p>}
        grows="dead letters"
      />
      <p>The merchant can send a dead letter again.</p>
      <Pager visit={visit} cursor={list.next_cursor} />
    </>
  ),
});
