import type { JSX } from 'preact';
import type { ApiCall } from '../action.ts';
import { showInvisible } from './text.tsx';

/** The call as a command, printed from the value that is sent. */
export function ApiRequest({ call, apiUrl, idempotencyKey }: ApiRequestProps): JSX.Element {
  return (
    <details class="api-request">
      <summary>As an API request</summary>
      <pre>
        <code>{showInvisible(toCommand(call, apiUrl, idempotencyKey))}</code>
      </pre>
    </details>
  );
}

interface ApiRequestProps {
  call: ApiCall;
  apiUrl: string;
  idempotencyKey: string;
}

function toCommand({ method, path, body, ifMatch }: ApiCall, apiUrl: string, key: string): string {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = [
    'Authorization: Bearer $TOKEN',
    ...(method === 'POST' ? [`Idempotency-Key: ${key}`] : []),
    ...(ifMatch === undefined ? [] : [`If-Match: ${ifMatch}`]),
    ...(body === undefined ? [] : [`Content-Type: ${type}`]),
  ];
  return [
    `curl -X ${method} ${quote(apiUrl + path)}`,
    ...headers.map((header) => `-H ${header.includes('$TOKEN') ? `"${header}"` : quote(header)}`),
    ...(body === undefined ? [] : [`-d ${quote(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** For a POSIX shell: within single quotes nothing but their own end has a meaning. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
