import { createServer, type AddressInfo } from 'node:net';
import { Runtime, type TelemetryOptions } from '@temporalio/worker';
import type { Logger } from 'pino';

/**
 * Installs the SDK's runtime beneath the workers: it logs through our logger, leaves signals to us, and with metrics it
 * serves its own on a loopback port.
 *
 * @returns a function that reads the text of the SDK's metrics, for each scrape; `null` without metrics.
 */
export async function installRuntime(
  log: Logger,
  withMetrics: boolean,
): Promise<(() => Promise<string>) | null> {
  if (!withMetrics) {
    install(log);
    return null;
  }
  const address = `127.0.0.1:${await findFreePort()}`;
  install(log, { metrics: { prometheus: { bindAddress: address, useSecondsForDurations: true } } });
  return () => readText(`http://${address}/metrics`);
}

function install(log: Logger, telemetryOptions: TelemetryOptions = {}): void {
  Runtime.install({
    shutdownSignals: [],
    telemetryOptions,
    logger: {
      log: (level, message, meta) => log[toPino(level)](meta ?? {}, message),
      trace: (message, meta) => log.trace(meta ?? {}, message),
      debug: (message, meta) => log.debug(meta ?? {}, message),
      info: (message, meta) => log.info(meta ?? {}, message),
      warn: (message, meta) => log.warn(meta ?? {}, message),
      error: (message, meta) => log.error(meta ?? {}, message),
    },
  });
}

function toPino(level: string): 'trace' | 'debug' | 'info' | 'warn' | 'error' {
  return level.toLowerCase() as 'info';
}

/** Finds a free port: the SDK needs a number, and cannot report one that it chose. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns nothing if the SDK's metrics cannot be read: ours are served all the same. */
async function readText(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return answer.ok ? await answer.text() : '';
  } catch {
    return '';
  }
}
