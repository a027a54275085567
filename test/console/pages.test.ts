import assert from 'node:assert/strict';
import { request } from 'node:http';
import { assetNames, assetPath } from '#console/assets.ts';
import { roleScopes, type Role } from '#domain/roles.ts';
import { satisfies } from '#domain/scopes.ts';
import {
  canOpen,
  createConsoleEstate,
  fillTemplate,
  isForOperators,
  places,
  type ConsoleEstate,
  type Place,
} from '../support/console-pages.ts';
import { sharedConsole, type TestConsole, type Visitor } from '../support/stack/console.ts';

/** Bytes over the wire: of a first visit with its files, and of each one after. */
const mostBytes = { first: 50 * 1_024, after: 15 * 1_024 };

describe('Every page of the console', () => {
  let on: TestConsole;
  let estate: ConsoleEstate;
  const visitors = new Map<Role, Visitor>();
  before(async () => {
    on = await sharedConsole();
    const made = await createConsoleEstate(on);
    estate = made.estate;
    visitors.set('developer', made.developer);
    const { accountId } = estate.merchant;
    for (const role of ['viewer', 'support'] as const)
      visitors.set(role, await on.signIn({ accountId, role }));
    visitors.set('operator', await on.signIn({ accountId: null, role: 'operator' }));
  });

  const shown = places.filter(canOpen);
  const visit = (role: Role, place: Place) => {
    const visitor = visitors.get(role);
    if (!visitor) throw new Error(`Nobody has signed in as ${role}`);
    return visitor.get(fillTemplate(place, estate));
  };
  /** Somebody who may see it. */
  const look = (place: Place) => visit(isForOperators(place) ? 'operator' : 'developer', place);

  for (const place of shown) {
    it(`${place.template} answers its roles, and refuses others`, async () => {
      for (const role of visitors.keys()) {
        const { status, headers } = await visit(role, place);
        const may = place.scope === null || satisfies(roleScopes[role], place.scope);
        // Who works for no account begins at the service.
        if (role === 'operator' && headers.get('location') === '/service') assert.equal(place.template, '/');
        else if (may) assert.equal(status, 200, role);
        else assert.ok(status === 403 || status === 404, `${role}: ${status}`);
      }
    });
  }

  it('asks whoever has no session to sign in', async () => {
    for (const place of shown) {
      const answer = await fetch(on.url + fillTemplate(place, estate), { redirect: 'manual' });
      assert.equal(answer.status, 401, place.template);
      const html = await answer.text();
      assert.match(html, /Sign in/, place.template);
      for (const id of [estate.charge, estate.merchant.accountId]) assert.ok(!html.includes(id));
    }
  });

  it('has one heading, which begins its title', async () => {
    for (const place of shown.filter(({ kind }) => kind !== 'download')) {
      const { html } = await look(place);
      const headings = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/g)].map(([, text]) => text ?? '');
      assert.equal(headings.length, 1, place.template);
      assert.ok(html.includes(`<title>${headings[0]} · `), `${place.template}: ${headings[0]}`);
      const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, `${place.template} has an id twice`);
    }
  });

  it('is kept by no cache, and runs nothing inline', async () => {
    for (const place of shown) {
      const { headers, html } = await look(place);
      const { template } = place;
      assert.equal(headers.get('cache-control'), 'private, no-store', template);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', template);
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none'; script-src 'self';/, template);
      assert.doesNotMatch(policy, /unsafe/, template);
      if (place.kind === 'download') continue;
      assert.doesNotMatch(html, /\s(?:style|on[a-z]+)="|<style|<script(?![^>]* src="\/assets\/)/, template);
      assert.doesNotMatch(html, /<button(?![^>]* type=)/, `${template}: a button without a type`);
    }
  });

  it('is small, with its files and without', async () => {
    const sizes = await Promise.all(assetNames.map((name) => transferred(on.url + assetPath(name))));
    const files = sizes.reduce((sum, size) => sum + size, 0);
    for (const place of shown.filter(({ kind }) => kind !== 'download')) {
      const role = isForOperators(place) ? 'operator' : 'developer';
      const size = await transferred(on.url + fillTemplate(place, estate), visitors.get(role)?.cookie);
      assert.ok(size <= mostBytes.after, `${place.template} has ${size} bytes`);
      assert.ok(
        size + files <= mostBytes.first,
        `${place.template} has ${size + files} bytes with its files`,
      );
    }
  });
});

/** Returns the bytes of a compressed answer. */
function transferred(url: string, cookie = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, 'accept-encoding': 'gzip' };
    request(url, { headers }, (answer) => {
      let size = 0;
      answer.on('data', (chunk: Buffer) => (size += chunk.length));
      answer.on('end', () => resolve(size));
    })
      .on('error', reject)
      .end();
  });
}
