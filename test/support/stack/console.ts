import { randomBytes } from 'node:crypto';
import { createConsole } from '#console/app.ts';
import { readConsoleConfig } from '#console/config.ts';
import type { Session } from '#console/page.ts';
import type { Screens } from '#console/pages.ts';
import { Sealing } from '#console/sealing.ts';
import { createSignIn } from '#console/session/sign-in.ts';
import type { Role } from '#domain/roles.ts';
import type { Scope } from '#domain/scopes.ts';
import { startHttpServer, stopHttpServer } from '#http/http-server.ts';
import { createLogger } from '#telemetry/log.ts';
import { makeMember, makeSignInCode } from '../resources/access/members.ts';
import { atEnd } from './at-end.ts';
import { environment } from './environment.ts';

/** The console in this process, before the API of the shared stack: what people see, over HTTP. */
export interface TestConsole {
  url: string;
  /** Everything that was logged, a line each. */
  logLines: string[];
  /** A new member of the account with a session; without an account, an operator. */
  signIn(who: { accountId: string | null; role: Role; name?: string }): Promise<Visitor>;
  stop(): Promise<void>;
}

/** A page as it came. */
export interface Seen {
  status: number;
  headers: Headers;
  html: string;
}

/** Somebody who has signed in, as a browser without scripts. It follows no redirects. */
export interface Visitor {
  session: Session;
  /** The `Cookie` header of the session. */
  cookie: string;
  get(path: string, headers?: Record<string, string>): Promise<Seen>;
  /** Posts a form as a page of the console does. */
  post(path: string, form?: Record<string, string>, headers?: Record<string, string>): Promise<Seen>;
  /** Fills the form of an action in, and returns its preview. */
  preview(path: string, values?: Record<string, string>): Promise<Seen>;
  /** The same, and sends the preview. */
  act(path: string, values?: Record<string, string>): Promise<Seen>;
}

export interface ConsoleOptions {
  /** Settings of the console. (Default: those of the shared stack) */
  settings?: NodeJS.ProcessEnv;
  /** What it serves. (Default: all screens) */
  screens?: Screens;
}

let shared: Promise<TestConsole> | null = null;

/** Returns the console that all tests of this process share. The first call starts it; it stops after the last test. */
export function sharedConsole(): Promise<TestConsole> {
  shared ??= startConsole().then((started) => {
    atEnd(() => started.stop());
    return started;
  });
  return shared;
}

/** Starts one more. Whoever does stops it. */
export async function startConsole({ settings = {}, screens }: ConsoleOptions = {}): Promise<TestConsole> {
  const env = await environment();
  const { clientId, clientSecret } = env.stack.secrets.console;
  const config = readConsoleConfig({
    CONSOLE_PORT: '0',
    CONSOLE_API_URL: env.stack.apiUrl,
    CONSOLE_KEY: randomBytes(32).toString('base64'),
    CONSOLE_CLIENT_ID: clientId,
    CONSOLE_CLIENT_SECRET: clientSecret,
    ...settings,
  });
  const logLines: string[] = [];
  const sealing = new Sealing(config.keys);
  const { server, port } = await startHttpServer(
    {
      host: config.host,
      port: 0,
      tls: null,
      longestWaitMs: 30_000,
      load: { maxConnections: 100, maxConnectionsPerAddress: null },
    },
    (listeningOn) => {
      const served = { ...config, consoleUrl: `http://127.0.0.1:${listeningOn}` };
      const log = createLogger('console', config.logLevel, { write: (line) => void logLines.push(line) });
      const signIn = createSignIn({ config: served, sealing, log });
      const contact = { answeredAt: null };
      const app = createConsole(
        { config: served, log, sealing, signIn, contact, lifecycle: { isStopping: false } },
        screens,
      );
      return {
        listener: app.callback(),
        describeRefusal: () => ({ status: 400, headers: {}, body: '' }),
      };
    },
  );
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    logLines,
    async signIn(who) {
      const { id } = await makeMember(env.db, who);
      const cookie = await takeSession(url, await makeSignInCode(env.db, id));
      const kept = await sealing.open<KeptSession>('session', cookie);
      if (!kept) throw new Error('The cookie of the session does not open');
      const session = { ...kept, scopes: new Set(kept.scope.split(' ') as Scope[]) };
      return createVisitor(url, `console=${cookie}`, session);
    },
    stop: () => stopHttpServer(server, 1_000),
  };
}

/** What a cookie holds of its session. */
type KeptSession = Omit<Session, 'scopes'> & { scope: string };

/** Signs in by a link, and returns what the cookie of the session holds. */
async function takeSession(url: string, code: string): Promise<string> {
  const answer = await fetch(`${url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ code }),
    headers: { origin: url },
    redirect: 'manual',
  });
  const cookie = findCookie(answer.headers, 'console');
  if (answer.status === 303 && cookie) return cookie;
  throw new Error(`Sign-in answered ${answer.status}: ${await answer.text()}`);
}

/** Returns the value of a cookie that an answer sets; empty if the answer clears it, `null` if it says nothing of it. */
export function findCookie(headers: Headers, name: string): string | null {
  const set = headers.getSetCookie().find((text) => text.startsWith(`${name}=`));
  return set === undefined ? null : (set.split(';')[0]?.slice(name.length + 1) ?? '');
}

function createVisitor(url: string, cookie: string, session: Session): Visitor {
  const send = async (path: string, init: RequestInit): Promise<Seen> => {
    const answer = await fetch(url + path, { ...init, redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, html: await answer.text() };
  };
  const visitor: Visitor = {
    session,
    cookie,
    get: (path, headers = {}) => send(path, { headers: { cookie, ...headers } }),
    post: (path, form = {}, headers = {}) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
      }),
    preview: (path, values = {}) => visitor.post(path, { ...values, step: 'preview' }),
    async act(path, values = {}) {
      const { html, status } = await visitor.preview(path, values);
      if (status !== 200) throw new Error(`the preview of ${path} answered ${status}: ${html}`);
      return visitor.post(path, { ...values, sealed: findSealed(html), step: 'send' });
    },
  };
  return visitor;
}

/** Returns what the preview seals: the call with its Idempotency-Key. */
export function findSealed(html: string): string {
  const sealed = /name="sealed" value="([^"]+)"/.exec(html)?.[1];
  if (sealed === undefined) throw new Error(`There is no sealed form in ${html}`);
  return sealed;
}
