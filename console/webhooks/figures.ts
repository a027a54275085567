import type { DeliveryFigures } from '#client/src/index.ts';
import type { Visit } from '../page.ts';

/** How attempts went at an endpoint in an hour. */
export type DeliveryFigure = DeliveryFigures['data'][number];

/**
 * Returns the figures of the last 24 hours by the hour, oldest first; `null` if they cannot be read, since what they
 * stand beside is worth more than they are.
 */
export async function readFigures(
  { api }: Visit,
  endpoint?: string,
): Promise<readonly DeliveryFigure[] | null> {
  return api.figures.deliveries(endpoint === undefined ? {} : { endpoint }).then(
    ({ data }) => data,
    () => null,
  );
}

/** How the attempts of 24 hours went. */
export interface Health {
  delivered: number;
  failed: number;
  /** The p95 of the worst hour, in milliseconds. */
  slowestMs: number;
}

/** Returns the health of each endpoint that was tried. */
export function sumFigures(figures: readonly DeliveryFigure[]): ReadonlyMap<string, Health> {
  const found = new Map<string, Health>();
  for (const { endpoint, delivered, failed, latency_ms: latency } of figures) {
    const before = found.get(endpoint) ?? { delivered: 0, failed: 0, slowestMs: 0 };
    found.set(endpoint, {
      delivered: before.delivered + delivered,
      failed: before.failed + failed.count,
      slowestMs: Math.max(before.slowestMs, latency.p95),
    });
  }
  return found;
}

/** Returns `98.3 % of 120`, and `none` without attempts. A single failure never reads as 100 %. */
export function formatSuccess({ delivered, failed }: Pick<Health, 'delivered' | 'failed'>): string {
  const all = delivered + failed;
  if (all === 0) return 'none';
  const share = Math.floor((delivered / all) * 1_000) / 10;
  return `${share} % of ${all}`;
}
