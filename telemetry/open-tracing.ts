import type { Tracing } from './tracing.ts';

/** Loads the exporter of spans only if there is a collector. */
export async function openTracing(service: string, endpoint: string | null): Promise<Tracing | null> {
  if (endpoint === null) return null;
  const { startTracing } = await import('./tracing.ts');
  return startTracing(service, endpoint);
}
