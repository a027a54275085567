import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createMerchant } from '../../support/resources/merchant.ts';
import { findCookie, sharedConsole, type TestConsole } from '../../support/stack/console.ts';

/** What a page elsewhere can put behind the console's origin, as bytes of the request line. */
const targets = [
  '//evil.example/x',
  '///evil.example/x',
  '/\\evil.example/x',
  '/\\/evil.example/x',
  '/\t/evil.example/x',
  '/%2fevil.example/x',
  '/%2F%2Fevil.example/x',
  '/%5cevil.example/x',
  '/%09/evil.example/x',
  '/..//evil.example/x',
  '/.//evil.example/x',
  '/%2e%2e//evil.example/x',
  '/payments/..//evil.example/x',
  '/payments/%2e%2e//evil.example/x',
  'http://evil.example/x',
  'http://evil.example//evil.example/x',
  'http:\\\\evil.example/x',
];

interface Led {
  status: number;
  headers: Headers;
  /** Where the answer leads a browser on; `null`: nowhere. */
  to: string | null;
}

describe('An address that the console leads to', () => {
  let on: TestConsole;
  let cookie: string;
  before(async () => {
    on = await sharedConsole();
    const { accountId } = await createMerchant();
    ({ cookie } = await on.signIn({ accountId, role: 'viewer' }));
  });

  /** Sends the bytes of a request line as they are: `fetch` would clean them. */
  async function visit(target: string, headers: Record<string, string> = {}): Promise<Led> {
    const { host, port, hostname } = new URL(on.url);
    const socket = connect(Number(port), hostname);
    const lines = Object.entries({ host, connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.end(`GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => (text += part));
    await once(socket, 'close');
    const [head = '', body = ''] = text.split('\r\n\r\n', 2);
    const [first = '', ...rest] = head.split('\r\n');
    const answered = new Headers(
      rest.map((line): [string, string] => [
        line.split(':', 1)[0] ?? '',
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const refresh = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
    return {
      status: Number(first.split(' ')[1]),
      headers: answered,
      to: answered.get('location') ?? refresh ?? null,
    };
  }

  /** Asserts that a browser stays here, and behind a proxy that decodes once too. */
  function assertOurs(to: string, target: string): void {
    const { origin } = new URL(on.url);
    for (const seen of [to, decodeURIComponent(to)])
      assert.equal(new URL(seen, on.url).origin, origin, `${target} leads to ${to}`);
  }

  it('is its own for a visit from elsewhere', async () => {
    for (const target of targets) {
      const { status, to } = await visit(target, { 'sec-fetch-site': 'cross-site' });
      if (status === 400) continue;
      assert.equal(status, 200, target);
      assertOurs(to ?? '', target);
    }
  });

  it('is its own for somebody who has been led on', async () => {
    for (const target of targets) {
      const { status, to } = await visit(`${target}?arrived=1`, { cookie });
      if (status === 400) continue;
      assert.equal(status, 303, target);
      assertOurs(to ?? '', target);
    }
  });

  it('is its own after a sign-in', async () => {
    for (const target of targets) {
      const { status, headers } = await visit(target);
      if (status === 400) continue;
      assert.equal(status, 401, target);
      const kept = findCookie(headers, 'console-return') ?? '';
      assertOurs(Buffer.from(kept, 'base64url').toString(), target);
    }
  });

  it('keeps the path and the query of a page', async () => {
    const { to } = await visit('/payments?status=failed&q=a%2Fb', { 'sec-fetch-site': 'cross-site' });
    assert.equal(to, '/payments?status=failed&q=a%2Fb&arrived=1');
    const back = await visit('/payments?status=failed&arrived=1', { cookie });
    assert.equal(back.to, '/payments?status=failed');
  });
});
