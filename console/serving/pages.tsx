import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { render } from 'preact-render-to-string';
import { ProblemError } from '#domain/problems.ts';
import type { Context } from '#http/context.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Page, Region, Visit } from '../page.ts';
import { Problem } from '../parts/problem.tsx';
import { Time, Zone } from '../parts/values.tsx';
import { may } from '../session/session.ts';
import { renderDocument, renderParts, sendHtml } from './documents.tsx';
import { type Failure, toFailure } from './failures.ts';

/** When to come back to an API that did not answer, in seconds. */
const retryAfter = '5';

export type ServePage = (ctx: Context, visit: Visit) => Promise<void>;

/** Serves a page, and each of its regions alone for `?region=`. */
export function createPageServer(
  page: Page,
  deps: Pick<ConsoleDeps, 'log' | 'contact'>,
  news: EventNews,
): ServePage {
  return async (ctx, visit) => {
    const name = visit.query.get('region');
    if (name !== null) return serveRegion(name, ctx, visit);
    const rendered = await Promise.all(page.regions(visit).map((region) => renderRegion(region, visit)));
    for (const each of rendered) logFault(each, visit);
    const status = findStatus(rendered);
    if (status === 404) throw new ProblemError('not_found');
    if (status === 503) ctx.set('Retry-After', retryAfter);
    const shell = {
      title: rendered.find(({ region }) => region.main)?.title ?? page.title(visit),
      visit,
      section: page.section,
      isLive: rendered.some(({ region }) => region.live !== undefined),
    };
    const html = isAway(rendered)
      ? renderDocument(shell, <Away answeredAt={deps.contact.answeredAt} traceId={visit.traceId} />)
      : renderParts(shell, rendered.map(withTag));
    await sendHtml(ctx, status, html);
  };

  async function serveRegion(name: string, ctx: Context, visit: Visit): Promise<void> {
    const region = page.regions(visit).find((each) => each.name === name);
    if (!region) throw new ProblemError('not_found');
    const sequence = region.live === 'events' ? await news.latest(visit) : null;
    if (sequence !== null) ctx.set('Event-Sequence', String(sequence));
    // Nothing has happened in the account since the region was made.
    if (sequence !== null && visit.query.get('seen') === String(sequence)) {
      ctx.status = 304;
      return;
    }
    const rendered = await renderRegion(region, visit);
    logFault(rendered, visit);
    ctx.set('ETag', rendered.etag);
    if (ctx.get('If-None-Match') === rendered.etag) ctx.status = 304;
    else await sendHtml(ctx, rendered.failure?.status ?? 200, rendered.html);
  }

  function logFault({ failure, cause, region }: Rendered, { traceId }: Visit): void {
    if (!failure?.isFault) return;
    deps.log.error({ err: cause, trace_id: traceId, route: page.path, region: region.name }, 'region failed');
  }
}

/** The failure of the main region is that of the page; without one, a page fails if all of it does. */
function findStatus(rendered: readonly Rendered[]): number {
  const main = rendered.find(({ region }) => region.main);
  if (main) return main.failure?.status ?? 200;
  const isWhole = rendered.length > 0 && rendered.every(({ failure }) => failure !== null);
  return isWhole ? (rendered[0]?.failure?.status ?? 200) : 200;
}

/** Whether no region has reached the API. */
function isAway(rendered: readonly Rendered[]): boolean {
  return (
    rendered.length > 0 && rendered.every(({ failure }) => failure?.status === 503 && failure.code === null)
  );
}

function Away({ answeredAt, traceId }: { answeredAt: Date | null; traceId: string }) {
  return (
    <div class="problem" role="alert">
      <p>
        <strong>The API does not answer.</strong> Nothing was changed. Load the page again in a few seconds.
      </p>
      <p>
        {answeredAt === null ? (
          'It has not answered since the console started.'
        ) : (
          <>
            Its last answer came at <Time at={answeredAt} />.
          </>
        )}
      </p>
      <p class="origin">
        trace <code class="id">{traceId}</code>
      </p>
    </div>
  );
}

/** A region, rendered. */
interface Rendered {
  region: Region;
  html: string;
  /** The entity tag of `html`. */
  etag: string;
  /** What it calls the page; `null`: nothing. */
  title: string | null;
  /** `null`: it shows what it should. */
  failure: Failure | null;
  /** What made it fail, if that is a fault of ours. */
  cause: unknown;
}

/** Loads and renders a region. What goes wrong stays within it. @throws {SessionEnded} */
async function renderRegion(region: Region, visit: Visit): Promise<Rendered> {
  try {
    const data = await region.load(visit);
    const title = region.title?.(data) ?? null;
    const html = render(
      <Zone.Provider value={visit.timeZone}>
        <section
          id={region.name}
          data-region={region.name}
          data-live={findLive(region, data)}
          data-title={title ?? undefined}
        >
          {region.view(data, visit)}
        </section>
      </Zone.Provider>,
    );
    return { region, html, etag: tagOf(html), title, failure: null, cause: null };
  } catch (error) {
    const failure = toFailure(error, visit);
    const html = render(
      <section id={region.name} data-region={region.name} data-live={region.live}>
        <Problem {...failure} />
      </section>,
    );
    return { region, html, etag: tagOf(html), title: null, failure, cause: error };
  }
}

/** Returns the region with its tag, by which a browser asks whether it has changed. */
function withTag({ html, etag, region }: Rendered): string {
  if (region.live === undefined) return html;
  return html.replace('<section', `<section data-etag="${etag.replaceAll('"', '&quot;')}"`);
}

function findLive(region: Region, data: unknown): Region['live'] {
  return region.isSettled?.(data) ? undefined : region.live;
}

function tagOf(html: string): string {
  return `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
}

/** How long one answer serves all who look at an account, in milliseconds. */
const sharedMs = 2_000;

/** Accounts that are looked at, at most. */
const maxAccounts = 1_000;

/** Knows whether an account has new events: one question in two seconds, however many pages wait for it. */
export class EventNews {
  readonly #asked = new LRUCache<string, Promise<number | null>>({ max: maxAccounts, ttl: sharedMs });

  /** Returns the sequence of the newest event, 0 without any; `null` if nobody can say now. */
  latest(visit: Visit): Promise<number | null> {
    const { account } = visit.session;
    if (account === null || !may(visit.session, 'events:read')) return Promise.resolve(null);
    const known = this.#asked.get(account.id);
    if (known) return known;
    const asking = visit.api.events
      .list({ limit: 1 })
      .page()
      .then(({ data }) => data[0]?.sequence ?? 0)
      // A region that is rendered once too often shows nothing wrong.
      .catch(() => null);
    this.#asked.set(account.id, asking);
    return asking;
  }
}
