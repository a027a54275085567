import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '#local/stack.ts';
import { placeBundle } from '../../support/bundle.ts';
import { eventually } from '../../support/eventually.ts';
import { connectTo, type Environment } from '../../support/stack/environment.ts';
import { startPrometheus, type Prometheus } from '../../support/stack/outside/prometheus.ts';

/** A stack of its own, since faults leave their traces. A real Prometheus reads its metrics by the product's rules. */
export interface AlertStack {
  env: Environment;
  prometheus: Prometheus;
  stop(): Promise<void>;
}

/** @param targets URLs of metrics that processes will serve beside those of the stack, by the name of their job. */
export async function startAlertStack(
  program: string,
  targets: Record<string, string[]>,
): Promise<AlertStack> {
  const localDir = mkdtempSync(join(tmpdir(), 'payments-alerts-'));
  await placeBundle(localDir);
  const stack = await startStack({ localDir, restart: false, log: () => undefined });
  const env = await connectTo(stack);
  const prometheus = await startPrometheus(program, 'deploy/prometheus/alerts.yml', {
    'payments-api': [stack.metricsUrls.api, ...(targets['payments-api'] ?? [])],
    'payments-worker': [stack.metricsUrls.worker, ...(targets['payments-worker'] ?? [])],
  });
  return {
    env,
    prometheus,
    async stop() {
      await prometheus.stop();
      await env.stop();
      await stack.stop();
      rmSync(localDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The fault fires these alerts, which did not fire before. */
export async function assertFires(
  prometheus: Prometheus,
  alerts: readonly string[],
  fault: () => Promise<unknown>,
): Promise<void> {
  await untilNoneFires(prometheus, alerts);
  const since = Date.now();
  await fault();
  await eventually(`${alerts.join(' and ')} fired`, async () => {
    const fired = await prometheus.firedSince(since);
    return alerts.every((alert) => fired.has(alert));
  });
}

/** Waits until none of these alerts fires. */
export function untilNoneFires(prometheus: Prometheus, alerts: readonly string[]): Promise<unknown> {
  return eventually(`none of ${alerts.join(', ')} fires`, async () => {
    const firing = await prometheus.firing();
    return alerts.every((alert) => !firing.has(alert));
  });
}
