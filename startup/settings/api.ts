import { z } from 'zod';
import { chargeExecutions } from '#domain/charges.ts';
import { flag, integer, oneOf, setting, splitList, text, type Kind } from './setting.ts';

/** The settings of the API alone. */

/** Web origins as browsers send them (RFC 6454 §6.2), comma-separated; no pattern, since any is too wide for money. */
const origins: Kind<string[]> = z
  .string()
  .transform(splitList)
  .refine(
    (values) =>
      values.every(
        (value) => /^https?:[^*]+$/.test(value) && URL.canParse(value) && new URL(value).origin === value,
      ),
    'must be origins such as https://shop.example, comma-separated',
  )
  .describe('exact origins with commas, such as `https://shop.example`');

export const api = {
  host: setting('HOST', text('an address'), {
    default: '127.0.0.1',
    does: 'the address on which the API listens. Beyond loopback it needs TLS or a proxy',
    change: 'others than this machine call it',
  }),
  port: setting('PORT', integer(0, 65_535), {
    default: 3000,
    does: 'the port on which the API listens',
    change: 'the port is taken',
  }),
  tls: {
    certFile: setting('TLS_CERT', text('a file in PEM'), {
      without: 'none',
      does: 'the certificate with which the API serves HTTPS',
      change: 'no proxy ends TLS',
    }),
    keyFile: setting('TLS_KEY', text('a file in PEM'), {
      without: 'none',
      does: 'the key of that certificate',
      change: 'you set `TLS_CERT`',
    }),
  },
  corsOrigins: setting('CORS_ORIGINS', origins, {
    default: [],
    does: 'the origins whose pages may call',
    change: 'pages in browsers call the API',
  }),
  requestLog: setting('REQUEST_LOG', flag, {
    default: true,
    does: 'keeps what callers asked for, for 7 days: `GET /v1/requests`. 0: keeps nothing',
    change: 'you may not keep it',
  }),
  chargeExecution: setting('CHARGE_EXECUTION', oneOf(chargeExecutions), {
    default: 'workflow',
    does: '`inline`: the API takes the first steps of a charge without a workflow ([what that means](architecture.md#the-way-of-a-charge)). `account set --charge-execution` changes it for one account',
    change: 'throughput matters more than a run for each charge',
  }),
  syncWindowMs: setting('SYNC_WINDOW_MS', integer(100, 60_000), {
    default: 10_000,
    does: 'how long a caller waits for an outcome before the answer is 202 or 503',
    change: 'callers or proxies give up earlier',
  }),
  idempotencyRetentionMs: setting('IDEMPOTENCY_RETENTION_MS', integer(1, 30 * 86_400_000), {
    default: 86_400_000,
    does: 'how long an answered Idempotency-Key is kept at least',
    change: 'merchants repeat requests after more than a day',
  }),
  webhooksAllowLoopback: setting('WEBHOOKS_ALLOW_LOOPBACK', flag, {
    default: false,
    does: '1 allows plain http and loopback receivers of webhooks. The worker needs the same value',
    change: 'you develop',
  }),
};

const rate = integer(1, 1_000_000);
const places = integer(1, 100_000);

export const limits = {
  rateLimit: {
    requestsPerSecond: setting('RATE_LIMIT_RPS', rate, {
      default: 100,
      does: 'requests a second of an account, unless the account has its own limit; then 429',
      change: 'most accounts need more. For one account, `account set` does it',
    }),
    burst: setting('RATE_LIMIT_BURST', rate, {
      default: 200,
      does: 'requests of an account at once, beyond that rate',
      change: 'you change the rate',
    }),
  },
  clientRateLimit: {
    requestsPerSecond: setting('CLIENT_RATE_LIMIT_RPS', rate, {
      default: 20,
      does: 'requests a second of one client to `/oauth2/*`, over all processes; then 429. Of each person behind the console, in each process',
      change: 'clients keep no tokens, and cannot be changed',
    }),
    burst: setting('CLIENT_RATE_LIMIT_BURST', rate, {
      default: 100,
      does: 'such requests at once, beyond that rate',
      change: 'you change the rate',
    }),
  },
  authFailuresPerMinute: setting('AUTH_FAILURES_PER_MINUTE', rate, {
    default: 60,
    does: 'failed authentications of one address ([of IPv6](#blocks-of-ipv6): 1, 4 and 16 times as many of its /64, /56 and /48), in each process. Beyond it, the address waits for two minutes at most',
    change: 'many callers share an address',
  }),
  publicPagesPerSecond: setting('PUBLIC_PAGES_PER_SECOND', rate, {
    default: 100,
    does: "requests a second that one API process serves without a token: pages of the documents, and unknown paths. A search counts as 4. One address has half of it (a /48 of IPv6 three quarters), and four seconds' worth at once. Beyond it they wait for a second at most; then 429 for the address, 503 if all addresses together are beyond. The keys and the metadata of the issuer have a budget of the same size",
    change: 'the documents have many readers',
  }),
  load: {
    maxInFlight: {
      reads: setting('MAX_READS_IN_FLIGHT', places, {
        default: 200,
        does: 'reads of one API process under way; then 503. Downloads have a third as many places, and so has each kind of request without a verified token ([below](#shares-of-callers))',
        change: 'the process has memory and connections for more',
      }),
      writes: setting('MAX_WRITES_IN_FLIGHT', places, {
        default: 1024,
        does: 'writes of one API process under way; then 503. A 32nd of them is open at rest, and more while claims begin within 100 ms',
        change: 'the processor is slow, and many charges wait for it',
      }),
    },
    maxConnections: setting('MAX_CONNECTIONS', places, {
      default: 8192,
      does: 'open connections of one API process',
      change: 'the machine has fewer or more file descriptors',
    }),
    maxConnectionsPerAddress: setting('MAX_CONNECTIONS_PER_ADDRESS', places, {
      default: 512,
      does: 'open connections of one address. A /56 of IPv6 has twice those of an address, a /48 four times. With `TRUST_PROXY` it does not count',
      change: 'many callers share an address',
    }),
    listReadMs: setting('LIST_READ_MS', integer(100, 14_000), {
      default: 900,
      does: 'how long a read of a list may take; then 429 `list_too_slow`. Postgres ends each of its statements after 60 % of it',
      change: 'lists of large accounts fail, and Postgres has time to spare',
    }),
  },
  maxOpenOperations: setting('MAX_OPEN_OPERATIONS', places, {
    default: 100,
    does: 'open operations of one account; then 429 `too_many_open_operations`. `account set --operations` changes it for one account',
    change: 'most accounts need more',
  }),
};
