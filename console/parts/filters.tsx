import type { ComponentChildren, JSX } from 'preact';

/**
 * A form of filters, which become the query of the address: a view can be bookmarked.
 *
 * @param action the path of the list.
 */
export function Filters({ action, children }: { action: string; children: ComponentChildren }): JSX.Element {
  return (
    <form class="filters" method="get" action={action}>
      {children}
      <button type="submit">Filter</button>
    </form>
  );
}
