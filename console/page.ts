import type { JSX } from 'preact';
import type { Payments } from '#client/src/index.ts';
import type { Scope } from '#domain/scopes.ts';
import type { Role } from '#domain/roles.ts';

/** What a screen is made of. `pages.ts` lists them all, so that one test can walk them. */

/** A signed-in person, as the sealed cookie and the API say. */
export interface Session {
  id: string;
  member: { id: string; name: string };
  role: Role;
  /** `null`: an operator, who acts for no account. */
  account: { id: string; name: string } | null;
  scopes: ReadonlySet<Scope>;
}

/** One request of a signed-in person. */
export interface Visit {
  path: string;
  params: Readonly<Record<string, string>>;
  /** The id in the path; empty where there is none. */
  id: string;
  query: URLSearchParams;
  session: Session;
  /** Calls the API with the session's token, and with the trace id of this request. */
  api: Payments;
  traceId: string;
  now: Date;
  /** The zone that the person has chosen for times, such as `Europe/Berlin`. */
  timeZone: string;
  links: Links;
  /** Whether an operator can turn to an account: an outside issuer gives no tokens for that. */
  canReadAccounts: boolean;
  /** Whether a person may belong to several accounts: the operator's provider signs people in. */
  canSwitchAccounts: boolean;
}

/** Where the console's links lead outside of it. No address ends with a slash. */
export interface Links {
  docs: string;
  /** `null`: nobody has said where Temporal's pages are. */
  temporalUi: string | null;
  apiUrl: string;
}

/** A part of a page that is one call: it stands or fails by itself. */
export interface Region<Data = unknown> {
  /** Lower case, unique in its page: the `id` of its section, and the value of `?region=`. */
  name: string;
  /** What a person needs to see it; all of several. (Default: what the page needs) */
  scope?: Scope | readonly Scope[];
  /** Whether the address asks for it. (Default: always) */
  isShown?(visit: Visit): boolean;
  /**
   * Asks the API. What it throws is shown in this region alone.
   *
   * @throws {ProblemError} of the client, {ConnectionError}
   */
  load(visit: Visit): Promise<Data>;
  view(data: Data, visit: Visit): JSX.Element;
  /** What the page is called, if this is its main region and has loaded. (Default: as the page says) */
  title?(data: Data): string;
  /**
   * Whether the region is fetched anew while the page is looked at: `events` only when the account has new events,
   * `always` each time. (Default: never)
   */
  live?: 'events' | 'always';
  /** Whether nothing can change any more, which ends the refreshing. */
  isSettled?(data: Data): boolean;
  /** Its failure is that of the page: `not_found` becomes the page's 404. */
  main?: boolean;
}

export type Section = 'overview' | 'payments' | 'requests' | 'webhooks' | 'operations' | 'service' | 'access';

export interface Page {
  /** A template such as `/payments/{id}`. */
  path: string;
  /** The entry of the navigation that it belongs to. */
  section: Section | null;
  /** What a person needs to see it. `null`: a session is enough. */
  scope: Scope | null;
  /** The `h1`, and the first part of the document's title. */
  title(visit: Visit): string;
  regions(visit: Visit): readonly AnyRegion[];
}

// oxlint-disable-next-line typescript/no-explicit-any -- each region has data of its own
export type AnyRegion = Region<any>;

export function definePage(page: Page): Page {
  return page;
}

export function defineRegion<Data>(region: Region<Data>): Region<Data> {
  return region;
}
