import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import helmet from 'helmet';
import { createAccountRoutes } from '#api/routes.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { toRouteName, otherRoutes, routes } from '../../support/route-requests.ts';

/** Where we say more than helmet does by itself; of pages that are ours, see the documents' own test. */
const stricter: Record<string, RegExp> = {
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
  'x-frame-options': /^DENY$/,
};

describe('Every answer carries what helmet would set', () => {
  let api: TestApi;
  let wanted: Map<string, string>;
  before(async () => {
    wanted = await helmetHeaders();
    // A proxy that ends TLS before it says so; nobody else is believed.
    api = await startApi({ routes: createAccountRoutes, env: { TRUST_PROXY: '1' } });
  });
  after(() => api.stop());

  const secure = { 'x-forwarded-proto': 'https' };
  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(api.url + path, { method, headers: { ...secure, ...headers }, redirect: 'manual' });

  function assertHeaders(headers: Headers, isSecure = true): void {
    const faults = [...wanted].filter(([name, value]) => {
      if (name === 'strict-transport-security' && !isSecure) return headers.has(name);
      const said = headers.get(name) ?? '';
      return stricter[name] ? !stricter[name].test(said) : said !== value;
    });
    assert.deepEqual(faults, []);
    assert.equal(headers.get('x-powered-by'), null);
  }

  for (const route of [...routes, ...otherRoutes]) {
    it(`to ${toRouteName(route)} with or without a token`, async () => {
      const path = route.path.replaceAll(/\{\w+\}/g, 'charges');
      const token = await api.takeToken();
      const answers = await Promise.all([
        send(route.method, path),
        send(route.method, path, { authorization: `Bearer ${token}` }),
        send('OPTIONS', path),
      ]);
      for (const { headers } of answers) assertHeaders(headers);
    });
  }

  const others: [what: string, method: string, path: string, status: number][] = [
    ['a path that is not there', 'GET', '/nothing', 404],
    ['a method that is not there', 'DELETE', '/v1/charges', 405],
    ['a redirect', 'GET', '/v1/charges/', 308],
  ];
  for (const [what, method, path, status] of others) {
    it(`also to ${what}, over TLS`, async () => {
      const answer = await send(method, path);
      assert.equal(answer.status, status);
      assertHeaders(answer.headers);
    });
  }

  it('also to bytes that are not HTTP', async () => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write('nonsense\r\n\r\n');
    const [, ...lines] = (await text(socket)).split('\r\n\r\n')[0]!.split('\r\n');
    assertHeaders(new Headers(lines.map((line) => line.split(': ') as [string, string])), false);
  });

  it('with Strict-Transport-Security over TLS only', async () => {
    const { headers } = await fetch(`${api.url}/livez`);
    assertHeaders(headers, false);
  });
});

/** What the library sets on an answer over TLS, by default. */
async function helmetHeaders(): Promise<Map<string, string>> {
  const set = helmet();
  const server = createServer((req, res) => set(req, res, () => res.end()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const connection = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']);
    return new Map([...headers].filter(([name]) => !connection.has(name)));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
