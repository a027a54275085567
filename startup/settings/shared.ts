import { z } from 'zod';
import { exactUrl, flag, httpUrl, integer, oneOf, setting, text, type Kind } from './setting.ts';

/** The settings that the console has in common with the API and the worker. */

/** How many proxies stand before a process, each of which adds the address that it saw to `X-Forwarded-For`. */
const hops: Kind<number> = z
  .string()
  .regex(/^(?:true|false|\d|1\d)$/, 'must be how many proxies stand before it: 0 to 19 (`true` is 1)')
  .transform((value) => (value === 'true' || value === 'false' ? Number(value === 'true') : Number(value)))
  .describe('0 to 19');

export const everyProcess = {
  logLevel: setting('LOG_LEVEL', oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), {
    default: 'info',
    does: 'the least severity of the lines in the log',
    change: 'you look for a fault, or the log is too large',
  }),
  metricsPort: setting('METRICS_PORT', integer(0, 65_535), {
    without: 'none',
    does: 'where the process serves its [metrics](metrics.md)',
    change: 'Prometheus reads it. Each process needs a port of its own',
  }),
  metricsHost: setting('METRICS_HOST', text('an address'), {
    default: '127.0.0.1',
    does: 'the address of that port',
    change: 'Prometheus is on another machine',
  }),
  traceEndpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', exactUrl, {
    without: 'none',
    does: "the collector that receives [traces](metrics.md#traces). Further variables of OpenTelemetry's SDK apply too",
    change: 'you have a collector',
  }),
};

export const web = {
  publicUrl: setting('PUBLIC_URL', httpUrl, {
    without: 'from host and port; for the console `CONSOLE_API_URL`',
    does: 'how callers reach the API: the base of links, and the issuer of tokens. It may have a path; the proxy may drop it or keep it',
    change: 'callers reach the API by another address than its own',
  }),
  consoleUrl: setting('CONSOLE_URL', httpUrl, {
    without: 'for the console from host and port; else none',
    does: 'how browsers reach the console; `https` beyond this machine. With it, API and worker link each run in the Temporal UI to its payment',
    change: 'you run the console',
  }),
  trustProxy: setting('TRUST_PROXY', hops, {
    default: 0,
    does: 'the number of proxies in front of the process (`true` is 1). The first of that many entries from the right of `X-Forwarded-For` is the caller. If the number is too high, callers can choose their own address',
    change: 'a proxy stands before it',
  }),
  allowPlainHttp: setting('ALLOW_PLAIN_HTTP', flag, {
    default: false,
    does: '1 allows `http` for `PROCESSOR_URL`, `AUTH_ISSUER`, `CONSOLE_OIDC_ISSUER`, `CONSOLE_API_URL` and `BLOB_S3_ENDPOINT` beyond this machine. The keys of an issuer (`jwks_uri`) may be at `http` there only if the issuer is',
    change: 'these are in a network that you trust',
  }),
  shutdownDrainMs: setting('SHUTDOWN_DRAIN_MS', integer(0, 300_000), {
    default: 0,
    does: 'how long a process that stops still takes requests ([stopping](operations.md#stopping-and-restarting))',
    change: 'a balancer needs time to learn that it stops',
  }),
  authIssuer: setting('AUTH_ISSUER', exactUrl, {
    without: 'the API itself',
    does: 'trusts [another issuer](operations.md#another-issuer) of tokens. The console needs the same value, and `CONSOLE_CLIENT_ID` is then its client [at that issuer](console.md#with-another-issuer-of-tokens)',
    change: 'your company has an issuer',
  }),
  authAudience: setting('AUTH_AUDIENCE', text('text', 1), {
    without: '`PUBLIC_URL`; required with `AUTH_ISSUER`',
    does: 'the audience of the tokens',
    change: 'you set `AUTH_ISSUER`',
  }),
  oidcIssuer: setting('CONSOLE_OIDC_ISSUER', exactUrl, {
    without: 'none',
    does: 'the OIDC provider that signs people in to the console. The API verifies its ID tokens',
    change: 'people have accounts at a provider',
  }),
  oidcClientId: setting('CONSOLE_OIDC_CLIENT_ID', text('text', 1), {
    without: 'none',
    does: "the console's client at that provider",
    change: 'you set `CONSOLE_OIDC_ISSUER`',
  }),
};
