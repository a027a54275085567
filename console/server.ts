import { setTimeout as sleep } from 'node:timers/promises';
import { startHttpServer, stopHttpServer, type Listener } from '#http/http-server.ts';
import type { Lifecycle } from '#http/lifecycle.ts';
import { HttpMetrics } from '#telemetry/http-metrics.ts';
import { listenForScrapes } from '#telemetry/listener.ts';
import { createLogger, logWarnings } from '#telemetry/log.ts';
import { openTracing } from '#telemetry/open-tracing.ts';
import { createRegistry } from '#telemetry/process-metrics.ts';
import { createConsole } from './app.ts';
import { ConfigError } from '#startup/settings/read.ts';
import { readConsoleConfig, type ConsoleConfig } from './config.ts';
import { Sealing } from './sealing.ts';
import { createSignIn } from './session/sign-in.ts';

/** The console's process: serves until it is told to stop, then finishes the requests that it has accepted. */

const maxConnections = 1_024;

function readConfigOrExit(): ConsoleConfig {
  try {
    // oxlint-disable-next-line node/no-process-env -- the one place of this process that reads it
    return readConsoleConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

/** Answers bytes that are not HTTP; no browser sends any. */
const describeRefusal: Listener['describeRefusal'] = ({ code, detail }) => ({
  status: code === 'request_timeout' ? 408 : 400,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body: `${detail ?? 'The request did not arrive in time.'}\n`,
});

const config = readConfigOrExit();
/** Two attempts of a call, with the pause between them. */
const longestWaitMs = 2 * config.apiTimeoutMs + 2_000;
const log = createLogger('console', config.logLevel);
logWarnings(log);
const tracing = await openTracing('payments-console', config.traceEndpoint);
const registry = config.metrics && createRegistry();
const lifecycle: Lifecycle = { isStopping: false };

const { server, port } = await startHttpServer(
  {
    host: config.host,
    port: config.port,
    tls: null,
    longestWaitMs,
    load: { maxConnections, maxConnectionsPerAddress: null },
  },
  (listeningOn) => {
    // With CONSOLE_PORT=0 the port is known only after listening.
    const served = { ...config, consoleUrl: config.consoleUrl.replace(/:0$/, `:${listeningOn}`) };
    const sealing = new Sealing(config.keys);
    const app = createConsole({
      config: served,
      log,
      sealing,
      signIn: createSignIn({ config: served, sealing, log }),
      contact: { answeredAt: null },
      lifecycle,
      isTraced: tracing !== null,
      ...(registry && { metrics: new HttpMetrics(registry) }),
    });
    return { listener: app.callback(), describeRefusal };
  },
  lifecycle,
);
const scrapes = config.metrics && registry && (await listenForScrapes(config.metrics, registry));
log.info({ port, ...(scrapes && { metrics: scrapes.port }) }, 'listening');
process.send?.({ ready: true, port });

let stopping = false;

async function stop(reason: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ reason }, 'stopping');
  lifecycle.isStopping = true;
  await sleep(config.shutdownDrainMs);
  await stopHttpServer(server, longestWaitMs);
  await Promise.allSettled([scrapes?.close(), tracing?.close()]);
  log.info('stopped');
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
// Started by the launcher, it does not outlive it.
process.on('disconnect', () => void stop('disconnect'));
