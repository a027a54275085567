import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Payments, type Answer } from '#client/src/index.ts';
import type { Database } from '#db/knex.ts';
import { anyAnswer } from '../../any-answer.ts';
import { requireDocumented } from '../../documented.ts';
import { consoleIssuer, makeMember, makeSignInCode, takeConsoleClient } from './members.ts';

/** An operator who is signed in: each answer is held against the document. */
export interface Operator {
  memberId: string;
  token: string;
  get<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>>;
  /** @param key Idempotency-Key. (Default: a fresh one) */
  post<Body = Record<string, unknown>>(path: string, body: object, key?: string): Promise<Answer<Body>>;
}

/** Signs a new operator in, by a link. */
export async function signInOperator({ url, db }: { url: string; db: Database }): Promise<Operator> {
  const client = await takeConsoleClient(db);
  const member = await makeMember(db, { accountId: null, role: 'operator' });
  const issued = await consoleIssuer({ url }, client).trade(await makeSignInCode(db, member.id));
  assert.equal(issued.status, 200, JSON.stringify(issued.body));
  const token = issued.body.access_token ?? '';
  return { memberId: member.id, token, ...withToken(url, token) };
}

/** Sends requests with a token, whosever it is. */
export function withToken(url: string, accessToken: string): Pick<Operator, 'get' | 'post'> {
  const client = new Payments({ baseUrl: url, accessToken, maxRetries: 0 });
  const send = async <Body>(method: string, path: string, options: object): Promise<Answer<Body>> => {
    const answer = await anyAnswer<Body>(client, method, path, options);
    requireDocumented({ method, path, ...answer });
    return answer;
  };
  return {
    get: (path) => send('GET', path, {}),
    post: (path, body, key = randomUUID()) => send('POST', path, { body, idempotencyKey: key }),
  };
}
