import { ConnectionError, createClient, TokenError, type Client } from '../../client.ts';
import type { Context, GlobalOptions } from '../context.ts';
import { CliError, wrongUse } from '../exits.ts';
import { readProfiles, type Profile } from './profiles.ts';

/** A request, as the client takes it. */
export interface RequestOptions {
  query?: Record<string, string>;
  /** Text is sent unchanged, other values as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** (Default: a new one for each POST) */
  idempotencyKey?: string;
}

/** An answer, whatever its status. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
  /** The body as it came. */
  text: string;
}

/** The service, with the credentials of the profile. */
export interface Connection {
  profile: Pick<Profile, 'url' | 'clientId'> & { clientSecret: string };
  /** Sends, and retries under the same key. @throws {CliError} without an answer, or without a token */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Returns an access token. @throws {CliError} `notSignedIn` if the service refuses one */
  accessToken(): Promise<string>;
}

/** Returns the credentials: those of the environment, else of the profile. @throws {CliError} without any */
export function findProfile(context: Context, options: GlobalOptions): Profile {
  const { env } = context;
  const name = options.profile ?? env['PAYMENTS_PROFILE'] ?? 'default';
  const kept = readProfiles(context)[name];
  const isNamed = options.profile !== undefined;
  const fromEnv = isNamed ? {} : env;
  const url = options.server ?? fromEnv['PAYMENTS_URL'] ?? kept?.url;
  const clientId = fromEnv['PAYMENTS_CLIENT_ID'] ?? kept?.clientId;
  const clientSecret = fromEnv['PAYMENTS_CLIENT_SECRET'] ?? kept?.clientSecret;
  if (!url || !clientId || !clientSecret) {
    const which = isNamed ? ` as ${name}` : '';
    throw new CliError(
      'notSignedIn',
      `You are not signed in${which}. Run \`payments login${isNamed ? ` --profile ${name}` : ''}\`, or set ` +
        'PAYMENTS_URL, PAYMENTS_CLIENT_ID and PAYMENTS_CLIENT_SECRET',
    );
  }
  return { url: readUrl(url), clientId, clientSecret, webhookSecret: kept?.webhookSecret ?? '' };
}

/** Returns the address without its slash at the end. @throws {CliError} unless it is one that may see a secret */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw wrongUse(
      `"${text}" is not the address of a service. Give one such as https://payments.example.com`,
    );
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw wrongUse(
      `A secret must not cross a network unencrypted. Use https://${url.host} instead of ${text}`,
    );
  return url.href.replace(/\/$/, '');
}

/** Returns whether the host is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Connects with these credentials; sends nothing yet. */
export function connect(
  context: Pick<Context, 'signal'>,
  profile: Pick<Profile, 'url' | 'clientId' | 'clientSecret'>,
  options: GlobalOptions = {},
): Connection {
  const { maxRetries } = options;
  const client = createClient({
    baseUrl: profile.url,
    clientId: profile.clientId,
    clientSecret: profile.clientSecret,
    ...(maxRetries !== undefined && { policy: { retries: maxRetries } }),
  });
  return {
    profile,
    request: (method, path, given = {}) => send(client, context.signal, { method, path, ...given }),
    accessToken: () => client.accessToken().catch((error: unknown) => explainFailure(error, profile)),
  };

  async function send(
    from: Client,
    signal: AbortSignal,
    { method, path, query, idempotencyKey, ...rest }: RequestOptions & { method: string; path: string },
  ): Promise<Answer> {
    const search = new URLSearchParams(query).toString();
    const key = idempotencyKey ?? crypto.randomUUID();
    try {
      const to = search === '' ? path : `${path}?${search}`;
      return await from.send(method, to, { ...rest, signal, idempotencyKey: method === 'POST' ? key : null });
    } catch (error) {
      return explainFailure(error, profile, method === 'GET' ? null : { method, key });
    }
  }
}

/** What was sent, and may have had its effect. */
interface LostWrite {
  method: string;
  key: string;
}

/** Says why there is no answer, and what to do. */
function explainFailure(error: unknown, { url }: { url: string }, lost: LostWrite | null = null): never {
  if (error instanceof TokenError) throw explainToken(error, url);
  const isConnection = error instanceof ConnectionError;
  const isStopped = error instanceof DOMException && error.name === 'AbortError';
  if (!isConnection && !isStopped) throw error;
  const reason = isStopped ? 'The command was stopped.' : `No answer came from ${url}: ${readCause(error)}.`;
  throw new CliError(
    'noAnswer',
    [reason, lost ? sayUnknown(lost) : `Is the service running there?`].join(' '),
    {
      cause: error,
    },
  );
}

/** Says how to find out what a write did. */
export function sayUnknown({ method, key }: LostWrite): string {
  return method === 'POST'
    ? `It is not known whether the request had its effect. Run the same command again with --idempotency-key ${key}: it cannot happen twice`
    : 'It is not known whether the request had its effect. Read the resource, and run the command again if it did not';
}

function explainToken(error: TokenError, url: string): CliError {
  if (error.code === 'invalid_client')
    return new CliError(
      'notSignedIn',
      `The service at ${url} does not know this client id and secret. Run \`payments login\` again`,
    );
  return new CliError(error.status >= 500 ? 'refused' : 'notSignedIn', error.message);
}

/** Returns the innermost reason: fetch wraps that of the network. */
function readCause(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  const { code, message } = reason as NodeJS.ErrnoException;
  return code ? `${code} ${message}`.trim() : message;
}
