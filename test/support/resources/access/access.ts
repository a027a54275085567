import type { ApiDeps } from '#api/http/deps.ts';
import { createAccountRoutes } from '#api/routes.ts';
import type { Role } from '#domain/roles.ts';
import { rememberSecret } from '../../stack/leaks.ts';
import { startApi, type TestApi } from '../../stack/app.ts';
import { consoleIssuer, makeMember, makeSignInCode, takeConsoleClient } from './members.ts';

/** What tests read of resources, lists and problems. */
export interface Shown extends Record<string, unknown> {
  id: string;
  secret: string;
  previous_secret_expires_at: string | null;
  actor: { id: string } | null;
  data: Shown[];
  errors: { pointer: string }[];
}

/** An answer with its parsed body. */
export interface AccessAnswer {
  status: number;
  headers: Headers;
  body: Shown;
}

/** Somebody who asks the API by an access token. */
export interface Asker {
  get(path: string): Promise<AccessAnswer>;
  post(path: string, body?: object, key?: string): Promise<AccessAnswer>;
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<AccessAnswer>;
}

/** A member who is signed in. */
export interface SignedIn extends Asker {
  memberId: string;
  name: string;
  session: string;
}

/** An API in this process with every route, and without a workflow: for people and what they may do. */
export interface AccessApi {
  api: TestApi;
  /** Signs a new member of the account in. (Default: the account of the API's client) */
  signIn(role: Role, accountId?: string | null): Promise<SignedIn>;
  /** Asks with this token. */
  asker(token: string): Asker;
}

export async function startAccessApi(): Promise<AccessApi> {
  const api = await startApi({ routes: (deps: ApiDeps) => createAccountRoutes(deps) });
  const issuer = consoleIssuer(api, await takeConsoleClient(api.db));
  return {
    api,
    asker: (token) => createAsker(api.url, token),
    async signIn(role, accountId = api.client.accountId) {
      const member = await makeMember(api.db, { accountId, role });
      const { body } = await issuer.trade(await makeSignInCode(api.db, member.id));
      const asker = createAsker(api.url, String(body.access_token));
      return { ...asker, memberId: member.id, name: member.name, session: String(body['session']) };
    },
  };
}

function createAsker(url: string, token: string): Asker {
  rememberSecret(token);
  const send: Asker['send'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && {
          'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: JSON.parse(text === '' ? '{}' : text) as Shown,
    };
  };
  return {
    send,
    get: (path) => send('GET', path),
    post: (path, body = {}, key = crypto.randomUUID()) =>
      send('POST', path, body, { 'idempotency-key': key }),
  };
}
