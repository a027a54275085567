import { join } from 'node:path';
import { z } from 'zod';
import { checkDatabaseTls } from './database-tls.ts';
import { parseSecretsKeys, type SecretsKeys } from '#db/encryption.ts';
import { withSecretFiles } from './secret-files.ts';
import { readTemporalConnection } from './temporal-connection.ts';
import type { TemporalConnection } from '#temporal/client/connection.ts';
import type { BlobSettings } from '#blobs/open.ts';
import { taskQueuesOf, type TaskQueues } from '#temporal/queues.ts';

/**
 * The settings of a process, read from the environment once, at start. `docs/settings.md` lists them.
 *
 * Only entry points (`api/server.ts`, `worker/main.ts`, `local/`, `test/`) call {@link readConfig};
 * everything else is handed what it needs.
 */

const flag = z
  .enum(['0', '1', 'true', 'false'])
  .default('0')
  .transform((value) => value === '1' || value === 'true');

/** How many proxies stand before us, each of which adds the address that it saw to `X-Forwarded-For`. */
const hops = z
  .string()
  .regex(/^(?:true|false|\d|1\d)$/, 'must be how many proxies stand before it: 0 to 19 (`true` is 1)')
  .default('0')
  .transform((value) => (value === 'true' || value === 'false' ? Number(value === 'true') : Number(value)));

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

/** The keys of secrets at rest: one key, or several with ids, the first of which encrypts. */
const secretsKey = z.string().transform((value, context) => {
  const keys = parseSecretsKeys(value);
  if (keys) return keys;
  const message = 'must be 32 bytes in base64, or several of them with ids: id:base64,id:base64';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** Web origins as browsers send them (RFC 6454 §6.2), comma-separated; no pattern, since any is too wide for money. */
const origins = z
  .string()
  .transform((value) => value.split(',').map((origin) => origin.trim()))
  .refine(
    (values) =>
      values.every(
        (value) => /^https?:[^*]+$/.test(value) && URL.canParse(value) && new URL(value).origin === value,
      ),
    'must be origins such as https://shop.example, comma-separated',
  );

/** Which kinds of work a worker process takes. */
const workerQueues = z
  .string()
  .transform((value) => value.split(',').map((queue) => queue.trim()))
  .pipe(z.array(z.enum(['charges', 'operations', 'deliveries'])).min(1));

const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: integer(0, 65535).default(3000),
  /** How the outside reaches the API; the base of Location, problem types and the issuer. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DATABASE_POOL: integer(1, 500).default(20),
  /** These are read, with the files that they name, by `startup/temporal-connection.ts`. */
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_TLS: z.string().optional(),
  TEMPORAL_TLS_CA: z.string().optional(),
  TEMPORAL_TLS_CERT: z.string().optional(),
  TEMPORAL_TLS_KEY: z.string().optional(),
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  TEMPORAL_API_KEY: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().min(1).default('payments'),
  TEMPORAL_TASK_QUEUE: z.string().min(1).default('payments'),
  WORKER_QUEUES: workerQueues.default(['charges', 'operations', 'deliveries']),
  PROCESSOR_URL: z.url({ protocol: /^https?$/ }),
  /** Shared with the processor: it signs its notifications with it. */
  PROCESSOR_SECRET: z.string().min(16),
  /** The secrets that sign its notifications, if they differ: two during a rotation. */
  PROCESSOR_NOTIFICATION_SECRETS: z
    .string()
    .transform((value) => value.split(',').map((secret) => secret.trim()))
    .refine(
      (secrets) => secrets.length <= 2 && secrets.every((secret) => secret.length >= 16),
      'must be one or two secrets of at least 16 characters, comma-separated',
    )
    .optional(),
  /** Plain http to the processor or the issuer beyond this machine, inside a network that is trusted. */
  ALLOW_PLAIN_HTTP: flag,
  SECRETS_KEY: secretsKey,
  /** Trust an outside issuer instead of our own; then the audience is required too. */
  AUTH_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  AUTH_AUDIENCE: z.string().min(1).optional(),
  SYNC_WINDOW_MS: integer(100, 60_000).default(10_000),
  IDEMPOTENCY_RETENTION_MS: integer(1, 30 * 86_400_000).default(86_400_000),
  RATE_LIMIT_RPS: integer(1, 1_000_000).default(100),
  RATE_LIMIT_BURST: integer(1, 1_000_000).default(200),
  CLIENT_RATE_LIMIT_RPS: integer(1, 1_000_000).default(20),
  CLIENT_RATE_LIMIT_BURST: integer(1, 1_000_000).default(100),
  AUTH_FAILURES_PER_MINUTE: integer(1, 1_000_000).default(60),
  MAX_READS_IN_FLIGHT: integer(1, 100_000).default(200),
  MAX_WRITES_IN_FLIGHT: integer(1, 100_000).default(1024),
  MAX_DOWNLOADS_IN_FLIGHT: integer(1, 100_000).default(64),
  MAX_STRANGERS_IN_FLIGHT: integer(1, 100_000).default(64),
  MAX_BODY_MIB: integer(16, 1024).default(64),
  CALLER_SHARE_PERCENT: integer(1, 100).default(50),
  MAX_CONNECTIONS: integer(1, 100_000).default(8192),
  MAX_CONNECTIONS_PER_ADDRESS: integer(1, 100_000).default(512),
  WRITE_QUEUE_MS: integer(10, 60_000).default(100),
  BATCH_CONCURRENCY: integer(1, 256).default(16),
  OPERATIONS_PER_ACCOUNT: integer(1, 1_000).default(2),
  MAX_OPEN_OPERATIONS: integer(1, 100_000).default(100),
  WEBHOOKS_ALLOW_LOOPBACK: flag,
  WEBHOOK_TIMEOUT_MS: integer(100, 30_000).default(15_000),
  WEBHOOK_LINGER_MS: integer(0, 600_000).default(30_000),
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  TRUST_PROXY: hops,
  CORS_ORIGINS: origins.default([]),
  /** OpenTelemetry's own name; what else it has (headers, sampler) its SDK reads itself. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  SHUTDOWN_DRAIN_MS: integer(0, 300_000).default(0),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: integer(0, 65535).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LOCAL_DIR: z.string().default('.local'),
  /** Where results are kept; API and worker must see the same. (Default: `blobs` in LOCAL_DIR) */
  BLOB_DIR: z.string().optional(),
  /** With it, results are kept in an S3-compatible store. */
  BLOB_S3_BUCKET: z.string().min(3).optional(),
  BLOB_S3_REGION: z.string().min(1).default('us-east-1'),
  /** The address of a store that is not Amazon's. */
  BLOB_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  BLOB_S3_PREFIX: z
    .string()
    .regex(/^([A-Za-z0-9_-]+\/)*$/, 'must be folder names, each followed by /')
    .default(''),
  BLOB_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  BLOB_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
});

const loopbackHosts = new Set(['127.0.0.1', '::1', 'localhost']);

/** Returns whether requests to this URL are encrypted, or stay on this machine. */
function isPrivate(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return true;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || loopbackHosts.has(hostname.replace(/^\[|\]$/g, ''));
}

const httpsNeeded =
  'must be https beyond this machine; ALLOW_PLAIN_HTTP=1 takes http in a network that you trust';

const coherent = environment
  .refine((env) => env.ALLOW_PLAIN_HTTP || isPrivate(env.PROCESSOR_URL), {
    path: ['PROCESSOR_URL'],
    message: httpsNeeded,
  })
  .refine((env) => env.ALLOW_PLAIN_HTTP || isPrivate(env.AUTH_ISSUER), {
    path: ['AUTH_ISSUER'],
    message: httpsNeeded,
  })
  .refine((env) => Boolean(env.TLS_CERT) === Boolean(env.TLS_KEY), {
    path: ['TLS_KEY'],
    message: 'TLS_CERT and TLS_KEY go together',
  })
  .refine((env) => loopbackHosts.has(env.HOST) || env.TLS_CERT !== undefined || env.TRUST_PROXY > 0, {
    path: ['HOST'],
    message: 'listening beyond loopback needs TLS_CERT and TLS_KEY, or TRUST_PROXY behind a TLS proxy',
  })
  .refine((env) => Boolean(env.BLOB_S3_ACCESS_KEY_ID) === Boolean(env.BLOB_S3_SECRET_ACCESS_KEY), {
    path: ['BLOB_S3_SECRET_ACCESS_KEY'],
    message: 'BLOB_S3_ACCESS_KEY_ID and BLOB_S3_SECRET_ACCESS_KEY go together',
  })
  .refine((env) => !env.AUTH_ISSUER || env.AUTH_AUDIENCE !== undefined, {
    path: ['AUTH_AUDIENCE'],
    message: 'is required with AUTH_ISSUER',
  });

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
  processor: {
    url: string;
    /** Authenticates us to it. */
    secret: string;
    /** Any of them signs its notifications. */
    notificationSecrets: string[];
  };
  secretsKey: SecretsKeys;
  auth: { issuer: string; audience: string; external: boolean };
  /** How long a caller waits for an outcome before it is answered without one. */
  syncWindowMs: number;
  /** How long an answered Idempotency-Key is kept at least. (Default: 24 h) */
  idempotencyRetentionMs: number;
  rateLimit: { requestsPerSecond: number; burst: number };
  /** The requests that one client may send to `/oauth2/*`. */
  clientRateLimit: { requestsPerSecond: number; burst: number };
  /** How often a remote address may fail to authenticate, at once and a minute. */
  authFailuresPerMinute: number;
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

/** Settings that cannot be used; the message names every fault, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @throws {ConfigError} naming every fault at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  // An empty variable is an unset one: compose files and shells write `X=` for "not set".
  const { env: complete, faults } = withSecretFiles(env);
  const given = Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== ''));
  const parsed = coherent.safeParse(given);
  const connection = readTemporalConnection(given, faults);
  checkDatabaseTls(given['DATABASE_URL'], faults);
  if (!parsed.success || faults.length > 0) {
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
  const settings = parsed.data;
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
      taskQueues: taskQueuesOf(settings.TEMPORAL_TASK_QUEUE),
    },
    workerQueues: settings.WORKER_QUEUES,
    processor: {
      url: settings.PROCESSOR_URL.replace(/\/$/, ''),
      secret: settings.PROCESSOR_SECRET,
      notificationSecrets: settings.PROCESSOR_NOTIFICATION_SECRETS ?? [settings.PROCESSOR_SECRET],
    },
    secretsKey: settings.SECRETS_KEY,
    auth: {
      issuer: settings.AUTH_ISSUER ?? publicUrl,
      audience: settings.AUTH_AUDIENCE ?? publicUrl,
      external: settings.AUTH_ISSUER !== undefined,
    },
    syncWindowMs: settings.SYNC_WINDOW_MS,
    idempotencyRetentionMs: settings.IDEMPOTENCY_RETENTION_MS,
    rateLimit: { requestsPerSecond: settings.RATE_LIMIT_RPS, burst: settings.RATE_LIMIT_BURST },
    clientRateLimit: {
      requestsPerSecond: settings.CLIENT_RATE_LIMIT_RPS,
      burst: settings.CLIENT_RATE_LIMIT_BURST,
    },
    authFailuresPerMinute: settings.AUTH_FAILURES_PER_MINUTE,
    load: {
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
    },
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

/** `null`: results are kept in a folder. */
function readS3(settings: z.output<typeof environment>): BlobSettings['s3'] {
  const { BLOB_S3_BUCKET: bucket, BLOB_S3_REGION: region, BLOB_S3_PREFIX: prefix } = settings;
  if (bucket === undefined) return null;
  const { BLOB_S3_ACCESS_KEY_ID: accessKeyId, BLOB_S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null;
  return { bucket, region, prefix, credentials, endpoint: settings.BLOB_S3_ENDPOINT ?? null };
}

/** Returns where the API listens, as a URL; an IPv6 address stands in brackets there (RFC 3986 §3.2.2). */
function buildListenUrl({ HOST, PORT, TLS_CERT }: z.output<typeof environment>): string {
  const scheme = TLS_CERT === undefined ? 'http' : 'https';
  return `${scheme}://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
}
