import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { revokeSessions } from '#db/access/sessions.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant } from '../../support/resources/merchant.ts';
import { startConsole, type TestConsole, type Visitor } from '../../support/stack/console.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';

/** Cookies of sessions that have ended: whoever has one can send it as often as they like. */
describe('The cookie of a session that has ended', () => {
  let env: Environment;
  let on: TestConsole;
  let gate: Server;
  /** What came to the API, a path each. */
  let asked: string[] = [];
  let accountId: string;
  before(async () => {
    env = await environment();
    ({ accountId } = await createMerchant());
    gate = createServer((req, res) => {
      asked.push(req.url ?? '');
      void (async () => {
        const { host: _, connection: __, ...headers } = req.headers as Record<string, string>;
        const body = req.method === 'POST' ? await buffer(req) : null;
        const answer = await fetch(env.stack.apiUrl + (req.url ?? ''), {
          method: req.method ?? 'GET',
          headers,
          body,
        });
        const bytes = Buffer.from(await answer.arrayBuffer());
        res.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
        res.end(bytes);
      })();
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const { port } = gate.address() as AddressInfo;
    on = await startConsole({ settings: { CONSOLE_API_URL: `http://127.0.0.1:${port}` } });
  });
  after(async () => {
    await on.stop();
    gate.close();
    gate.closeAllConnections();
  });

  async function end(visitor: Visitor): Promise<void> {
    await revokeSessions(env.db, { sessionId: visitor.session.id });
    await eventually(
      'the session has ended',
      async () => (await visitor.get('/payments')).status === 401,
      6_000,
    );
  }

  it('costs the API no request, however often it comes', async () => {
    const visitor = await on.signIn({ accountId, role: 'viewer' });
    await end(visitor);
    asked = [];
    for (let round = 0; round < 13; round += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => visitor.get('/payments')));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401]));
    }
    assert.deepEqual(asked, []);
    await on.signIn({ accountId, role: 'viewer' });
  });

  it('has its access token sent no more after a refusal', async () => {
    const visitor = await on.signIn({ accountId, role: 'viewer' });
    assert.equal((await visitor.get('/payments')).status, 200);
    await end(visitor);
    const refused = asked.filter((path) => path.startsWith('/oauth2/token'));
    asked = [];
    await visitor.get('/payments');
    await visitor.get('/operations');
    assert.deepEqual([asked, refused.length > 0], [[], true]);
  });

  it('lasts if its access token alone was revoked', async () => {
    const visitor = await on.signIn({ accountId, role: 'viewer' });
    await visitor.get('/payments');
    // A token alone is revoked: the session lasts, and its next token is taken for the same page.
    const [{ access_jti: tokenId }] = await env
      .db('refresh_tokens as t')
      .join('refresh_families as f', 'f.id', 't.family_id')
      .where({ session_id: visitor.session.id })
      .select('access_jti');
    await env.db('revocations').insert({
      subject: `token/${tokenId}`,
      expires_at: env.db.raw(`now() + interval '20 minutes'`),
    });
    asked = [];
    await eventually(
      'another token is taken',
      async () => {
        assert.equal((await visitor.get('/payments')).status, 200);
        return asked.includes('/oauth2/token');
      },
      6_000,
    );
  });
});
