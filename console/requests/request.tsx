import type { JSX } from 'preact';
import type { LoggedRequest, RequestTrace } from '#client/src/index.ts';
import { problems, type ProblemCode } from '#domain/problems.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Id } from '../parts/id.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { Answer, Asker } from './requests.tsx';

/** What one trace id did: nearly always one request. */

export const requestPage = definePage({
  path: '/requests/{trace_id}',
  section: 'requests',
  scope: 'requests:read',
  title: ({ params }) => `Request ${params['trace_id']?.slice(0, 8)}…`,
  regions: () => [traceRegion],
});

const traceRegion = defineRegion<RequestTrace>({
  name: 'request',
  main: true,
  load: ({ api, params }) => api.requests.get(params['trace_id'] ?? ''),
  view: ({ requests, trace_id: traceId }, visit) => (
    <>
      <p>
        <a href="/requests">All requests</a> · trace <code class="id">{traceId}</code>{' '}
        <span class="copy" data-copy={traceId} />
      </p>
      {requests.map((request) => (
        <RequestView key={request.id} request={request} visit={visit} />
      ))}
    </>
  ),
});

function RequestView({ request, visit }: { request: LoggedRequest; visit: Visit }): JSX.Element {
  const { method, path, resource, idempotency_key: key } = request;
  return (
    <article>
      <h2>
        <code>{`${method} ${path}`}</code>
      </h2>
      <Refusal request={request} visit={visit} />
      <Facts
        facts={[
          ['Answer', <Answer key="answer" request={request} />],
          ['Answered', <Time key="at" at={request.created} />],
          ['Took', `${request.duration_ms} ms`],
          ['Asked by', <Asker key="asker" request={request} />],
          ['Resource', resource && <Id key="resource" value={resource} />],
          ['Idempotency-Key', key && <Text key="key" value={key} />],
          ['Described at', <OperationLink key="docs" request={request} visit={visit} />],
        ]}
      />
      <WrongMembers errors={request.errors} />
    </article>
  );
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
      <p>
        <a href={`${visit.links.apiUrl}/problems/${code}`}>{code}</a>
      </p>
    </div>
  );
}

/** Leads to the operation in the reference. Its name is not in the log, so the search of the guides finds it. */
function OperationLink({ request: { method, route }, visit }: { request: LoggedRequest; visit: Visit }) {
  const query = new URLSearchParams({ q: `${method} ${route}` });
  return <a href={`${visit.links.docs}/search?${query.toString()}`}>{`${method} ${route}`}</a>;
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
