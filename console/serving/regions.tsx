import { createHash } from 'node:crypto';
import { render } from 'preact-render-to-string';
import { Problem } from '../parts/problem.tsx';
import type { Region, Visit } from '../page.ts';
import { toFailure, type Failure } from './failures.ts';

/** A region, rendered. */
export interface Rendered {
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
export async function renderRegion(region: Region, visit: Visit): Promise<Rendered> {
  try {
    const data = await region.load(visit);
    const title = region.title?.(data) ?? null;
    const html = render(
      <section
        id={region.name}
        data-region={region.name}
        data-live={findLive(region, data)}
        data-title={title ?? undefined}
      >
        {region.view(data, visit)}
      </section>,
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
export function withTag({ html, etag, region }: Rendered): string {
  if (region.live === undefined) return html;
  return html.replace('<section', `<section data-etag="${etag.replaceAll('"', '&quot;')}"`);
}

function findLive(region: Region, data: unknown): Region['live'] {
  return region.isSettled?.(data) ? undefined : region.live;
}

function tagOf(html: string): string {
  return `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
}
