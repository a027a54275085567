import { join } from 'node:path';
import { checkDatabaseTls } from './database-tls.ts';
import { environment, type Settings } from './environment.ts';
import type { ChargeExecution } from '#domain/charges.ts';
import type { SecretsKeys } from '#db/encryption.ts';
import { withSecretFiles } from './secret-files.ts';
import { readTemporalConnection } from './temporal-connection.ts';
import type { TemporalConnection } from '#temporal/client/connection.ts';
import type { BlobSettings } from '#blobs/open.ts';
import { buildTaskQueues, type TaskQueues } from '#temporal/queues.ts';

/**
 * The settings of a process, read from the environment once, at start. `docs/settings.md` lists them.
 *
 * Only entry points (`api/server.ts`, `worker/main.ts`, `local/`, `test/`) call {@link readConfig};
 * all other code gets the values that it needs.
 */

export interface Config {
  host: string;
  port: number;
  publicUrl: string;
  databaseUrl: string;
  /** Connections this process may open. */
  databasePool: number;
  temporal: { connection: TemporalConnection; namespace: string; taskQueues: TaskQueues };
  /** Which kinds of work a worker process takes. (Default: all) */
  workerQueues: (keyof TaskQueues)[];
  /** The built-in processor; `null`: every account has processors of its own. */
  processor: BuiltInProcessor | null;
  secretsKey: SecretsKeys;
  auth: { issuer: string; audience: string; external: boolean };
  /** The OIDC provider of the people who sign in to the console, and the console's client there; `null`: none. */
  oidc: { issuer: string; clientId: string } | null;
  /** Who takes the first steps of a charge, unless its account says so. (Default: its workflow) */
  chargeExecution: ChargeExecution;
  /** Whether the API runs the first steps of charges and refunds. (Default: it does) */
  apiRunsCharges: boolean;
  /** Whether requests are kept for merchants to read. (Default: they are) */
  requestLog: boolean;
  /** How long a caller waits for an outcome before it is answered without one. */
  syncWindowMs: number;
  /** How long an answered Idempotency-Key is kept at least. (Default: 24 h) */
  idempotencyRetentionMs: number;
  rateLimit: { requestsPerSecond: number; burst: number };
  /** The requests that one client may send to `/oauth2/*`. */
  clientRateLimit: { requestsPerSecond: number; burst: number };
  /** How often a remote address may fail to authenticate, at once and a minute. */
  authFailuresPerMinute: number;
  /** Requests that one process serves without a token. */
  publicPagesPerSecond: number;
  load: {
    /** Requests that this process may have under way. */
    maxInFlight: { reads: number; writes: number; downloads: number; strangers: number };
    /** Bytes of bodies that may be in memory, of each kind. */
    maxBodyBytes: number;
    /** The part of all these that one caller may have, from 0 to 1. */
    callerShare: number;
    maxConnections: number;
    /** `null`: a proxy opens them all. */
    maxConnectionsPerAddress: number | null;
    /** How long a write may wait until its workflow begins before fewer are let in. */
    writeQueueMs: number;
    /** How long a read of a list may take, its wait for a turn included. (Default: 900 ms) */
    listReadMs: number;
  };
  /** Calls to the processor that a charge batch has under way at once. (Default: 16) */
  batchConcurrency: number;
  /** Operations of one account that run at once; the others wait. (Default: 2) */
  operationsPerAccount: number;
  /** Operations of one account that are not done, unless it has a number of its own. (Default: 100) */
  maxOpenOperations: number;
  webhooksAllowLoopback: boolean;
  webhooks: {
    /** How long a receiver may take to answer. (Default: 15 s) */
    timeoutMs: number;
    /** How long an endpoint with nothing to deliver stays awake. (Default: 30 s) */
    lingerMs: number;
  };
  tls: { certFile: string; keyFile: string } | null;
  /** Trusted proxies in front of this process; 0: none. */
  trustProxy: number;
  corsOrigins: string[];
  /** How long a process that stops still takes requests, so that the balancer learns of it first. (Default: 0) */
  shutdownDrainMs: number;
  /** The collector that spans are sent to. (Default: none are made) */
  traceEndpoint: string | null;
  /** Where metrics are served. (Default: nowhere) */
  metrics: { host: string; port: number } | null;
  logLevel: string;
  localDir: string;
  /** Where results of operations are kept. */
  blobs: BlobSettings;
}

/** The processor at `PROCESSOR_URL`. */
export interface BuiltInProcessor {
  url: string;
  /** Authenticates us to it. */
  secret: string;
  /** Any of them signs its notifications. */
  notificationSecrets: string[];
}

/** Settings that cannot be used; the message names every fault, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the settings. Throws a {@link ConfigError} that names every fault. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  // An empty variable is an unset one: compose files and shells write `X=` for "not set".
  const { env: complete, faults } = withSecretFiles(env);
  const given = Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  const connection = readTemporalConnection(given, faults);
  checkDatabaseTls(given['DATABASE_URL'], faults);
  if (parsed.success && faults.length === 0) return toConfig(parsed.data, connection);
  const inFiles = new Set(faults.map(({ name }) => name.replace(/_FILE$/, '')));
  const issues = (parsed.error?.issues ?? []).filter((issue) => !inFiles.has(issue.path.join('.')));
  const lines = issues.map((issue) => {
    const name = issue.path.join('.');
    return `  ${name}: ${given[name] === undefined && issue.code !== 'custom' ? 'is required' : issue.message}`;
  });
  lines.push(...faults.map(({ name, message }) => `  ${name}: ${message}`));
  throw new ConfigError(
    `The environment cannot be used (docs/settings.md lists the settings):\n${lines.join('\n')}`,
  );
}

function toConfig(settings: Settings, connection: TemporalConnection): Config {
  const publicUrl = (settings.PUBLIC_URL ?? buildListenUrl(settings)).replace(/\/$/, '');
  return {
    host: settings.HOST,
    port: settings.PORT,
    publicUrl,
    databaseUrl: settings.DATABASE_URL,
    databasePool: settings.DATABASE_POOL,
    temporal: {
      connection,
      namespace: settings.TEMPORAL_NAMESPACE,
      taskQueues: buildTaskQueues(settings.TEMPORAL_TASK_QUEUE),
    },
    workerQueues: settings.WORKER_QUEUES,
    processor: toBuiltIn(settings),
    secretsKey: settings.SECRETS_KEY,
    auth: {
      issuer: settings.AUTH_ISSUER ?? publicUrl,
      audience: settings.AUTH_AUDIENCE ?? publicUrl,
      external: settings.AUTH_ISSUER !== undefined,
    },
    oidc: toOidc(settings),
    chargeExecution: settings.CHARGE_EXECUTION,
    requestLog: settings.REQUEST_LOG,
    apiRunsCharges: settings.API_RUNS_CHARGES,
    syncWindowMs: settings.SYNC_WINDOW_MS,
    idempotencyRetentionMs: settings.IDEMPOTENCY_RETENTION_MS,
    rateLimit: { requestsPerSecond: settings.RATE_LIMIT_RPS, burst: settings.RATE_LIMIT_BURST },
    clientRateLimit: {
      requestsPerSecond: settings.CLIENT_RATE_LIMIT_RPS,
      burst: settings.CLIENT_RATE_LIMIT_BURST,
    },
    authFailuresPerMinute: settings.AUTH_FAILURES_PER_MINUTE,
    publicPagesPerSecond: settings.PUBLIC_PAGES_PER_SECOND,
    load: toLoad(settings),
    batchConcurrency: settings.BATCH_CONCURRENCY,
    operationsPerAccount: settings.OPERATIONS_PER_ACCOUNT,
    maxOpenOperations: settings.MAX_OPEN_OPERATIONS,
    webhooksAllowLoopback: settings.WEBHOOKS_ALLOW_LOOPBACK,
    webhooks: { timeoutMs: settings.WEBHOOK_TIMEOUT_MS, lingerMs: settings.WEBHOOK_LINGER_MS },
    tls:
      settings.TLS_CERT && settings.TLS_KEY
        ? { certFile: settings.TLS_CERT, keyFile: settings.TLS_KEY }
        : null,
    trustProxy: settings.TRUST_PROXY,
    corsOrigins: settings.CORS_ORIGINS,
    shutdownDrainMs: settings.SHUTDOWN_DRAIN_MS,
    traceEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    metrics:
      settings.METRICS_PORT === undefined
        ? null
        : { host: settings.METRICS_HOST, port: settings.METRICS_PORT },
    logLevel: settings.LOG_LEVEL,
    localDir: settings.LOCAL_DIR,
    blobs: { dir: settings.BLOB_DIR ?? join(settings.LOCAL_DIR, 'blobs'), s3: readS3(settings) },
  };
}

function toBuiltIn(settings: Settings): BuiltInProcessor | null {
  const { PROCESSOR_URL: url, PROCESSOR_SECRET: secret } = settings;
  if (url === undefined || secret === undefined) return null;
  const notificationSecrets = settings.PROCESSOR_NOTIFICATION_SECRETS ?? [secret];
  return { url: url.replace(/\/$/, ''), secret, notificationSecrets };
}

function toLoad(settings: Settings): Config['load'] {
  return {
    maxInFlight: {
      reads: settings.MAX_READS_IN_FLIGHT,
      writes: settings.MAX_WRITES_IN_FLIGHT,
      downloads: settings.MAX_DOWNLOADS_IN_FLIGHT,
      strangers: settings.MAX_STRANGERS_IN_FLIGHT,
    },
    maxBodyBytes: settings.MAX_BODY_MIB * 1024 * 1024,
    callerShare: settings.CALLER_SHARE_PERCENT / 100,
    maxConnections: settings.MAX_CONNECTIONS,
    maxConnectionsPerAddress: settings.TRUST_PROXY ? null : settings.MAX_CONNECTIONS_PER_ADDRESS,
    writeQueueMs: settings.WRITE_QUEUE_MS,
    listReadMs: settings.LIST_READ_MS,
  };
}

/** Returns `null` if results are kept in a folder. */
function readS3(settings: Settings): BlobSettings['s3'] {
  const { BLOB_S3_BUCKET: bucket, BLOB_S3_REGION: region, BLOB_S3_PREFIX: prefix } = settings;
  if (bucket === undefined) return null;
  const { BLOB_S3_ACCESS_KEY_ID: accessKeyId, BLOB_S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null;
  return { bucket, region, prefix, credentials, endpoint: settings.BLOB_S3_ENDPOINT ?? null };
}

/** Returns where the API listens, as a URL; an IPv6 address stands in brackets there (RFC 3986 §3.2.2). */
function buildListenUrl({ HOST, PORT, TLS_CERT }: Settings): string {
  const scheme = TLS_CERT === undefined ? 'http' : 'https';
  return `${scheme}://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
}

function toOidc({ CONSOLE_OIDC_ISSUER: issuer, CONSOLE_OIDC_CLIENT_ID: clientId }: Settings): Config['oidc'] {
  return issuer !== undefined && clientId !== undefined ? { issuer, clientId } : null;
}
