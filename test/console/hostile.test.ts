import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eventually } from '../support/eventually.ts';
import { createCustomer } from '../support/resources/customers.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { createWebhookEndpoint, deadUrl } from '../support/resources/webhook-endpoints.ts';
import { startReceiver, type Receiver } from '../support/stack/outside/receiver.ts';
import { sharedConsole, type TestConsole, type Visitor } from '../support/stack/console.ts';

/** Texts that break out of a page which does not escape them. */
const attacks = [
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `' onmouseover='alert(1)`,
  '"onload="alert(1)',
  'javascript:alert(1)',
  '<svg/onload=alert(1)>',
  '</title><meta http-equiv=refresh content=0;url=//evil.example>',
  '</section></main><form action=//evil.example><button>',
  '<!--',
  ']]>',
  '&lt;b&gt;&#60;i&#62;',
  '\u202egnp.exe\u2066',
  '\u0007\u001b[31m',
  '😀'.repeat(125),
  '{{7*7}}${7*7}',
];

/** Answers that are no text, or too much of it. */
const hostileBytes = [
  Buffer.from([0x3c, 0x62, 0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x80, 0x3e, 0xf0, 0x9f]),
  Buffer.alloc(64 * 1_024, '<script>alert(1)</script>'),
  // The cut after 1 KiB is in the midst of a character.
  Buffer.from('€'.repeat(20_000)),
  Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
];

const hostileHeaders = {
  'content-type': 'text/html; charset=utf-7',
  'content-disposition': 'inline; filename="<img src=//evil-header.example>"',
  refresh: '0;url=//evil-header.example',
  'set-cookie': 'console=evil-header; Path=/',
  link: '<//evil-header.example/a.css>; rel=stylesheet',
  'x-text': '"><script>evil-header</script>',
};

/** What no page may have as it came: controls, and what turns the direction of text. */
const unseen = /[^\P{Cc}\t\n\r]|[\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

const hostile = fc.oneof(
  fc.constantFrom(...attacks),
  fc
    .tuple(fc.constantFrom(...attacks), fc.string({ unit: 'grapheme', maxLength: 40 }))
    .map((parts) => parts.join('')),
);

describe('What merchants and receivers type', () => {
  let on: TestConsole;
  let merchant: Merchant;
  let developer: Visitor;
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
    on = await sharedConsole();
    merchant = await createMerchant();
    developer = await on.signIn({ accountId: merchant.accountId, role: 'developer' });
  });

  after(() => receiver.close());

  const outline = async (path: string) => {
    const { status, html } = await developer.get(path);
    assert.equal(status, 200, path);
    // The log has the request of a payment about a second later.
    return outlineTags(html.replace(/<section[^>]* id="origin".*?<\/section>/s, ''));
  };

  /** Holds that pages have the same elements with a hostile text as with a plain one. */
  const holds = (show: (text: string) => Promise<string[]>, runs: number) => async () => {
    const plain = await Promise.all((await show('plain')).map(outline));
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const paths = await show(text);
        for (const [at, path] of paths.entries())
          assert.deepEqual(await outline(path), plain[at], `${path} with ${text}`);
      }),
      { numRuns: runs, examples: attacks.slice(0, 8).map((attack) => [attack]) },
    );
  };

  it(
    'adds nothing to the page of a payment',
    holds(async (text) => {
      const { status, body } = await merchant.charge({
        description: clip(text, 200),
        reference: printable(clip(text, 64)),
        metadata: { [printable(clip(text, 40))]: clip(text, 500) },
      });
      assert.equal(status, 201, JSON.stringify(body));
      return [`/payments/${body.id}`, `/payments/${body.id}/refund`];
    }, 20),
  );

  it(
    'adds nothing to the page of a customer',
    holds(async (text) => {
      const { id } = await createCustomer(merchant, { name: clip(text, 100), description: clip(text, 200) });
      return [`/customers/${id}`];
    }, 15),
  );

  it(
    'adds nothing to the page of an endpoint',
    holds(async (text) => {
      const url = `${deadUrl}/${encodeURIComponent(clip(text, 100))}?q=${encodeURIComponent(clip(text, 100))}`;
      const { id } = await createWebhookEndpoint(merchant, { url, description: clip(text, 100) });
      return [`/webhooks/${id}`, `/webhooks/${id}/edit`, `/webhooks/${id}/delete`];
    }, 10),
  );

  it(
    'adds nothing to the page of an event',
    holds(async (text) => {
      const { body } = await merchant.charge({
        description: clip(text, 200),
        metadata: { a: clip(text, 500) },
      });
      const events = await merchant.get<{ data: { id: string }[] }>(`/v1/events?resource=${body.id}`);
      return events.body.data.map(({ id }) => `/webhooks/events/${id}`);
    }, 10),
  );

  it('adds nothing to the page of a delivery by an answer', async () => {
    const bodies = ['plain', ...attacks, ...hostileBytes];
    const sent = new Map<string, string | Buffer>();
    receiver.answer(({ headers }, response) => {
      const id = String(headers['webhook-id']);
      const body = sent.get(id) ?? bodies[sent.size] ?? 'plain';
      sent.set(id, body);
      response.writeHead(200, hostileHeaders).end(body);
    });
    const endpoint = await createWebhookEndpoint(merchant, {
      url: `${receiver.url}/hostile`,
      events: ['refund.failed'],
    });
    for (const _ of bodies) assert.equal((await endpoint.test()).status, 202);
    const deliveries = await eventually('all answers', async () => {
      const { data } = await endpoint.deliveries('?limit=100');
      return data.length === bodies.length && data.every(({ status }) => status === 'delivered') && data;
    });
    const pages = await Promise.all(
      deliveries.map(async ({ id, event }) => {
        const { html } = await developer.get(`/webhooks/deliveries/${id}`);
        return { body: sent.get(event), html };
      }),
    );
    const plain = outlineTags(pages.find(({ body }) => body === 'plain')?.html ?? '');
    assert.ok(plain.length > 50);
    for (const { body, html } of pages) {
      assert.deepEqual(outlineTags(html), plain, String(body).slice(0, 80));
      assert.doesNotMatch(html, unseen, String(body).slice(0, 80));
      assert.doesNotMatch(html, /evil-header/);
      assert.ok(html.length < 40_000, `${html.length} characters`);
    }
  });

  it(
    'adds nothing to a page by its address',
    holds((text) => {
      const query = encodeURIComponent(text);
      const names = ['idempotency_key', 'route', 'client', 'status', 'type', 'reference', 'from', 'resource'];
      const filled = names.map((name) => `${name}=${query}`).join('&');
      return Promise.resolve([`/operations/new-export?${filled}`]);
    }, 30),
  );
});

/** Cuts a text to so many characters as the API counts them, and leaves no half of a pair. */
function clip(text: string, most: number): string {
  return Array.from(text)
    .slice(0, Math.floor(most / 2))
    .join('');
}

/** Replaces what the API refuses in a name. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}

/**
 * Returns each element with the names of its attributes, as a browser would find them: quotes end a value, and nothing else
 * does. Addresses are part of it where they lead out of the console, or run a script.
 */
function outlineTags(html: string): string[] {
  const tags = html.matchAll(/<(\/?[a-zA-Z!][^\s/>]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/g);
  return [...tags].map(([, name, attributes = '']) => {
    const found = [...attributes.matchAll(/([^\s"'=/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"']+))?/g)];
    return `${name} ${found.map(([, attribute, value = '']) => attribute + foreignAddress(attribute, value)).join(' ')}`;
  });
}

/** Returns where an attribute leads, if that is out of the console. */
function foreignAddress(attribute = '', value: string): string {
  if (!['href', 'src', 'action', 'formaction', 'content'].includes(attribute)) return '';
  const address = value.replaceAll(/^["']|["']$/g, '');
  return /^(?:\/(?!\/)|#)/.test(address) ? '' : `=${address}`;
}
