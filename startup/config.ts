import { join } from 'node:path';
import { isEncryptedOrLocal } from '#domain/addresses.ts';
import type { TemporalConnection } from '#temporal/client/connection.ts';
import { taskQueues } from '#temporal/queues.ts';
import { checkDatabaseTls } from './database-tls.ts';
import { readSettings, type Rule } from './settings/read.ts';
import { serviceSettings } from './settings/service.ts';
import type { Values } from './settings/setting.ts';
import { readTemporalConnection } from './temporal-connection.ts';
import type { Fault } from './tls-files.ts';

/**
 * The configuration of a process, read from the environment once, at start. `startup/settings/` describes the settings.
 *
 * Only entry points (`api/server.ts`, `worker/main.ts`, `local/`, `test/`) call {@link readConfig};
 * all other code gets the values that it needs.
 */
export type Config = ReturnType<typeof buildConfig>;

type Settings = Values<typeof serviceSettings>;

const loopbackHosts = new Set(['127.0.0.1', '::1', 'localhost']);

/** Returns whether requests to this URL are encrypted, or stay on this machine. */
function isPrivate(url: string | undefined): boolean {
  return url === undefined || isEncryptedOrLocal(url);
}

/** Returns the rule that an address is https beyond this machine. */
function requireHttps(
  name: string,
  pick: (values: Settings) => string | undefined,
): Rule<typeof serviceSettings> {
  return {
    name,
    holds: (values) => values.allowPlainHttp || isPrivate(pick(values)),
    message: 'must be https beyond this machine; ALLOW_PLAIN_HTTP=1 takes http in a network that you trust',
  };
}

const rules: Rule<typeof serviceSettings>[] = [
  requireHttps('PROCESSOR_URL', ({ processor }) => processor.url),
  requireHttps('AUTH_ISSUER', ({ authIssuer }) => authIssuer),
  requireHttps('BLOB_S3_ENDPOINT', ({ results }) => results.endpoint),
  requireHttps('CONSOLE_OIDC_ISSUER', ({ oidcIssuer }) => oidcIssuer),
  {
    name: 'PROCESSOR_SECRET',
    holds: ({ processor }) => processor.url === undefined || processor.secret !== undefined,
    message: 'is required with PROCESSOR_URL',
  },
  {
    name: 'CONSOLE_OIDC_CLIENT_ID',
    holds: ({ oidcIssuer, oidcClientId }) => Boolean(oidcIssuer) === Boolean(oidcClientId),
    message: 'CONSOLE_OIDC_ISSUER and CONSOLE_OIDC_CLIENT_ID go together',
  },
  {
    name: 'TLS_KEY',
    holds: ({ tls }) => Boolean(tls.certFile) === Boolean(tls.keyFile),
    message: 'TLS_CERT and TLS_KEY go together',
  },
  {
    name: 'HOST',
    holds: ({ host, tls, trustProxy }) =>
      loopbackHosts.has(host) || tls.certFile !== undefined || trustProxy > 0,
    message: 'listening beyond loopback needs TLS_CERT and TLS_KEY, or TRUST_PROXY behind a TLS proxy',
  },
  {
    name: 'AUTH_AUDIENCE',
    holds: ({ authIssuer, authAudience }) => !authIssuer || authAudience !== undefined,
    message: 'is required with AUTH_ISSUER',
  },
];

/** Reads the settings. Throws a {@link ConfigError} that names every fault. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  let connection: TemporalConnection = { address: '' };
  const settings = readSettings(env, serviceSettings, rules, (given, faults) => {
    connection = readTemporalConnection(given, faults);
    checkDatabaseTls(given['DATABASE_URL'], faults);
    refuseOtherQueue(given['TEMPORAL_TASK_QUEUE'], faults);
  });
  return buildConfig(settings, connection);
}

/** Refuses what 1.0.0 took: a run stays in the queue that it began in, and would wait there unseen. */
function refuseOtherQueue(queue: string | undefined, faults: Fault[]): void {
  if (queue === undefined || queue === taskQueues.charges) return;
  const message = 'is no setting any more: let workers of 1.0.0 finish the runs of this queue, then unset it';
  faults.push({ name: 'TEMPORAL_TASK_QUEUE', message });
}

/** Builds the parts that are made of several settings. All others go as they are. */
function buildConfig(settings: Settings, connection: TemporalConnection) {
  const {
    temporalConnection: _read,
    consoleUrl,
    authIssuer,
    authAudience,
    oidcIssuer,
    oidcClientId,
    ...rest
  } = settings;
  const { metricsHost, metricsPort, traceEndpoint, results, processor, load, tls, ...plain } = rest;
  const publicUrl = settings.publicUrl ?? buildListenUrl(settings);
  return {
    ...plain,
    publicUrl,
    temporal: {
      ...settings.temporal,
      connection,
      /** Of the console, which runs link to; `null`: they have no link. */
      consoleUrl: consoleUrl ?? null,
    },
    /** The built-in processor; `null`: every account has processors of its own. */
    processor: toBuiltIn(processor),
    auth: {
      issuer: authIssuer ?? publicUrl,
      audience: authAudience ?? publicUrl,
      external: authIssuer !== undefined,
    },
    /** The OIDC provider of the people who sign in to the console, and the console's client there; `null`: none. */
    oidc: oidcIssuer && oidcClientId ? { issuer: oidcIssuer, clientId: oidcClientId } : null,
    load: {
      ...load,
      /** `null`: a proxy opens them all. */
      maxConnectionsPerAddress: settings.trustProxy ? null : load.maxConnectionsPerAddress,
    },
    tls: tls.certFile && tls.keyFile ? { certFile: tls.certFile, keyFile: tls.keyFile } : null,
    traceEndpoint: traceEndpoint ?? null,
    /** Where metrics are served; `null`: nowhere. */
    metrics: metricsPort === undefined ? null : { host: metricsHost, port: metricsPort },
    /** Where results of operations are kept. */
    blobs: { dir: results.dir ?? join(settings.localDir, 'blobs'), s3: toS3(results) },
  };
}

/** The processor at `PROCESSOR_URL`. */
export interface BuiltInProcessor {
  url: string;
  /** Authenticates us to it. */
  secret: string;
  /** Any of them signs its notifications. */
  notificationSecrets: string[];
}

function toBuiltIn({ url, secret, notificationSecrets }: Settings['processor']): BuiltInProcessor | null {
  if (url === undefined || secret === undefined) return null;
  return { url, secret, notificationSecrets: notificationSecrets ?? [secret] };
}

/** Returns `null` if results are kept in a folder. */
function toS3({ bucket, region, prefix, endpoint }: Settings['results']) {
  return bucket === undefined ? null : { bucket, region, prefix, endpoint: endpoint ?? null };
}

/** Returns where the API listens, as a URL; an IPv6 address stands in brackets there (RFC 3986 §3.2.2). */
function buildListenUrl({ host, port, tls }: Settings): string {
  const scheme = tls.certFile === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
