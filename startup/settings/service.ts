import { z } from 'zod';
import { parseSecretsKeys, type SecretsKeys } from '#db/encryption.ts';
import { api, limits } from './api.ts';
import { everyProcess, web } from './shared.ts';
import { exactUrl, httpUrl, integer, listSecrets, setting, splitList, text, type Kind } from './setting.ts';

/** The settings of the API, the worker, and the commands of operators. */

const databaseUrl: Kind<string> = z.url({ protocol: /^postgres(ql)?$/ }).describe('a postgres URL');

/** The keys of secrets at rest: one key, or several with ids, the first of which encrypts. */
const secretsKey: Kind<SecretsKeys> = z
  .string()
  .transform((value, context) => {
    const keys = parseSecretsKeys(value);
    if (keys) return keys;
    const message = 'must be 32 bytes in base64, or several of them with ids: id:base64,id:base64';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .describe('32 bytes in base64, or `id:base64,id:base64`');

const notificationSecrets: Kind<string[]> = z
  .string()
  .transform(splitList)
  .refine(
    (secrets) => secrets.length <= 2 && secrets.every((secret) => secret.length >= 16),
    'must be one or two secrets of at least 16 characters, comma-separated',
  )
  .describe('one or two texts of 16 characters or more, with a comma');

/** Which kinds of work a worker process takes. */
const workerQueues: Kind<('charges' | 'operations' | 'deliveries')[]> = z
  .string()
  .transform(splitList)
  .pipe(z.array(z.enum(['charges', 'operations', 'deliveries'])).min(1))
  .describe('names with commas');

const folders: Kind<string> = z
  .string()
  .regex(/^([A-Za-z0-9_-]+\/)*$/, 'must be folder names, each followed by /')
  .describe('folder names, each with `/` after it');

export const service = {
  databaseUrl: setting('DATABASE_URL', databaseUrl, {
    isSecret: true,
    does: 'PostgreSQL 15 or later. Its parameters turn TLS on ([below](#tls-to-postgres-and-temporal))',
    change: 'the database or its password changes',
  }),
  databasePool: setting('DATABASE_POOL', integer(1, 500), {
    default: 20,
    does: 'the most connections of one process. An API process keeps a quarter of them for lists and one for `/readyz`, so it opens three at least',
    change:
      'requests wait for connections ([runbook](runbooks/waits-for-connections.md)), or Postgres has too few for all processes',
  }),
  secretsKey: setting('SECRETS_KEY', secretsKey, {
    isSecret: true,
    does: 'encrypts secrets at rest. Of several keys the first encrypts, and all decrypt',
    change: 'the key must be [replaced](operations.md#the-key-of-secrets-at-rest)',
  }),
  localDir: setting('LOCAL_DIR', text('a folder'), {
    default: '.local',
    does: 'data, logs and secrets of the local stack; the cached bundle of the workflows',
    change: 'the folder of the checkout is read-only',
  }),
};

/** Where Temporal listens on a machine of one's own. */
export const localTemporal = '127.0.0.1:7233';

/** Read with the files that they name by `startup/temporal-connection.ts`, as a whole. */
export const temporalConnection = {
  address: setting('TEMPORAL_ADDRESS', text('host:port'), {
    default: localTemporal,
    does: "Temporal's frontend",
    change: 'Temporal is on another machine',
  }),
  tls: setting('TEMPORAL_TLS', text('0 or 1'), {
    without: 'on if one of the next is set',
    does: 'turns TLS on. 0 beside one of them is a fault',
    change: 'Temporal has a certificate that Node knows',
  }),
  ca: setting('TEMPORAL_TLS_CA', text('a file in PEM'), {
    without: 'those that Node knows',
    does: 'the authorities that may certify Temporal',
    change: 'an authority of your own does',
  }),
  certificate: setting('TEMPORAL_TLS_CERT', text('a file in PEM'), {
    without: 'none',
    does: 'our own certificate',
    change: 'Temporal asks for one',
  }),
  key: setting('TEMPORAL_TLS_KEY', text('a file in PEM'), {
    without: 'none',
    does: 'the key of that certificate',
    change: 'Temporal asks for one',
  }),
  serverName: setting('TEMPORAL_TLS_SERVER_NAME', text('a name of a host'), {
    without: 'the host of `TEMPORAL_ADDRESS`',
    does: "the name that Temporal's certificate must have",
    change: 'you reach Temporal by another name',
  }),
  apiKey: setting('TEMPORAL_API_KEY', text('printable ASCII'), {
    isSecret: true,
    without: 'none',
    does: 'sent with each call as `authorization: Bearer …`',
    change: 'Temporal asks for one',
  }),
};

export const temporal = {
  namespace: setting('TEMPORAL_NAMESPACE', text('a name', 1), {
    default: 'payments',
    does: 'the namespace of all runs; its retention must be 24 h or more',
    change: 'several services share one Temporal',
  }),
};

export const processor = {
  url: setting('PROCESSOR_URL', httpUrl, {
    without: 'none',
    does: 'the address of the built-in processor. Without it, every account needs a [processor of its own](processors.md)',
    change: 'most accounts share one processor',
  }),
  secret: setting('PROCESSOR_SECRET', text('16 characters or more', 16), {
    isSecret: true,
    without: 'none; required with `PROCESSOR_URL`',
    does: "authenticates this service to the processor, and the processor's notifications",
    change: 'you set `PROCESSOR_URL`',
  }),
  notificationSecrets: setting('PROCESSOR_NOTIFICATION_SECRETS', notificationSecrets, {
    isSecret: true,
    without: '`PROCESSOR_SECRET`',
    does: "the secrets of the processor's notifications",
    change: 'they differ from that secret, or move from one to another',
  }),
};

export const worker = {
  workerQueues: setting('WORKER_QUEUES', workerQueues, {
    default: ['charges', 'operations', 'deliveries'],
    does: 'the queues that this worker serves',
    change: 'one kind of work needs more workers, or workers of its own',
  }),
  batchConcurrency: setting('BATCH_CONCURRENCY', integer(1, 256), {
    default: 16,
    does: 'calls to the processor that one charge batch has under way',
    change: 'the processor allows fewer, or batches must be quicker',
  }),
  webhookTimeoutMs: setting('WEBHOOK_TIMEOUT_MS', integer(100, 30_000), {
    default: 15_000,
    does: 'how long a receiver of webhooks may take to answer. An endpoint without deliveries stays awake twice as long. One that sleeps costs nothing, and its next delivery starts about 50 ms later',
    change: 'slow receivers hold up others',
  }),
};

export const results = {
  dir: setting('BLOB_DIR', text('a folder'), {
    without: '`blobs` in `LOCAL_DIR`',
    does: 'a folder that every API and worker sees',
    change: 'they share another folder',
  }),
  bucket: setting('BLOB_S3_BUCKET', text('a name', 3), {
    without: 'none',
    does: 'a bucket of an S3-compatible store, in place of the folder',
    change: 'API and worker share no folder',
  }),
  region: setting('BLOB_S3_REGION', text('a name', 1), {
    default: 'us-east-1',
    does: "the store's region",
    change: 'the bucket is in another one',
  }),
  endpoint: setting('BLOB_S3_ENDPOINT', exactUrl, {
    without: "Amazon's",
    does: "the store's URL",
    change: "the store is not Amazon's",
  }),
  prefix: setting('BLOB_S3_PREFIX', folders, {
    default: '',
    does: 'stands before each key, such as `payments/`',
    change: 'the bucket holds other files too',
  }),
};

/** All settings of API and worker. Groups are as the code has them. */
export const serviceSettings = {
  ...everyProcess,
  ...web,
  ...service,
  temporalConnection,
  temporal,
  processor,
  ...api,
  ...limits,
  ...worker,
  results,
};

/** Settings of API and worker that may stand in files. */
export const serviceSecrets: readonly string[] = listSecrets(serviceSettings);
