import type { ComponentChildren, JSX } from 'preact';

/** Names and what they are, in the order given. A value of `null` or `undefined` is left out with its name. */
export function Facts({
  facts,
}: {
  facts: readonly [name: string, value: ComponentChildren][];
}): JSX.Element {
  const present = facts.filter(([, value]) => value !== null && value !== undefined);
  return (
    <dl class="facts">
      {present.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
