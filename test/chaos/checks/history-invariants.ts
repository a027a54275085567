import type { Violation } from '../../support/invariants/violations.ts';
import { toKey } from './evidence.ts';
import { groupBy } from './groups.ts';
import type { Exchange } from '../load/journal.ts';
import { explainKey } from './key-history.ts';
import { findVersionAnomalies } from './version-history.ts';

/** What the check of all histories found, and what it looked at. */
export interface HistoryCheck {
  violations: Violation[];
  keys: number;
  resources: number;
  /** In milliseconds. */
  tookMs: number;
}

/**
 * Decides, for every key and every resource, whether one order of events explains what clients were told.
 *
 * @param mixesReleases one release may show members that the other lacks.
 */
export function checkHistories(journal: readonly Exchange[], mixesReleases = false): HistoryCheck {
  const beganAt = performance.now();
  const keyed = groupBy(
    journal.filter(({ key }) => key !== null),
    toKey,
  );
  const ofKeys = [...keyed].flatMap(([of, exchanges]): Violation[] => {
    const history = explainKey(exchanges);
    if (history.isExplained) return [];
    return [{ invariant: 7, of, what: `${history.because}: ${inShort(history.exchange)}` }];
  });
  const ofVersions = findVersionAnomalies(journal, mixesReleases).map(
    ({ because, exchange, resource }): Violation => ({
      invariant: 7,
      of: resource,
      what: `${because}: ${inShort(exchange)}`,
    }),
  );
  const resources = new Set(journal.flatMap(({ etag }) => etag?.split('.')[0] ?? []));
  return {
    violations: [...ofKeys, ...ofVersions],
    keys: keyed.size,
    resources: resources.size,
    tookMs: performance.now() - beganAt,
  };
}

function inShort({ endpoint, sentAt, at, status, code, etag, text }: Exchange): string {
  const when = `${new Date(sentAt).toISOString()} + ${at - sentAt} ms`;
  return `${endpoint} at ${when} was answered ${status} ${code ?? etag ?? ''} ${text.slice(0, 120)}`;
}
