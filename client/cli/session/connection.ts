import { Payments, ProblemError, type Operation } from '../../src/index.ts';
import type { Context, GlobalOptions } from '../context.ts';
import { CliError, wrongUse } from '../exits.ts';
import { explainFailure, refuse, type Answer } from './failures.ts';
import { nameProfile, readProfiles, type Profile } from './profiles.ts';

/** A request, as the client takes it. */
export interface RequestOptions {
  query?: Record<string, string | string[]>;
  /** Text is sent unchanged, other values as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** (Default: a new one for each POST) */
  idempotencyKey?: string;
  /** The advice after a lost write. (Default: repeat the command with its key) */
  ifLost?: string;
}

/** The service, with the credentials of the profile. */
export interface Connection {
  profile: Pick<Profile, 'url' | 'clientId'> & { clientSecret: string };
  /** Sends, and retries under the same key. @throws {CliError} without an answer, or without a token */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Returns the body of a resource or of a page. @throws {CliError} if it cannot be read */
  read<Body>(path: string, query?: RequestOptions['query']): Promise<Body>;
  /** Reads the pages of a list, each with up to 100 items. @throws {CliError} if one cannot be read */
  pages<Item>(path: string, query?: RequestOptions['query']): AsyncIterable<Item[]>;
  /** Returns an access token. @throws {CliError} `notSignedIn` if the service refuses one */
  accessToken(): Promise<string>;
  /** Waits until the operation has ended. */
  wait(id: string, onProgress: (operation: Operation) => void): Promise<Operation>;
  /** Reads the result of an operation that has ended, and checks it. @throws {CliError} if there is none */
  download(id: string): AsyncIterable<Uint8Array>;
}

/** Returns the credentials: those of the environment, else of the profile. @throws {CliError} without any */
export function findProfile(context: Context, options: GlobalOptions): Profile {
  const { env } = context;
  const name = nameProfile(context, options);
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
  const profile = { url: readUrl(url), clientId, clientSecret, webhookSecret: kept?.webhookSecret ?? '' };
  if (clientSecret === kept?.clientSecret) requireOwnServer(name, kept.url, profile.url);
  return profile;
}

/** A kept secret goes to the service that it was kept for, and to no other. */
function requireOwnServer(name: string, kept: string, url: string): void {
  if (new URL(kept).origin === new URL(url).origin) return;
  throw new CliError(
    'notSignedIn',
    `The credentials of profile ${name} are for ${kept}, and not for ${url}. Run \`payments login --server ${url} --profile NAME\``,
  );
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
  const { signal } = context;
  const { maxRetries } = options;
  const client = new Payments({
    baseUrl: profile.url,
    clientId: profile.clientId,
    clientSecret: profile.clientSecret,
    ...(maxRetries !== undefined && { maxRetries }),
  });
  async function request(
    method: string,
    path: string,
    { ifLost, idempotencyKey = crypto.randomUUID(), ...given }: RequestOptions = {},
  ): Promise<Answer> {
    const sent = method === 'GET' ? null : { method, key: idempotencyKey, ifLost };
    try {
      return { ...(await client.request(method, path, { ...given, signal, idempotencyKey })), sent };
    } catch (error) {
      if (error instanceof ProblemError) return { ...error.answer, sent };
      return explainFailure(error, profile, sent);
    }
  }
  async function read<Body>(path: string, query: RequestOptions['query'] = {}): Promise<Body> {
    const answer = await request('GET', path, { query });
    if (answer.status >= 400) refuse(answer);
    return answer.body as Body;
  }
  return {
    profile,
    request,
    read,
    async *pages<Item>(path: string, query: RequestOptions['query'] = {}) {
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const more = cursor === undefined ? {} : { starting_after: cursor };
        const page = await read<{ data: Item[]; next_cursor: string | null }>(path, {
          limit: '100',
          ...query,
          ...more,
        });
        yield page.data;
        cursor = page.next_cursor;
      }
    },
    accessToken: () => client.accessToken().catch((error: unknown) => explainFailure(error, profile)),
    wait: (id, onProgress) =>
      client.operations
        .wait(id, { signal, onProgress })
        .catch((error: unknown) => explainFailure(error, profile)),
    async *download(id) {
      try {
        yield* await client.operations.result(id, { signal });
      } catch (error) {
        explainFailure(error, profile);
      }
    },
  };
}
