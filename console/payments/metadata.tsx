import type { JSX } from 'preact';
import { Text } from '../parts/text.tsx';

/** What the merchant wrote. A metadata key may be anything, so it is shown as text. */
export function Metadata({ metadata }: { metadata: Record<string, string> }): JSX.Element | null {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return null;
  return (
    <details>
      <summary>Metadata ({entries.length})</summary>
      <dl class="facts">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>
              <Text value={name} />
            </dt>
            <dd>
              <Text value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
