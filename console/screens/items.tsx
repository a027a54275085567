import type { JSX } from 'preact';
import type { Scope } from '#domain/scopes.ts';
import { defineRegion, type AnyRegion, type Page, type Region, type Visit } from '../page.ts';
import { may } from '../session/session.ts';
import type { Part } from './fields.tsx';
import type { AnyVerb } from './verbs.tsx';
import { LinkLine } from '../parts/values.tsx';

/** A page about one thing: its parts in their order, each a function of the record, and further regions below. */
export interface ItemScreen<T> extends Pick<Region<T>, 'live' | 'isSettled'>, Pick<Page, 'path' | 'shows'> {
  scope: Scope;
  title: string | ((visit: Visit) => string);
  /** Of its region. (Default: the title in lower case) */
  name?: string;
  load: (visit: Visit) => PromiseLike<T>;
  /** What the page is called once it has loaded. (Default: `title`) */
  heading?: (record: T) => string;
  parts: readonly Part<T>[];
  regions?: readonly AnyRegion[];
}

export function itemScreen<T>(screen: ItemScreen<T>): Page {
  const { path, shows, scope, title, load, heading, parts, regions = [], ...region } = screen;
  const main = defineRegion<T>({
    name: typeof title === 'string' ? title.toLowerCase() : '',
    ...region,
    main: true,
    load: async (visit) => load(visit),
    ...(heading && { title: heading }),
    view: (record, visit) => <>{parts.map((part) => part(record, visit))}</>,
  });
  return {
    path,
    ...(shows && { shows }),
    section: null,
    scope,
    title: (visit) => (typeof title === 'string' ? title : title(visit)),
    regions: (visit) => showIn(visit, [main, ...regions]),
  };
}

/** Returns the regions that this person may see at this address. */
export function showIn(visit: Visit, regions: readonly AnyRegion[]): readonly AnyRegion[] {
  return regions.filter(
    (each) =>
      [each.scope ?? []].flat().every((needed) => may(visit.session, needed)) &&
      (each.isShown?.(visit) ?? true),
  );
}

/** Links to the list that the record is in. */
export function backTo(href: string, words: string): Part<unknown> {
  return () => <LinkLine href={href}>{words}</LinkLine>;
}

/** Links to what this person may do with the record as it is now. What may not be done is absent. */
export function verbs<T>(all: readonly AnyVerb<NoInfer<T>>[]): Part<T> {
  return (record, visit) => {
    const offered = all.filter((each) => each.isOffered(record, visit));
    if (offered.length === 0) return null;
    return (
      <p class="buttons">
        {offered.map(({ path, label }) => (
          <Button key={path} href={path.replace('{id}', visit.id)} label={label} />
        ))}
      </p>
    );
  };
}

function Button({ href, label }: { href: string; label: string }): JSX.Element {
  return (
    <a class="button" href={href}>
      {label}
    </a>
  );
}

interface StartLinkProps {
  to: AnyVerb<never>;
  visit: Visit;
  /** Fills in its form. */
  query?: Readonly<Record<string, string>>;
}

/** A link to an action that begins something new, for those who may. */
export function StartLink({ to: { path, scope, label }, visit, query }: StartLinkProps): JSX.Element | null {
  if (!may(visit.session, scope)) return null;
  return (
    <p class="buttons">
      <Button href={query ? `${path}?${new URLSearchParams(query)}` : path} label={label} />
    </p>
  );
}
