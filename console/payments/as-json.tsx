import type { JSX } from 'preact';
import type { Visit } from '../page.ts';
import { showInvisible } from '../parts/text.tsx';

/** A resource as the API answers it. */
export function AsJson({ value }: { value: object }): JSX.Element {
  return (
    <details>
      <summary>As JSON</summary>
      <pre>
        <code>{showInvisible(JSON.stringify(value, null, 2))}</code>
      </pre>
    </details>
  );
}

/** The command that reads what a page shows. */
export function ReadRequest({ path, visit }: { path: string; visit: Visit }): JSX.Element {
  return (
    <details class="api-request">
      <summary>As an API request</summary>
      <pre>
        <code>{`curl '${visit.links.apiUrl}${path}' \\\n  -H "Authorization: Bearer $TOKEN"`}</code>
      </pre>
    </details>
  );
}
