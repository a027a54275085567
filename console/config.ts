import { z } from 'zod';
import { isEncryptedOrLocal } from '#domain/addresses.ts';
import { operatorScopes, scopes } from '#domain/scopes.ts';
import { readSettings, type Rule } from '#startup/settings/read.ts';
import { httpUrl, integer, setting, text, type Kind, type Values } from '#startup/settings/setting.ts';
import { everyProcess, web } from '#startup/settings/shared.ts';

/** The configuration of the console, read from the environment once, at start. */
export type ConsoleConfig = ReturnType<typeof buildConfig>;

export interface SealingKey {
  id: string;
  bytes: Uint8Array;
}

const keys: Kind<SealingKey[]> = z
  .string()
  .transform((value, context) => {
    const read = value.split(',').map(readKey);
    const good = read.filter((key) => key !== null);
    if (good.length === read.length && new Set(good.map(({ id }) => id)).size === good.length) return good;
    const message = 'must be 32 bytes in base64, or several of them with ids: id:base64,id:base64';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .describe('32 bytes in base64, or `id:base64,id:base64`');

function readKey(value: string): SealingKey | null {
  const [id, encoded] = value.includes(':') ? (value.split(':', 2) as [string, string]) : ['1', value];
  const bytes = Buffer.from(encoded.trim(), 'base64');
  return bytes.length === 32 && /^[\w-]{1,32}$/.test(id.trim())
    ? { id: id.trim(), bytes: new Uint8Array(bytes) }
    : null;
}

/** What the console asks an outside issuer for: who the person is, a refresh token, and all that the API knows. */
const everyScope = ['openid', 'profile', 'email', 'offline_access', ...scopes, ...operatorScopes].join(' ');

/** The settings that the console alone reads. */
export const consoleOnly = {
  host: setting('CONSOLE_HOST', text('an address'), {
    default: '127.0.0.1',
    does: 'the address on which the console listens. Beyond loopback it needs `TRUST_PROXY`',
    change: 'a proxy on another machine leads to it',
  }),
  port: setting('CONSOLE_PORT', integer(0, 65_535), {
    default: 3001,
    does: 'the port on which the console listens',
    change: 'the port is taken',
  }),
  apiUrl: setting('CONSOLE_API_URL', httpUrl, {
    does: 'where the console reaches the API',
    change: 'the API moves',
  }),
  apiTimeoutMs: setting('CONSOLE_API_TIMEOUT_MS', integer(100, 120_000), {
    default: 15_000,
    does: 'how long a call of the API may take; longer than `SYNC_WINDOW_MS`',
    change: 'you raise `SYNC_WINDOW_MS`',
  }),
  clientId: setting('CONSOLE_CLIENT_ID', text('text', 1), {
    does: 'its client of the API. `npm run admin -- console client` makes it',
    change: 'you make a new client',
  }),
  clientSecret: setting('CONSOLE_CLIENT_SECRET', text('text', 1), {
    isSecret: true,
    does: 'the secret of that client',
    change: 'you make a new one',
  }),
  keys: setting('CONSOLE_KEY', keys, {
    isSecret: true,
    does: 'seals cookies and forms. Of several keys the first seals, and all open',
    change: 'the key must be replaced',
  }),
  oidcClientSecret: setting('CONSOLE_OIDC_CLIENT_SECRET', text('text', 1), {
    isSecret: true,
    without: 'none',
    does: "the secret of the console's client at the OIDC provider",
    change: 'you set `CONSOLE_OIDC_ISSUER`',
  }),
  authScope: setting('CONSOLE_AUTH_SCOPE', text('scopes with spaces'), {
    default: everyScope,
    without: '`openid profile email offline_access` and every scope of the API',
    does: 'the scopes that the console asks `AUTH_ISSUER` for',
    change: 'that issuer refuses some of them',
  }),
  temporalUiUrl: setting('TEMPORAL_UI_URL', httpUrl, {
    without: 'none',
    does: "Temporal's own pages, to which operators are led; it may end in `/namespaces/NAME` (default: `payments`)",
    change: "operators reach Temporal's pages",
  }),
};

/** All settings that the console reads. */
export const consoleSettings = { ...everyProcess, ...web, ...consoleOnly };

type Settings = Values<typeof consoleSettings>;

const loopbackHosts = new Set(['127.0.0.1', '::1', 'localhost']);

const rules: Rule<typeof consoleSettings>[] = [
  {
    name: 'CONSOLE_URL',
    holds: ({ consoleUrl }) => consoleUrl === undefined || isEncryptedOrLocal(consoleUrl),
    message: 'must be https beyond this machine: the cookie of a session goes over it',
  },
  {
    name: 'CONSOLE_API_URL',
    holds: ({ allowPlainHttp, apiUrl }) => allowPlainHttp || isEncryptedOrLocal(apiUrl),
    message: 'must be https beyond this machine; ALLOW_PLAIN_HTTP=1 takes http in a network that you trust',
  },
  {
    name: 'CONSOLE_OIDC_ISSUER',
    holds: ({ oidcIssuer }) => oidcIssuer === undefined || isEncryptedOrLocal(oidcIssuer),
    message: 'must be https beyond this machine',
  },
  {
    name: 'CONSOLE_OIDC_ISSUER',
    holds: ({ oidcIssuer, oidcClientId, oidcClientSecret }) =>
      new Set([oidcIssuer, oidcClientId, oidcClientSecret].map((value) => value === undefined)).size === 1,
    message: 'CONSOLE_OIDC_ISSUER, CONSOLE_OIDC_CLIENT_ID, CONSOLE_OIDC_CLIENT_SECRET go together',
  },
  {
    name: 'AUTH_ISSUER',
    holds: ({ authIssuer, allowPlainHttp }) =>
      authIssuer === undefined || allowPlainHttp || isEncryptedOrLocal(authIssuer),
    message: 'must be https beyond this machine',
  },
  {
    name: 'AUTH_AUDIENCE',
    holds: ({ authIssuer, authAudience }) => authIssuer === undefined || authAudience !== undefined,
    message: 'is required with AUTH_ISSUER',
  },
  {
    name: 'CONSOLE_OIDC_ISSUER',
    holds: ({ authIssuer, oidcIssuer }) => authIssuer === undefined || oidcIssuer === undefined,
    message: 'must not be set with AUTH_ISSUER, which signs people in itself',
  },
  {
    name: 'CONSOLE_HOST',
    holds: ({ host, trustProxy }) => loopbackHosts.has(host) || trustProxy > 0,
    message: 'listening beyond loopback needs TRUST_PROXY, behind a proxy that ends TLS',
  },
];

/** Reads the settings. Throws a `ConfigError` that names every fault. */
export function readConsoleConfig(env: NodeJS.ProcessEnv): ConsoleConfig {
  return buildConfig(readSettings(env, consoleSettings, rules));
}

/** Builds the parts that are made of several settings. All others go as they are. */
function buildConfig(settings: Settings) {
  const { authIssuer, authAudience, authScope, oidcIssuer, oidcClientId, oidcClientSecret, ...rest } =
    settings;
  const { metricsHost, metricsPort, publicUrl, host, port, ...plain } = rest;
  return {
    ...plain,
    host,
    port,
    consoleUrl: settings.consoleUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    /** How people reach the API's documents. */
    publicApiUrl: publicUrl ?? settings.apiUrl,
    temporalUiUrl: settings.temporalUiUrl ?? null,
    /** The provider that signs people in; `null`: links alone do. */
    oidc:
      oidcIssuer && oidcClientId && oidcClientSecret
        ? { issuer: oidcIssuer.replace(/\/$/, ''), clientId: oidcClientId, clientSecret: oidcClientSecret }
        : null,
    /** The issuer whose tokens the API trusts in place of its own, where `clientId` is our client; `null`: the API's own. */
    outsideIssuer:
      authIssuer && authAudience ? { issuer: authIssuer, audience: authAudience, scope: authScope } : null,
    traceEndpoint: settings.traceEndpoint ?? null,
    metrics: metricsPort === undefined ? null : { host: metricsHost, port: metricsPort },
  };
}
