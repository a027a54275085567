import type { ComponentChildren, JSX } from 'preact';
import type { Scope } from '#domain/scopes.ts';
import { toCreatedQuery } from '../parts/span.ts';
import { Table } from '../parts/table.tsx';
import { InputFields, type Input, type Inputs } from '../parts/form.tsx';
import type { Field } from './fields.tsx';
import { showIn } from './items.tsx';
import { type AnyRegion, defineRegion, type Faults, type Page, type Region, type Visit } from '../page.ts';
import { LinkLine } from '../parts/values.tsx';
import { Pager } from '../parts/tabs.tsx';

/** Lists: a page that is columns, filters and a call, and the tables that are parts of other pages. */

/** Rows of a page of a list. */
export const rowsPerPage = 25;

/** A page of a list, as the API answers it. */
export interface Found<T> {
  data: readonly T[];
  has_more?: boolean;
  next_cursor?: string | null;
}

/** How records are rows. */
export interface RecordTable<T, F extends Found<T> = Found<T>> {
  /** What the rows are, for those who cannot see the table. */
  caption: string;
  columns: readonly Field<T>[] | ((visit: Visit, found: F) => readonly Field<T>[]);
  /** Unique in the table. (Default: the id of the record) */
  rowKey?: (record: T) => string;
  /** The page of a record. (Default: none) */
  href?: (record: T) => string | null;
  /** Stands in the place of no rows. (Default: `none`) */
  empty?: ComponentChildren | ((visit: Visit, found: F) => ComponentChildren);
  /** Said in one line instead of no rows, where most lists are empty. */
  none?: string;
  /** As of `Table`. */
  grows?: string;
}

/** Records as a table. */
export function Records<T, F extends Found<T> = Found<T>>(
  props: RecordTable<T, F> & { found: F & Found<T>; visit: Visit },
): JSX.Element {
  const { caption, columns, href, found, visit, empty, grows } = props;
  const rowKey = props.rowKey ?? ((record: T) => (record as { id: string }).id);
  if (props.none !== undefined && found.data.length === 0) return <p class="hint">{props.none}</p>;
  const fields = typeof columns === 'function' ? columns(visit, found) : columns;
  return (
    <Table
      caption={caption}
      head={fields.map(([name]) => name)}
      rows={found.data.map((record) => ({
        key: rowKey(record),
        href: href?.(record) ?? undefined,
        cells: fields.map(([, show]) => show(record, visit)),
      }))}
      empty={typeof empty === 'function' ? empty(visit, found) : empty}
      {...(grows !== undefined && { grows })}
    />
  );
}

/** A region that is a table. */
export interface ListPart<T, F extends Found<T> = Found<T>>
  extends RecordTable<T, F>, Pick<Region<F>, 'name' | 'live' | 'isSettled' | 'isShown' | 'scope' | 'main'> {
  read: (visit: Visit) => PromiseLike<F>;
  /** Its `h2`. */
  heading?: string;
  /** Whether it shows nothing at all without rows. (Default: what `empty` says) */
  isOptional?: boolean;
  /** What stands above the rows, in the region. */
  above?: (visit: Visit, found: F) => ComponentChildren;
  below?: (visit: Visit, found: F) => ComponentChildren;
  /** Where all of them are, if there are more, and its words. */
  more?: readonly [href: string, words: string];
}

/** Makes a table a region of a page. `{id}` in the address of `more` is that of the page. */
export function listPart<T, F extends Found<T> = Found<T>>(part: ListPart<T, F>): Region<F> {
  const { read, heading, isOptional, above, below, more, ...region } = part;
  return defineRegion<F>({
    ...region,
    load: async (visit) => read(visit),
    view: (found, visit) =>
      isOptional && found.data.length === 0 ? (
        <></>
      ) : (
        <>
          {above?.(visit, found)}
          {heading === undefined ? null : <h2>{heading}</h2>}
          <Records {...part} found={found} visit={visit} />
          {more && found.has_more ? (
            <LinkLine href={more[0].replace('{id}', visit.id)}>{more[1]}</LinkLine>
          ) : null}
          {below?.(visit, found)}
        </>
      ),
  });
}

/** The members of a call's query that a person can filter by. `from` and `to` are days, which become its `created`. */
export type Filters<Query> = Readonly<Partial<Record<keyof Query | 'from' | 'to', Input>>>;

/** What an operation of the API takes beside filters. */
type Paged<Query> = Query & { limit: number; starting_after?: string };

export interface ListScreen<T, Query extends object, F extends Found<T>>
  extends Omit<ListPart<T, F>, 'name' | 'caption' | 'read' | 'main' | 'more'>, Pick<Page, 'path' | 'tab'> {
  scope: Scope;
  title: string;
  /** Of its region. (Default: the title in lower case) */
  name?: string;
  /** (Default: the title, and that the newest come first) */
  caption?: string;
  /** Typed by the query of the operation that reads the list. */
  filters?: Filters<Query>;
  /** Members of the query that links of other pages fill in, and that no form has. */
  linked?: readonly (keyof Query & string)[];
  read: (visit: Visit, query: Paged<Query>) => PromiseLike<F>;
  /** What is wrong with the filters of the address. (Default: the API says it) */
  faults?: (visit: Visit) => Faults;
  /** Stands above the filters, in their region, which stays while the list is made anew. */
  top?: (visit: Visit) => ComponentChildren;
  /** Stands beside it, at the right. */
  tools?: (visit: Visit) => ComponentChildren;
  /** What the addresses of the next pages say too. */
  carry?: (found: F) => Readonly<Record<string, string>>;
  /** Regions between the filters and the list. */
  before?: readonly AnyRegion[];
  after?: readonly AnyRegion[];
}

/** Makes a page of a list, with filters, and links to the next pages. */
export function listScreen<T, Query extends object, F extends Found<T> = Found<T>>(
  screen: ListScreen<T, Query, F>,
): Page {
  const { title, tab, scope, ...part } = screen;
  const { path, filters, linked = [], before = [], after = [], read, below, carry } = screen;
  const known = { ...filters, ...Object.fromEntries(linked.map((name) => [name, undefined])) };
  const list = listPart<T, F>({
    name: title.toLowerCase(),
    caption: `${title}, newest first`,
    ...part,
    main: true,
    read: (visit) => read(visit, toQuery<Query>(visit, known)),
    below: (visit, found) => (
      <>
        <Pager visit={visit} cursor={found.next_cursor ?? null} also={carry?.(found) ?? {}} />
        {below?.(visit, found)}
      </>
    ),
  });
  const all = [...(screen.top || filters ? [topRegion(screen)] : []), ...before, list, ...after];
  const page = { path, section: null, scope, title: () => title, ...(tab && { tab }) };
  return { ...page, regions: (visit) => showIn(visit, all) };
}

function topRegion<T, Query extends object, F extends Found<T>>(screen: ListScreen<T, Query, F>): Region {
  const { path, filters, faults, top, tools } = screen;
  return {
    name: 'filters',
    load: () => Promise.resolve(null),
    view: (_none, visit) => (
      <>
        {top || tools ? (
          <div class="heading">
            {top?.(visit)}
            {tools?.(visit)}
          </div>
        ) : null}
        {filters ? (
          <form class="filters" method="get" action={path}>
            <InputFields inputs={filters} values={readGiven(visit, filters)} faults={faults?.(visit) ?? {}} />
            <button type="submit">Filter</button>
          </form>
        ) : null}
      </>
    ),
  };
}

/** Returns the filters of an address that are filled in. A choice that there is not filters nothing. */
export function readGiven({ query }: Visit, filters: Inputs): Record<string, string> {
  const given = Object.entries(filters).map(([name, input]) => {
    const value = query.get(name)?.trim() ?? '';
    const isOffered = input?.options?.some((option) => option.value === value) ?? true;
    return [name, isOffered ? value : ''] as const;
  });
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** Returns the query of the API: the filters that are filled in, and the place in the list. */
function toQuery<Query extends object>(visit: Visit, filters: Inputs): Paged<Query> {
  const { from = '', to = '', ...given } = readGiven(visit, filters);
  return { ...given, ...toCreatedQuery({ from, to }), ...toPage(visit) } as Paged<Query>;
}

/** Returns the place in a list that the address names. */
export function toPage({ query }: Visit): { limit: number; starting_after?: string } {
  const cursor = query.get('cursor');
  return { limit: rowsPerPage, ...(cursor !== null && { starting_after: cursor }) };
}
