import assert from 'node:assert/strict';
import { createConsoleEstate, fillTemplate, places, type ConsoleEstate } from '../support/console-pages.ts';
import { sharedConsole, type TestConsole, type Visitor } from '../support/stack/console.ts';

/** A form that a page elsewhere has a signed-in person send: browsers say where it comes from. */
const foreign: [from: string, headers: Record<string, string>][] = [
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['another port of the same host', { 'sec-fetch-site': 'same-site' }],
  ['no page at all', { 'sec-fetch-site': 'none' }],
  ['a browser that says nothing', {}],
  ['an origin without a name', { origin: 'null' }],
];

describe('A form that was sent from elsewhere', () => {
  let on: TestConsole;
  let estate: ConsoleEstate;
  let developer: Visitor;
  before(async () => {
    on = await sharedConsole();
    ({ estate, developer } = await createConsoleEstate(on));
  });

  const takers = [
    ...places.filter(({ kind }) => kind === 'action' || kind === 'post'),
    // What is no page of the table.
    ...['/sign-in', '/sign-out'].map((template) => ({ template, scope: null, kind: 'post' as const })),
  ];

  for (const [from, headers] of foreign) {
    it(`is refused from ${from}, whatever it asks`, async () => {
      for (const place of takers) {
        for (const step of ['preview', 'send']) {
          const answer = await fetch(on.url + fillTemplate(place, estate), {
            method: 'POST',
            redirect: 'manual',
            body: new URLSearchParams({ step, q: 'x' }),
            headers: { cookie: developer.cookie, ...headers },
          });
          assert.equal(answer.status, 403, `${place.template} ${step}`);
          assert.equal(answer.headers.get('set-cookie'), null, place.template);
        }
      }
    });
  }

  it('leaves the session as it was', async () => {
    assert.equal((await developer.get('/requests')).status, 200);
  });
});
