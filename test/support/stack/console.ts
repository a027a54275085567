import { randomBytes, randomUUID } from 'node:crypto';
import { createConsole } from '#console/app.ts';
import { readConsoleConfig } from '#console/config.ts';
import type { Session } from '#console/page.ts';
import { Sealing } from '#console/sealing.ts';
import type { SignedIn } from '#console/session/session.ts';
import { answerStranger } from '#console/session/strangers.tsx';
import type { Role } from '#domain/roles.ts';
import type { Scope } from '#domain/scopes.ts';
import { startHttpServer, stopHttpServer } from '#http/http-server.ts';
import { createLogger } from '#telemetry/log.ts';
import { consoleIssuer, makeMember, makeSignInCode } from '../resources/members.ts';
import { atEnd } from './at-end.ts';
import { environment, type Environment } from './environment.ts';

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
export async function startConsole({ settings = {} }: ConsoleOptions = {}): Promise<TestConsole> {
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
  const sessions = new Map<string, SignedIn>();
  const { server, port } = await startHttpServer(
    {
      host: config.host,
      port: 0,
      tls: null,
      longestWaitMs: 30_000,
      load: { maxConnections: 100, maxConnectionsPerAddress: null },
    },
    (listeningOn) => {
      const app = createConsole({
        config: { ...config, consoleUrl: `http://127.0.0.1:${listeningOn}` },
        log: createLogger('console', config.logLevel, { write: (line) => void logLines.push(line) }),
        sealing: new Sealing(config.keys),
        findSession: (ctx) => Promise.resolve(sessions.get(ctx.cookies.get('console') ?? '') ?? null),
        answerStranger,
        contact: { answeredAt: null },
        lifecycle: { isStopping: false },
      });
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
      const id = randomUUID();
      const signedIn = await takeSession(env, who);
      sessions.set(id, signedIn);
      return createVisitor(url, `console=${id}`, signedIn.session);
    },
    stop: () => stopHttpServer(server, 1_000),
  };
}

async function takeSession(env: Environment, who: Parameters<TestConsole['signIn']>[0]): Promise<SignedIn> {
  const { clientId: id, clientSecret: secret } = env.stack.secrets.console;
  const member = await makeMember(env.db, who);
  const code = await makeSignInCode(env.db, member.id);
  const { body } = await consoleIssuer({ url: env.stack.apiUrl }, { id, secret }).trade(code);
  const { access_token: token, session, account, scope } = body as unknown as Traded;
  if (token === undefined) throw new Error(`The API gave no token: ${JSON.stringify(body)}`);
  return {
    session: {
      id: session,
      member: { id: member.id, name: member.name },
      role: who.role,
      account,
      scopes: new Set(scope.split(' ') as Scope[]),
    },
    accessToken: () => Promise.resolve(token),
  };
}

interface Traded {
  access_token?: string;
  session: string;
  account: Session['account'];
  scope: string;
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
