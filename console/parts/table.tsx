import type { ComponentChildren, JSX } from 'preact';

export interface Row {
  /** Unique in its table, such as an id. */
  key: string;
  /** The page of the row, to which its first cell leads. (Default: none) */
  href?: string | undefined;
  cells: readonly ComponentChildren[];
}

interface TableProps {
  /** What the rows are, for those who cannot see the table. */
  caption: string;
  head: readonly string[];
  rows: readonly Row[];
  /** What is shown instead of no rows. */
  empty: ComponentChildren;
  /** Names the rows, such as `payments`: new ones wait behind "3 new payments" in a live region. */
  grows?: string;
}

/** A table whose first cell heads its row. It scrolls by itself where it is wider than the page. */
export function Table({ caption, head, rows, empty, grows }: TableProps): JSX.Element {
  if (rows.length === 0) return <div class="empty">{empty}</div>;
  return (
    // Who has no mouse scrolls it by the keyboard.
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table data-grows={grows}>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, href, cells: [first, ...others] }) => (
            <tr key={key} data-key={grows && key}>
              <th scope="row">{href === undefined ? first : <a href={href}>{first}</a>}</th>
              {others.map((cell, index) => (
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

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
