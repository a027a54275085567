import type { JSX } from 'preact';
import type { LoggedRequest } from '#client/src/index.ts';
import { problems, type ProblemCode } from '#domain/problems.ts';
import type { Visit } from '../page.ts';
import { Status, Text } from '../parts/values.tsx';

/** The status of an answer, with a sign for what it means, and how many more were refused alike and have no row. */
export function Answer({ request: { status, replayed, count } }: { request: LoggedRequest }): JSX.Element {
  return (
    <>
      <Status value={String(status)} tone={status < 400 ? 'good' : 'bad'} />
      {replayed ? ' replayed' : null}
      {count > 1 ? ` and ${count - 1} more like it within a minute` : null}
    </>
  );
}

/** Leads to the operation in the reference. Its name is not in the log, so the search of the guides finds it. */
export function linkOperation({ method, route }: LoggedRequest, { links }: Visit): JSX.Element {
  const query = new URLSearchParams({ q: `${method} ${route}` });
  return <a href={`${links.docs}/search?${query.toString()}`}>{`${method} ${route}`}</a>;
}

/** Says why a request was refused, and what to do about it. */
export function Refusal({ request: { code, status }, visit }: { request: LoggedRequest; visit: Visit }) {
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

export function WrongMembers({ errors }: Pick<LoggedRequest, 'errors'>): JSX.Element | null {
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
