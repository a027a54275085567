import { Status, Time } from '../parts/values.tsx';
import { bareId, plain, time, timeOrDash, words } from '../screens/fields.tsx';
import { listPart, listScreen } from '../screens/lists.tsx';
import {
  read,
  type DeadLetter,
  type FailingEndpoint,
  type OpenOperation,
  type QueryTo,
} from './operator-api.ts';
import { accountField, workflowField } from './words.tsx';

const concerns = {
  stuck: 'stuck: no progress for 2 minutes',
  long: 'runs for more than an hour',
  waiting: 'waits for more than 10 minutes',
} as const;

/** Open operations of all accounts. */
export const openOperations = listScreen<OpenOperation, QueryTo<'/operator/operations'>>({
  path: '/service/operations',
  scope: 'operator:read',
  title: 'Open operations',
  linked: ['account', 'older_than'],
  name: 'operations',
  live: 'always',
  read: (visit, query) => read(visit, '/operator/operations', query),
  caption: 'Open operations, oldest first',
  columns: [
    ['Operation', bareId('id')],
    ['What it does', words('type')],
    accountField,
    [
      'Status',
      ({ concern, status }) =>
        concern === null ? <Status value={status} /> : <Status value={concerns[concern]} tone="bad" />,
    ],
    ['Done', ({ completed, total }) => (total === null ? completed : `${completed} of ${total}`)],
    ['Began', time('created')],
    ['Last progress', timeOrDash('progressed')],
    workflowField,
  ],
  empty: <p>No export, batch or replay is open.</p>,
});

/** Webhooks that do not arrive, of all accounts. */
export const lostWebhooks = listScreen<DeadLetter, QueryTo<'/operator/webhook-deliveries'>>({
  path: '/service/webhooks',
  scope: 'operator:read',
  title: 'Webhooks that do not arrive',
  linked: ['account'],
  before: [
    listPart<FailingEndpoint>({
      name: 'endpoints',
      live: 'always',
      heading: 'Endpoints that fail',
      // Those that have failed for longest come first.
      read(visit) {
        const account = visit.query.get('account');
        return read(visit, '/operator/webhook-endpoints', { limit: 50, ...(account && { account }) });
      },
      caption: 'Endpoints that fail, the longest first',
      columns: [
        ['Endpoint', bareId('id')],
        accountField,
        ['Fails since', time('failing_since')],
        ['Last answer', ({ status_code: status }) => status ?? 'no answer'],
        ['Events that wait', ({ waiting }) => (waiting >= 1_000 ? '1,000 or more' : waiting)],
        [
          'Probed next',
          ({ parked_until: until }) =>
            until === null ? <Status value="retried" tone="waiting" /> : <Time at={until} />,
        ],
        ['Disabled at', time('disabled_at')],
      ],
      empty: <p>No enabled endpoint fails.</p>,
    }),
  ],
  name: 'dead-letters',
  live: 'always',
  heading: 'Dead letters',
  read: (visit, query) => read(visit, '/operator/webhook-deliveries', query),
  caption: 'Dead letters, newest first',
  columns: [
    ['Delivery', bareId('id')],
    accountField,
    ['Event', plain('type')],
    ['Endpoint', bareId('endpoint')],
    ['Attempts', plain('attempts')],
    ['Last attempt', time('ended')],
  ],
  empty: <p>No dead letter in 30 days.</p>,
  grows: 'dead letters',
  below: () => <p>The merchant can send a dead letter again.</p>,
});
