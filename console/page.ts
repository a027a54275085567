import type { JSX } from 'preact';
import type { z } from 'zod';
import type { Payments } from '#client/src/index.ts';
import type { IdKind } from '#domain/ids.ts';
import type { Role } from '#domain/roles.ts';
import type { Scope } from '#domain/scopes.ts';
import type { Context } from '#http/context.ts';

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
  /** What it is called among the lists of its section. (Default: it is no tab) */
  tab?: string;
  /** The kind of ids that lead to it. (Default: none) */
  shows?: IdKind;
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

export function defineRegion<Data>(region: Region<Data>): Region<Data> {
  return region;
}

/** A request that is neither a page nor an action: a search, a download. It writes the answer itself, or shows a page. */
export interface Handler {
  method: 'GET' | 'POST';
  /** A template such as `/operations/{id}/result`. */
  path: string;
  /** `null`: a session is enough. */
  scope: Scope | null;
  /**
   * @param form the fields of a POST; empty for a GET.
   * @param show answers with a page of the console.
   */
  handle(ctx: Context, visit: Visit, form: URLSearchParams, show: ShowPage): Promise<void>;
}

/** @param title the `h1`, and the first part of the document's title. */
export type ShowPage = (title: string, content: JSX.Element) => Promise<void>;

/**
 * A write that a person makes: a form, a preview that says in words what will happen, and one call of the API. The frame
 * (`serving/actions.tsx`) gives each preview an Idempotency-Key, so that a double click, a reload and "back" are one write.
 */
export interface Action<Data = unknown, Values = unknown> {
  /** A template such as `/payments/{id}/refund`. */
  path: string;
  section: Section | null;
  scope: Scope;
  title(visit: Visit): string;
  /** Reads what the form needs. @throws as a region's `load` */
  load(visit: Visit): Promise<Data>;
  /**
   * The fields, in their present state. `null`: there is nothing to fill in, and the preview comes first.
   *
   * @param values what was typed so far, or the query of the address at first.
   * @param faults what is wrong with each field, by its name.
   */
  fields(data: Data, values: FormValues, visit: Visit, faults: Faults): JSX.Element | null;
  /** Over the form's strings, by what was loaded if it must be. Its messages are shown at the fields of their paths. */
  values: z.ZodType<Values> | ((data: Data) => z.ZodType<Values>);
  preview(data: Data, values: Values, visit: Visit): Preview;
  /** Where to go after the answer, or what to show once. `call` is what was sent. */
  done(answer: unknown, visit: Visit, call: ApiCall): Done;
}

export type FormValues = Readonly<Record<string, string>>;

export type Faults = Readonly<Record<string, string>>;

export interface Preview {
  /** What will happen, in words. */
  sentences: string[];
  call: ApiCall;
  /** The text of the button, such as `Refund 5.00 EUR`. */
  submit: string;
}

/** The call that the preview shows, and that is sent. */
export interface ApiCall {
  method: 'POST' | 'PATCH' | 'DELETE';
  /** Starts with `/v1/` or `/operator/`. */
  path: string;
  body?: Record<string, unknown>;
  /** The entity tag that the change is based on. */
  ifMatch?: string;
}

export type Done =
  | { location: string }
  /** `value` is shown on this answer and never again; `next` is where the link below it leads. */
  | { secret: { label: string; value: string; next: string } };

// oxlint-disable-next-line typescript/no-explicit-any -- each action has data and values of its own
export type AnyAction = Action<any, any>;
