import type { Tracing } from './tracing.ts';

/** Loads what sends spans only where there is somebody to send them to. */
export async function openTracing(service: string, endpoint: string | null): Promise<Tracing | null> {
  if (endpoint === null) return null;
  const { startTracing } = await import('./tracing.ts');
  return startTracing(service, endpoint);
}
