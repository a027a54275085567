import { setTimeout as sleep } from 'node:timers/promises';
import { createAddressGuard } from '#webhooks/address-guard.ts';
import { Waker } from '#webhooks/wake.ts';
import { insertRequests } from '#db/access/requests.ts';
import type { Config } from '#startup/config.ts';
import { openProcess, readConfigOrExit } from '#startup/process.ts';
import { HostedRuns } from '#worker/hosted-runs.ts';
import { HttpMetrics } from '#telemetry/http-metrics.ts';
import { listenForScrapes } from '#telemetry/listener.ts';
import { traceClient } from '#telemetry/temporal-client.ts';
import { createApp } from './app.ts';
import type { ApiDeps } from './http/deps.ts';
import { describeRefusalAt } from './refusal.ts';
import { startHttpServer, stopHttpServer } from '#http/http-server.ts';
import type { Lifecycle } from '#http/lifecycle.ts';
import { openSigningKeys, type SigningKeys } from '#issuer/keys.ts';
import { createOutsideKeys } from '#issuer/outside-issuer.ts';
import { Revocations } from '#issuer/revocations.ts';
import { createListReads } from './limits/list-reads.ts';
import { RequestLog } from './middleware/request-log.ts';
import { createPages } from './http/pagination.ts';
import { ProcessorInbox } from './payments/processor-inbox.ts';
import { createResultLinks } from './http/result-links.ts';
import { TemporalGateway } from '#temporal/client/gateway.ts';
import { endpointStart } from '#temporal/client/starts.ts';
import { createTokenVerifier } from '#issuer/tokens.ts';

/** The API process: serves until it is told to stop, then finishes the requests that it has accepted. */

/** Longer than the sync window, so that no request that waits for an outcome is cut off. In milliseconds. */
const beyondWindowMs = 2_000;

/** How long a wake waits for Temporal, in milliseconds. The sweep repeats a wake that was lost. */
const wakeWithinMs = 5_000;

const config = readConfigOrExit(process.env);
const opened = await openProcess('api', config);
const { log, db, lists, probe, tracing, registry, metrics, processors, blobs } = opened;
const temporal = new TemporalGateway({ ...config.temporal, interceptors: tracing ? [traceClient()] : [] });
const signingKeys = config.auth.external ? null : await openSigningKeys(db, config.secretsKey);
const revocations = new Revocations(db);

/** Wakes endpoints after a commit, without delaying the caller. */
const waker = new Waker({
  db,
  log,
  wake: async (endpointId) => {
    const result = await temporal.wake(endpointStart(endpointId), performance.now() + wakeWithinMs);
    if (result !== 'done') throw new Error(result);
  },
});
const inbox = new ProcessorInbox({ db, log, temporal });
const httpMetrics = registry && new HttpMetrics(registry);
const requestLog = new RequestLog({
  insert: (requests) => insertRequests(db, requests),
  log,
  onDropped: (count) => httpMetrics?.requestsNotLogged(count),
});
const lifecycle: Lifecycle = { isStopping: false };

/** Runs charges and refunds here, from when the API's URL is known. Until it has reached Temporal, workers run them all. */
let runs!: HostedRuns;
const isUp = (withinMs: number) => temporal.isUp(withinMs);

/** Returns the settings with the real port: with `PORT=0` it is known only after listening. */
function withPort(port: number): Config {
  const reach = (url: string) => url.replace(/:0$/, `:${port}`);
  const { issuer, audience, external } = config.auth;
  const auth = { external, issuer: reach(issuer), audience: reach(audience) };
  return { ...config, port, publicUrl: reach(config.publicUrl), auth };
}

function createDeps(served: Config, keys: SigningKeys | null): ApiDeps {
  return {
    config: served,
    db,
    probe,
    log,
    temporal,
    runs,
    signingKeys: keys,
    revocations,
    tokens: createTokenVerifier(served.auth, keys ?? createOutsideKeys(served.auth.issuer), revocations),
    pages: createPages(served.secretsKey, createListReads(served, lists)),
    resultLinks: createResultLinks(served.secretsKey, served.publicUrl),
    blobs,
    processors,
    webhookUrls: createAddressGuard({ allowLoopback: served.webhooksAllowLoopback }),
    lifecycle,
    isTraced: tracing !== null,
    logRequest: served.requestLog ? (request) => requestLog.add(request) : undefined,
    ...(httpMetrics && { metrics: httpMetrics }),
    onAnswer: (status, isTurnedAway) => opened.figures.answered(status, isTurnedAway),
    onProcessorNotification: (notification) => inbox.take(notification),
  };
}

const { server, port } = await startHttpServer(
  { ...config, longestWaitMs: config.syncWindowMs },
  (listeningOn) => {
    const served = withPort(listeningOn);
    runs = new HostedRuns({ config: served, log, db, processors, metrics, tracing, isUp });
    return {
      listener: createApp(createDeps(served, signingKeys)).callback(),
      describeRefusal: describeRefusalAt(served.publicUrl),
    };
  },
  lifecycle,
);
const readSdkMetrics = () => runs.readSdkMetrics();
const scrapes =
  config.metrics && registry && (await listenForScrapes(config.metrics, registry, readSdkMetrics));
log.info({ port, ...(scrapes && { metrics: scrapes.port }) }, 'listening');
process.send?.({ ready: true, port });

let stopping = false;

async function stop(reason: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ reason }, 'stopping');
  lifecycle.isStopping = true;
  await sleep(config.shutdownDrainMs);
  await stopHttpServer(server, config.syncWindowMs + beyondWindowMs);
  await Promise.all([waker.close(), inbox.close(), runs.close(), requestLog.close()]);
  await Promise.allSettled([scrapes?.close(), temporal.close()]);
  await opened.close();
  log.info('stopped');
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
// Started by the launcher, it does not outlive it.
process.on('disconnect', () => void stop('disconnect'));
