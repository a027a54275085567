import type { JSX } from 'preact';
import type { LoggedRequest, RequestQuery, RequestTrace } from '#client/src/index.ts';
import { problems } from '#domain/problems.ts';
import type { Visit } from '../page.ts';
import { Text } from '../parts/values.tsx';
import { facts, id, text, time, type Fields } from '../screens/fields.tsx';
import { toOptions } from '../parts/form.tsx';
import { itemScreen } from '../screens/items.tsx';
import { listScreen, readGiven, type Filters } from '../screens/lists.tsx';
import { keyRegion } from './key-state.tsx';
import { Answer, linkOperation, Refusal, WrongMembers } from './request-parts.tsx';

/** The log of requests: what the programs and the people of the account asked for in the last 7 days. */

/** The fields of a request in the log. */
export const request = {
  answer: ['Answer', (given) => <Answer request={given} />],
  at: ['Answered', time('created')],
  took: ['Took', ({ duration_ms: ms }) => `${ms} ms`],
  // The person who asked through the console, else the program.
  asker: ['Asked by', ({ member, client }) => <code class="id">{member ?? client}</code>],
  resource: ['Resource', id('resource')],
  key: ['Idempotency-Key', text('idempotency_key')],
  described: ['Described at', linkOperation],
} satisfies Fields<LoggedRequest>;

const filters = {
  idempotency_key: { label: 'Idempotency-Key', maxLength: 255 },
  code: { label: 'Code', options: toOptions(Object.keys(problems), 'Any') },
  status: { label: 'Status', inputMode: 'numeric', maxLength: 3 },
  route: { label: 'Route', maxLength: 200 },
  client: { label: 'Client', maxLength: 40 },
} satisfies Filters<RequestQuery>;

export const requestList = listScreen<LoggedRequest, RequestQuery>({
  path: '/requests',
  scope: 'requests:read',
  title: 'Requests',
  filters,
  linked: ['created[gte]'],
  before: [keyRegion],
  read: ({ api }, query) => api.requests.list(query).page(),
  columns: [
    request.at,
    ['Request', ({ method, route }) => <code>{`${method} ${route}`}</code>],
    request.answer,
    ['Code', ({ code }, { links }) => code && <a href={`${links.apiUrl}/problems/${code}`}>{code}</a>],
    request.asker,
    ['Took', ({ duration_ms: ms }) => `${Math.round(ms)} ms`],
  ],
  href: ({ trace_id: trace }) => `/requests/${trace}`,
  empty: (visit, { has_more: hasMore }) => <NoRequests visit={visit} hasMore={hasMore ?? false} />,
});

function NoRequests({ visit, hasMore }: { visit: Visit; hasMore: boolean }): JSX.Element {
  const given = Object.entries(readGiven(visit, filters));
  if (hasMore) return <p>None of the requests that were looked through. There are older ones.</p>;
  if (given.length === 0)
    return <p>No program and no person has written anything in the last 7 days, and nothing was refused.</p>;
  return (
    <>
      <p>In the last 7 days there is no request with all of these:</p>
      <ul>
        {given.map(([name, value]) => (
          <li key={name}>
            {name.replace('_', ' ')} <Text value={value} />
          </li>
        ))}
      </ul>
      <p>
        <a href="/requests">All requests</a>
      </p>
    </>
  );
}

/** What one trace id did: nearly always one request. */
export const requestPage = itemScreen<RequestTrace>({
  path: '/requests/{trace_id}',
  scope: 'requests:read',
  title: ({ params }) => `Request ${params['trace_id']?.slice(0, 8)}…`,
  name: 'request',
  load: ({ api, params }) => api.requests.get(params['trace_id'] ?? ''),
  parts: [
    ({ trace_id: trace }) => (
      <p>
        <a href="/requests">All requests</a> · trace <code class="id">{trace}</code>{' '}
        <span class="copy" data-copy={trace} />
      </p>
    ),
    ({ requests }, visit) =>
      requests.map((each) => (
        <article key={each.id}>
          <h2>
            <code>{`${each.method} ${each.path}`}</code>
          </h2>
          <Refusal request={each} visit={visit} />
          {showRequest(each, visit)}
          <WrongMembers errors={each.errors} />
        </article>
      )),
  ],
});

const showRequest = facts<LoggedRequest>(request);
