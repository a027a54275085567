import type { JSX } from 'preact';
import type { Visit } from '../page.ts';
import { showInvisible, Text } from './values.tsx';
import { Facts } from './table.tsx';

/** A resource as the API answers it. */
export function Json({ value, summary = 'As JSON' }: { value: object; summary?: string }): JSX.Element {
  return (
    <details>
      <summary>{summary}</summary>
      <pre>
        <code>{showInvisible(JSON.stringify(value, null, 2))}</code>
      </pre>
    </details>
  );
}

/** What the merchant wrote. A metadata key may be anything, so it is shown as text. */
export function Metadata({ metadata }: { metadata: Record<string, string> }): JSX.Element | null {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return null;
  return (
    <details>
      <summary>Metadata ({entries.length})</summary>
      <Facts
        facts={entries.map(([name, value]) => [
          <Text key="name" value={name} />,
          <Text key="value" value={value} />,
        ])}
      />
    </details>
  );
}

/** Returns the last parts of a page about a resource of this collection: metadata, JSON, and the command that reads it. */
export function asTheApiSays(collection: string) {
  return (resource: { id: string; metadata: Record<string, string> }, { links }: Visit): JSX.Element => (
    <>
      <Metadata metadata={resource.metadata} />
      <Json value={resource} />
      <details class="api-request">
        <summary>As an API request</summary>
        <pre>
          <code>{`curl '${links.apiUrl}/v1/${collection}/${resource.id}' \\\n  -H "Authorization: Bearer $TOKEN"`}</code>
        </pre>
      </details>
    </>
  );
}
