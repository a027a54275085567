import type { ComponentChildren, JSX } from 'preact';

export type Fact = readonly [name: ComponentChildren, value: ComponentChildren];

/** Names and what they are, in the order given. A value of `null` or `undefined` is left out with its name. */
export function Facts({ facts }: { facts: readonly Fact[] }): JSX.Element {
  const present = facts.filter(([, value]) => value !== null && value !== undefined);
  return (
    <dl class="facts">
      {present.map(([name, value], at) => (
        <div key={at}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
