import { firstRequests } from './first-requests.ts';
import { groupBy } from './groups.ts';
import type { Exchange } from '../load/journal.ts';
import { agree } from '../releases.ts';

/**
 * Whether what clients saw of one resource goes forward only. An answer with an entity tag shows a version. Versions
 * are numbered by the row, so a register of them is linearizable if nobody sees a version older than one that was seen
 * before the request began, and one version always reads the same.
 */
export interface VersionAnomaly {
  because: 'a read that goes back' | 'a version that reads otherwise' | 'an answer before its cause';
  exchange: Exchange;
  resource: string;
}

interface Sight {
  exchange: Exchange;
  resource: string;
  version: number;
  apiVersion: string;
}

/**
 * Names every exchange that shows a resource as it cannot have been.
 *
 * @param mixesReleases one release may show members that the other lacks.
 */
export function findVersionAnomalies(journal: readonly Exchange[], mixesReleases = false): VersionAnomaly[] {
  const isSame = mixesReleases ? agree : (one: string, other: string) => one === other;
  const sights = groupBy(journal.flatMap(toSight), ({ resource }) => resource);
  const begun = firstRequests(journal);
  return [...sights].flatMap(([resource, own]) => [
    ...goesBack(own),
    ...readsOtherwise(own, isSame),
    ...own
      .filter(({ exchange }) => exchange.at < (begun.get(resource) ?? 0))
      .map(({ exchange }) => ({ because: 'an answer before its cause' as const, exchange, resource })),
  ]);
}

/** `"ch_01….3.2026-11-01"`: the resource, the version of its row, the version of the API. */
function toSight(exchange: Exchange): Sight[] {
  const [, resource, version, apiVersion] =
    /^"([a-z]+_\w+)\.(\d+)\.([\d-]+)"$/.exec(exchange.etag ?? '') ?? [];
  if (!resource || !apiVersion) return [];
  return [{ exchange, resource, version: Number(version), apiVersion }];
}

/** A replay shows what was: it may be old, but later reads may not be older. */
function goesBack(own: readonly Sight[]): VersionAnomaly[] {
  const inTime = own.toSorted((a, b) => a.exchange.at - b.exchange.at);
  const begins = own.toSorted((a, b) => a.exchange.sentAt - b.exchange.sentAt);
  let newest = 0;
  let ended = 0;
  return begins.flatMap(({ exchange, resource, version }): VersionAnomaly[] => {
    for (; inTime[ended] && inTime[ended]!.exchange.at < exchange.sentAt; ended += 1) {
      newest = Math.max(newest, inTime[ended]!.version);
    }
    if (exchange.isReplay || version >= newest) return [];
    return [{ because: 'a read that goes back', exchange, resource }];
  });
}

function readsOtherwise(
  own: readonly Sight[],
  isSame: (one: string, other: string) => boolean,
): VersionAnomaly[] {
  const texts = new Map<string, string>();
  return own.flatMap(({ exchange, resource, version, apiVersion }): VersionAnomaly[] => {
    const name = `${version} ${apiVersion}`;
    const known = texts.get(name);
    const text = withoutSecret(exchange.text);
    if (known === undefined) texts.set(name, text);
    if (known === undefined || isSame(known, text)) return [];
    return [{ because: 'a version that reads otherwise', exchange, resource }];
  });
}

/** A secret is shown once, by the answer that made it. */
function withoutSecret(text: string): string {
  const { secret: _secret, ...shown } = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify(shown);
}
