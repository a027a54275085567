import type { JSX } from 'preact';
import {
  type IdempotencyKeyState,
  type LoggedRequest,
  NotFoundError,
  ProblemError,
  type RequestQuery,
  type RequestTrace,
} from '#client/src/index.ts';
import { type ProblemCode, problems } from '#domain/problems.ts';
import { defineRegion, type Visit } from '../page.ts';
import { toOptions } from '../parts/form.tsx';
import { facts, type Fields, id, text, time } from '../screens/fields.tsx';
import { itemScreen } from '../screens/items.tsx';
import { type Filters, listScreen, readGiven } from '../screens/lists.tsx';
import { Id, LinkLine, Status, Text, Time } from '../parts/values.tsx';

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

const keyRegion = defineRegion<KeyUses>({
  name: 'key',
  isShown: (visit) => findKey(visit) !== '',
  load: loadUses,
  view: (found) => <KeyView {...found} />,
});

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
      <LinkLine href="/requests">All requests</LinkLine>
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

/** The status of an answer, with a sign for what it means, and how many more were refused alike and have no row. */
function Answer({ request: { status, replayed, count } }: { request: LoggedRequest }): JSX.Element {
  return (
    <>
      <Status value={String(status)} tone={status < 400 ? 'good' : 'bad'} />
      {replayed ? ' replayed' : null}
      {count > 1 ? ` and ${count - 1} more like it within a minute` : null}
    </>
  );
}

/** Leads to the operation in the reference. Its name is not in the log, so the search of the guides finds it. */
function linkOperation({ method, route }: LoggedRequest, { links }: Visit): JSX.Element {
  const query = new URLSearchParams({ q: `${method} ${route}` });
  return <a href={`${links.docs}/search?${query.toString()}`}>{`${method} ${route}`}</a>;
}

/** Says why a request was refused, and what to do about it. */
function Refusal({ request: { code, status }, visit }: { request: LoggedRequest; visit: Visit }) {
  if (code === null) return status < 400 ? null : <p>It was answered without a code.</p>;
  const known = Object.hasOwn(problems, code) ? problems[code as ProblemCode] : null;
  return (
    <div class="problem">
      <p>
        <strong>{known?.title ?? code}</strong>
      </p>
      <p>{known?.advice}</p>
      <LinkLine href={`${visit.links.apiUrl}/problems/${code}`}>{code}</LinkLine>
    </div>
  );
}

function WrongMembers({ errors }: Pick<LoggedRequest, 'errors'>): JSX.Element | null {
  if (errors.length === 0) return null;
  return (
    <>
      <h3>Members that were wrong</h3>
      <ul>
        {errors.map(({ pointer, code }) => (
          <li key={`${pointer} ${code}`}>
            <code>
              <Text value={pointer === '' ? 'the body' : pointer} />
            </code>{' '}
            {code.replaceAll('_', ' ')}
          </li>
        ))}
      </ul>
      <p class="hint">What was sent is not kept. A name that the sender made up reads as *.</p>
    </>
  );
}

/** What became of an Idempotency-Key, in words: done, under way, or never begun. */

type Use = IdempotencyKeyState['uses'][number];

interface KeyUses {
  key: string;
  /** None: the key was not used in the last 24 hours. */
  uses: readonly Use[];
  /** Whether it can be a key at all. */
  isKey: boolean;
}

const findKey = ({ query }: Visit) => query.get('idempotency_key')?.trim() ?? '';

async function loadUses(visit: Visit): Promise<KeyUses> {
  const { api } = visit;
  const key = findKey(visit);
  try {
    const { uses } = await api.idempotencyKeys.get(key);
    return { key, uses, isKey: true };
  } catch (error) {
    if (error instanceof NotFoundError) return { key, uses: [], isKey: true };
    if (error instanceof ProblemError && error.code === 'idempotency_key_invalid')
      return { key, uses: [], isKey: false };
    throw error;
  }
}

function KeyView({ key, uses, isKey }: KeyUses): JSX.Element {
  return (
    <>
      <h2>
        The key <Text value={key} />
      </h2>
      {uses.length > 0 ? (
        <ul>
          {uses.map((use) => (
            <li key={use.endpoint}>
              <KeyUse use={use} />
            </li>
          ))}
        </ul>
      ) : (
        <p>{isKey ? neverBegun : 'No Idempotency-Key can look like this.'}</p>
      )}
    </>
  );
}

const neverBegun =
  'Never begun: no request with this key has been accepted in the last 24 hours. Sending one now has its effect once.';

function KeyUse({ use }: { use: Use }): JSX.Element {
  const id = use.resource?.split('/').at(-1);
  return (
    <>
      <Status
        value={use.status === 'done' ? 'Done' : 'Under way'}
        tone={use.status === 'done' ? 'good' : 'waiting'}
      />
      : <code>{use.endpoint}</code>, first sent <Time at={use.since} />.{' '}
      {use.status === 'done'
        ? 'Sending the same request again repeats its answer.'
        : 'Its answer is not there yet. Sending the same request again waits for it, and has no second effect.'}
      {id === undefined ? null : (
        <>
          {' '}
          It made or changed <Id value={id} />.
        </>
      )}{' '}
      The key is kept until <Time at={use.until} />.
    </>
  );
}
