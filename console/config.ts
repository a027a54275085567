import { z } from 'zod';
import { operatorScopes, scopes } from '#domain/scopes.ts';
import { withSecretFiles } from '#startup/secret-files.ts';

/** The settings of the console, read from the environment once, at start. `docs/settings.md` lists them. */
export interface ConsoleConfig {
  host: string;
  port: number;
  /** How browsers reach the console; without a slash at the end. */
  consoleUrl: string;
  /** Where the console reaches the API. */
  apiUrl: string;
  /** How long a call of the API may take, in milliseconds; longer than the API lets a write wait. */
  apiTimeoutMs: number;
  /** How people reach the API's documents. (Default: as the console reaches the API) */
  publicApiUrl: string;
  /** Temporal's own pages, which operators are led to. */
  temporalUiUrl: string | null;
  /** Seal cookies and forms; the first one seals, all of them open. 32 bytes each. */
  keys: readonly SealingKey[];
  clientId: string;
  clientSecret: string;
  /** The provider that signs people in; `null`: links alone do. */
  oidc: { issuer: string; clientId: string; clientSecret: string } | null;
  /** The issuer whose tokens the API trusts in place of its own, where `clientId` is our client; `null`: the API's own. */
  outsideIssuer: { issuer: string; audience: string; scope: string } | null;
  /** Trusted proxies in front of this process; 0: none. */
  trustProxy: number;
  shutdownDrainMs: number;
  traceEndpoint: string | null;
  metrics: { host: string; port: number } | null;
  logLevel: string;
}

export interface SealingKey {
  id: string;
  bytes: Uint8Array;
}

/** Settings that cannot be used; the message names every fault, a line each. */
export class ConsoleConfigError extends Error {
  override readonly name = 'ConsoleConfigError';
}

/** Those that may be in a file, whose path `NAME_FILE` names. */
const secretSettings = ['CONSOLE_KEY', 'CONSOLE_CLIENT_SECRET', 'CONSOLE_OIDC_CLIENT_SECRET'] as const;

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

/** How many proxies stand before us, each of which adds the address that it saw to `X-Forwarded-For`. */
const hops = z
  .string()
  .regex(/^(?:true|false|\d|1\d)$/, 'must be how many proxies stand before it: 0 to 19 (`true` is 1)')
  .default('0')
  .transform((value) => (value === 'true' || value === 'false' ? Number(value === 'true') : Number(value)));

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((value) => value.replace(/\/$/, ''));

const keys = z.string().transform((value, context) => {
  const read = value.split(',').map(readKey);
  const good = read.filter((key) => key !== null);
  if (good.length === read.length && new Set(good.map(({ id }) => id)).size === good.length) return good;
  const message = 'must be 32 bytes in base64, or several of them with ids: id:base64,id:base64';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

function readKey(text: string): SealingKey | null {
  const [id, encoded] = text.includes(':') ? (text.split(':', 2) as [string, string]) : ['1', text];
  const bytes = Buffer.from(encoded.trim(), 'base64');
  return bytes.length === 32 && /^[\w-]{1,32}$/.test(id.trim())
    ? { id: id.trim(), bytes: new Uint8Array(bytes) }
    : null;
}

const loopbackHosts = new Set(['127.0.0.1', '::1', 'localhost']);

const isEncryptedOrLocal = (url: string) =>
  url.startsWith('https:') || loopbackHosts.has(new URL(url).hostname.replace(/^\[|\]$/g, ''));

/** What the console asks an outside issuer for: who the person is, a refresh token, and all that the API knows. */
const everyScope = ['openid', 'profile', 'email', 'offline_access', ...scopes, ...operatorScopes].join(' ');

const oidcSettings = ['CONSOLE_OIDC_ISSUER', 'CONSOLE_OIDC_CLIENT_ID', 'CONSOLE_OIDC_CLIENT_SECRET'] as const;

const environment = z
  .object({
    CONSOLE_HOST: z.string().default('127.0.0.1'),
    CONSOLE_PORT: integer(0, 65_535).default(3001),
    CONSOLE_URL: httpUrl.optional(),
    CONSOLE_API_URL: httpUrl,
    CONSOLE_API_TIMEOUT_MS: integer(100, 120_000).default(15_000),
    PUBLIC_URL: httpUrl.optional(),
    TEMPORAL_UI_URL: httpUrl.optional(),
    CONSOLE_KEY: keys,
    CONSOLE_CLIENT_ID: z.string().min(1),
    CONSOLE_CLIENT_SECRET: z.string().min(1),
    CONSOLE_OIDC_ISSUER: httpUrl.optional(),
    CONSOLE_OIDC_CLIENT_ID: z.string().min(1).optional(),
    CONSOLE_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
    AUTH_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
    AUTH_AUDIENCE: z.string().min(1).optional(),
    CONSOLE_AUTH_SCOPE: z.string().default(everyScope),
    TRUST_PROXY: hops,
    ALLOW_PLAIN_HTTP: z.enum(['0', '1', 'true', 'false']).default('0'),
    SHUTDOWN_DRAIN_MS: integer(0, 300_000).default(0),
    OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
    METRICS_HOST: z.string().default('127.0.0.1'),
    METRICS_PORT: integer(0, 65_535).optional(),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .refine((env) => env.CONSOLE_URL === undefined || isEncryptedOrLocal(env.CONSOLE_URL), {
    path: ['CONSOLE_URL'],
    message: 'must be https beyond this machine: the cookie of a session goes over it',
  })
  .refine(
    (env) => !['0', 'false'].includes(env.ALLOW_PLAIN_HTTP) || isEncryptedOrLocal(env.CONSOLE_API_URL),
    {
      path: ['CONSOLE_API_URL'],
      message: 'must be https beyond this machine; ALLOW_PLAIN_HTTP=1 takes http in a network that you trust',
    },
  )
  .refine((env) => env.CONSOLE_OIDC_ISSUER === undefined || isEncryptedOrLocal(env.CONSOLE_OIDC_ISSUER), {
    path: ['CONSOLE_OIDC_ISSUER'],
    message: 'must be https beyond this machine',
  })
  .refine((env) => new Set(oidcSettings.map((name) => env[name] === undefined)).size === 1, {
    path: ['CONSOLE_OIDC_ISSUER'],
    message: `${oidcSettings.join(', ')} go together`,
  })
  .refine(
    (env) =>
      env.AUTH_ISSUER === undefined ||
      !['0', 'false'].includes(env.ALLOW_PLAIN_HTTP) ||
      isEncryptedOrLocal(env.AUTH_ISSUER),
    { path: ['AUTH_ISSUER'], message: 'must be https beyond this machine' },
  )
  .refine((env) => env.AUTH_ISSUER === undefined || env.AUTH_AUDIENCE !== undefined, {
    path: ['AUTH_AUDIENCE'],
    message: 'is required with AUTH_ISSUER',
  })
  .refine((env) => env.AUTH_ISSUER === undefined || env.CONSOLE_OIDC_ISSUER === undefined, {
    path: ['CONSOLE_OIDC_ISSUER'],
    message: 'must not be set with AUTH_ISSUER, which signs people in itself',
  })
  .refine((env) => loopbackHosts.has(env.CONSOLE_HOST) || env.TRUST_PROXY > 0, {
    path: ['CONSOLE_HOST'],
    message: 'listening beyond loopback needs TRUST_PROXY, behind a proxy that ends TLS',
  });

/** Reads the settings. @throws {ConsoleConfigError} that names every fault. */
export function readConsoleConfig(env: NodeJS.ProcessEnv): ConsoleConfig {
  const { env: complete, faults } = withSecretFiles(env, secretSettings);
  // An empty variable is an unset one: compose files and shells write `X=` for "not set".
  const given = Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (parsed.success && faults.length === 0) return toConfig(parsed.data);
  const inFiles = new Set(faults.map(({ name }) => name.replace(/_FILE$/, '')));
  const lines = (parsed.error?.issues ?? [])
    .map(({ path, code, message }) => ({ name: path.join('.'), code, message }))
    .filter(({ name }) => !inFiles.has(name))
    .map(({ name, code, message }) => {
      const isMissing = given[name] === undefined && code !== 'custom';
      return `  ${name}: ${isMissing ? 'is required' : message}`;
    });
  lines.push(...faults.map(({ name, message }) => `  ${name}: ${message}`));
  throw new ConsoleConfigError(
    `The environment cannot be used (docs/settings.md lists the settings):\n${lines.join('\n')}`,
  );
}

function toConfig(settings: z.output<typeof environment>): ConsoleConfig {
  const { CONSOLE_HOST: host, CONSOLE_PORT: port } = settings;
  return {
    host,
    port,
    consoleUrl: settings.CONSOLE_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    apiUrl: settings.CONSOLE_API_URL,
    apiTimeoutMs: settings.CONSOLE_API_TIMEOUT_MS,
    publicApiUrl: settings.PUBLIC_URL ?? settings.CONSOLE_API_URL,
    temporalUiUrl: settings.TEMPORAL_UI_URL ?? null,
    keys: settings.CONSOLE_KEY,
    clientId: settings.CONSOLE_CLIENT_ID,
    clientSecret: settings.CONSOLE_CLIENT_SECRET,
    oidc: toOidc(settings),
    outsideIssuer: toOutsideIssuer(settings),
    trustProxy: settings.TRUST_PROXY,
    shutdownDrainMs: settings.SHUTDOWN_DRAIN_MS,
    traceEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    metrics:
      settings.METRICS_PORT === undefined
        ? null
        : { host: settings.METRICS_HOST, port: settings.METRICS_PORT },
    logLevel: settings.LOG_LEVEL,
  };
}

function toOidc(settings: z.output<typeof environment>): ConsoleConfig['oidc'] {
  const { CONSOLE_OIDC_ISSUER: issuer, CONSOLE_OIDC_CLIENT_ID: clientId } = settings;
  const { CONSOLE_OIDC_CLIENT_SECRET: clientSecret } = settings;
  const isSet = issuer !== undefined && clientId !== undefined && clientSecret !== undefined;
  return isSet ? { issuer, clientId, clientSecret } : null;
}

function toOutsideIssuer(settings: z.output<typeof environment>): ConsoleConfig['outsideIssuer'] {
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, CONSOLE_AUTH_SCOPE: scope } = settings;
  return issuer !== undefined && audience !== undefined ? { issuer, audience, scope } : null;
}
