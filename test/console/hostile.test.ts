import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createCustomer } from '../support/resources/customers.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { createWebhookEndpoint, deadUrl } from '../support/resources/webhook-endpoints.ts';
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

const hostile = fc.oneof(
  fc.constantFrom(...attacks),
  fc
    .tuple(fc.constantFrom(...attacks), fc.string({ unit: 'grapheme', maxLength: 40 }))
    .map((parts) => parts.join('')),
);

describe('What merchants and receivers type', function () {
  this.timeout(120_000);
  let on: TestConsole;
  let merchant: Merchant;
  let developer: Visitor;
  before(async () => {
    on = await sharedConsole();
    merchant = await createMerchant();
    developer = await on.signIn({ accountId: merchant.accountId, role: 'developer' });
  });

  const outline = async (path: string) => {
    const { status, html } = await developer.get(path);
    assert.equal(status, 200, path);
    return outlineTags(html);
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
