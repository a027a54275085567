import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeProtectedHeader } from 'jose';
import { adminJson } from '../../support/stack/admin.ts';
import { createTestDatabase } from '../../support/stack/app.ts';
import { environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { issuerFor } from '../../support/resources/access/oauth.ts';

/** The pause of each caller between two rounds, in milliseconds: signing costs more than anything else here. */
const pauseMs = 60;

interface Client {
  id: string;
  accountId: string;
  secret: string;
}

/** On a database of their own, so that nobody else's tokens are signed with the keys that are replaced here. */
describe('Two API processes', () => {
  let env: NodeJS.ProcessEnv;
  let urls: [first: string, second: string];
  let stop: () => Promise<unknown>;
  before(async () => {
    const { stack } = await environment();
    const database = await createTestDatabase();
    env = { ...stack.env, DATABASE_URL: database.url };
    const rates = { CLIENT_RATE_LIMIT_RPS: '10000', CLIENT_RATE_LIMIT_BURST: '10000' };
    const start = () => stack.addApi({ DATABASE_URL: database.url, ...rates });
    const [first, second] = await Promise.all([start(), start()]);
    urls = [first.url, second.url];
    stop = async () => {
      await Promise.all([first.part.stop(), second.part.stop()]);
      await database.drop();
    };
  });
  after(() => stop());

  const admin = <T>(...args: string[]) => adminJson<T>(env, args);

  async function createClient(): Promise<Client> {
    const { id: accountId } = await admin<{ id: string }>('account', 'create', 'Two processes');
    const client = ['client', 'create', accountId, 'One of it', '--scopes', 'read', '--refresh', 'on'];
    return { accountId, ...(await admin<{ id: string; secret: string }>(...client)) };
  }

  const issuerAt = (index: 0 | 1, client: Client) => issuerFor({ url: urls[index] }, client);
  const take = async (client: Client) => (await issuerAt(0, client).take()).body;

  const statusAt = async (url: string, token: string) =>
    (await fetch(`${url}/v1/charges?limit=1`, { headers: { authorization: `Bearer ${token}` } })).status;

  const readStatuses = (token: string) => Promise.all(urls.map((url) => statusAt(url, token)));

  /**
   * Asks both all the time, so that what they know is as old as it may get; ends when both refuse. Returns when the last
   * request was sent that one of them took.
   */
  async function timeUntilRefused(token: string, expected: number): Promise<number> {
    const startedAt = performance.now();
    let lastTakenAt = startedAt;
    const seen = new Set<number>();
    await eventually('both refuse it', async () => {
      const sentAt = performance.now();
      const statuses = await readStatuses(token);
      if (statuses.includes(200)) lastTakenAt = sentAt;
      for (const status of statuses) seen.add(status);
      return statuses.every((status) => status === expected);
    });
    assert.deepEqual(
      [...seen].filter((status) => status !== 200 && status !== expected),
      [],
    );
    return lastTakenAt - startedAt;
  }

  const revocations: [
    what: string,
    status: number,
    revoke: (client: Client, token: Awaited<ReturnType<typeof take>>) => Promise<unknown>,
  ][] = [
    [
      'a token that its client revoked',
      401,
      (client, { access_token: token }) => issuerAt(0, client).revoke(String(token)),
    ],
    [
      'a token that an operator revoked',
      401,
      async (_client, { access_token: token }) => {
        const file = join(mkdtempSync(join(tmpdir(), 'token-')), 'token');
        writeFileSync(file, String(token));
        await admin('token', 'revoke', file).finally(() => rmSync(dirname(file), { recursive: true }));
      },
    ],
    ['the tokens of a client that an operator disabled', 401, ({ id }) => admin('client', 'disable', id)],
    [
      'the tokens of an account that an operator disabled',
      403,
      ({ accountId }) => admin('account', 'disable', accountId),
    ],
    [
      'the tokens of a family whose refresh token was used twice',
      401,
      async (client, { refresh_token: token }) => {
        await issuerAt(0, client).refresh(String(token));
        assert.equal((await issuerAt(1, client).refresh(String(token))).body.error, 'invalid_grant');
      },
    ],
  ];
  for (const [what, status, revoke] of revocations) {
    it(`both refuse ${what} within 5 s`, async () => {
      const client = await createClient();
      const token = await take(client);
      const accessToken = String(token.access_token);
      assert.deepEqual(await readStatuses(accessToken), [200, 200]);
      await revoke(client, token);
      const elapsed = await timeUntilRefused(accessToken, status);
      assert.ok(elapsed < 5_000, `it took ${Math.round(elapsed)} ms`);
    });
  }

  it('take only new tokens of a client enabled again', async () => {
    const client = await createClient();
    const before = String((await take(client)).access_token);
    await admin('client', 'disable', client.id);
    assert.equal((await issuerAt(1, client).take()).body.error, 'invalid_client');
    await timeUntilRefused(before, 401);
    const second = Math.floor(Date.now() / 1000);
    // Whole seconds are all that a token tells of its time.
    await eventually('it is a second later', () => Date.now() / 1000 >= second + 1);
    await admin('client', 'enable', client.id);
    const after = String((await take(client)).access_token);
    await eventually('both take it', async () =>
      (await readStatuses(after)).every((status) => status === 200),
    );
    assert.deepEqual(await readStatuses(before), [401, 401]);
  });

  it('refuse nothing while the signing key rotates under load', async () => {
    const client = await createClient();
    const tokens: string[] = [];
    const refused: string[] = [];
    const over = new AbortController();

    /** Takes a token at one, and shows it and an older one to both. */
    const work = async (index: 0 | 1): Promise<void> => {
      while (!over.signal.aborted) {
        const { status, body } = await issuerAt(index, client).take('charges:read');
        // A process that is short of breath says 503 to anyone; a refusal is about the token.
        if (status === 503) continue;
        if (status !== 200) refused.push(`no token: ${status}`);
        tokens.push(String(body.access_token));
        const shown = [tokens.at(-1), tokens[Math.floor(Math.random() * tokens.length)]];
        const statuses = await Promise.all(
          shown.flatMap((token) => urls.map((url) => statusAt(url, String(token)))),
        );
        refused.push(...statuses.filter((other) => other !== 200 && other !== 503).map(String));
        await sleep(pauseMs);
      }
    };
    const working = Promise.all(([0, 1, 0, 1] as const).map(work));
    await eventually('there is load', () => tokens.length > 20);
    const [next] = await admin<{ kid: string; state: string }[]>('keys', 'rotate', '--after', '8s');
    assert.equal(next?.state, 'published');
    const publishes = async (url: string) => {
      const { keys } = (await (await fetch(`${url}/oauth2/jwks`)).json()) as { keys: { kid: string }[] };
      return keys.some(({ kid }) => kid === next.kid);
    };
    for (const url of urls) await eventually('it is published', () => publishes(url));
    const isNew = (token: string) => decodeProtectedHeader(token).kid === next.kid;
    const latest = () => tokens.slice(-20);
    await eventually('all sign with it', () => latest().every(isNew));
    over.abort();
    await working;
    assert.deepEqual(refused, []);
    assert.equal(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size, 2);
  });

  it('sign with one key after a forced replacement', async () => {
    const client = await createClient();
    const before = String((await take(client)).access_token);
    const [key, ...others] = await admin<{ kid: string; state: string }[]>('keys', 'rotate', '--now');
    assert.deepEqual([key?.state, others], ['signs', []]);
    assert.ok((await timeUntilRefused(before, 401)) < 5_000);
    for (const index of [0, 1] as const) {
      const token = await eventually('it signs with the one key', async () => {
        const taken = String((await issuerAt(index, client).take()).body.access_token);
        return decodeProtectedHeader(taken).kid === key?.kid && taken;
      });
      await eventually('both take it', async () =>
        (await readStatuses(token)).every((status) => status === 200),
      );
    }
  });
});
