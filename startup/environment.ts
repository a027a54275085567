import { z } from 'zod';
import { parseSecretsKeys } from '#db/encryption.ts';
import { isEncryptedOrLocal } from '#domain/addresses.ts';
import { chargeExecutions } from '#domain/charges.ts';

/** The settings in the environment: forms, defaults and bounds. `config.ts` builds the configuration from them. */

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

const settings = z.object({
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
  /** Unset: every account has processors of its own. */
  PROCESSOR_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Shared with the processor: it signs its notifications with it. */
  PROCESSOR_SECRET: z.string().min(16).optional(),
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
  /** The provider that signs people in to the console, and the console's client there. */
  CONSOLE_OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  CONSOLE_OIDC_CLIENT_ID: z.string().min(1).optional(),
  /** Who takes the first steps of a charge, unless its account says so. */
  CHARGE_EXECUTION: z
    .enum(chargeExecutions, `must be one of: ${chargeExecutions.join(', ')}`)
    .default('workflow'),
  /** Whether the API runs the first steps of charges and refunds, or workers run them all. */
  API_RUNS_CHARGES: flag.default(true),
  /** Whether merchants can read what they asked for. */
  REQUEST_LOG: flag.default(true),
  SYNC_WINDOW_MS: integer(100, 60_000).default(10_000),
  IDEMPOTENCY_RETENTION_MS: integer(1, 30 * 86_400_000).default(86_400_000),
  RATE_LIMIT_RPS: integer(1, 1_000_000).default(100),
  RATE_LIMIT_BURST: integer(1, 1_000_000).default(200),
  CLIENT_RATE_LIMIT_RPS: integer(1, 1_000_000).default(20),
  CLIENT_RATE_LIMIT_BURST: integer(1, 1_000_000).default(100),
  AUTH_FAILURES_PER_MINUTE: integer(1, 1_000_000).default(60),
  PUBLIC_PAGES_PER_SECOND: integer(1, 1_000_000).default(100),
  MAX_READS_IN_FLIGHT: integer(1, 100_000).default(200),
  MAX_WRITES_IN_FLIGHT: integer(1, 100_000).default(1024),
  MAX_DOWNLOADS_IN_FLIGHT: integer(1, 100_000).default(64),
  MAX_STRANGERS_IN_FLIGHT: integer(1, 100_000).default(64),
  MAX_BODY_MIB: integer(16, 1024).default(64),
  CALLER_SHARE_PERCENT: integer(1, 100).default(50),
  MAX_CONNECTIONS: integer(1, 100_000).default(8192),
  MAX_CONNECTIONS_PER_ADDRESS: integer(1, 100_000).default(512),
  WRITE_QUEUE_MS: integer(10, 60_000).default(100),
  LIST_READ_MS: integer(100, 14_000).default(900),
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
  return url === undefined || !URL.canParse(url) || isEncryptedOrLocal(url);
}

const httpsNeeded =
  'must be https beyond this machine; ALLOW_PLAIN_HTTP=1 takes http in a network that you trust';

/** The schema of the environment, with the rules between settings. */
export const environment = settings
  .refine((env) => env.ALLOW_PLAIN_HTTP || isPrivate(env.PROCESSOR_URL), {
    path: ['PROCESSOR_URL'],
    message: httpsNeeded,
  })
  .refine((env) => env.PROCESSOR_URL === undefined || env.PROCESSOR_SECRET !== undefined, {
    path: ['PROCESSOR_SECRET'],
    message: 'is required with PROCESSOR_URL',
  })
  .refine((env) => env.ALLOW_PLAIN_HTTP || isPrivate(env.AUTH_ISSUER), {
    path: ['AUTH_ISSUER'],
    message: httpsNeeded,
  })
  .refine((env) => env.ALLOW_PLAIN_HTTP || isPrivate(env.BLOB_S3_ENDPOINT), {
    path: ['BLOB_S3_ENDPOINT'],
    message: httpsNeeded,
  })
  .refine((env) => env.ALLOW_PLAIN_HTTP || isPrivate(env.CONSOLE_OIDC_ISSUER), {
    path: ['CONSOLE_OIDC_ISSUER'],
    message: httpsNeeded,
  })
  .refine((env) => Boolean(env.CONSOLE_OIDC_ISSUER) === Boolean(env.CONSOLE_OIDC_CLIENT_ID), {
    path: ['CONSOLE_OIDC_CLIENT_ID'],
    message: 'CONSOLE_OIDC_ISSUER and CONSOLE_OIDC_CLIENT_ID go together',
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

export type Settings = z.output<typeof environment>;
