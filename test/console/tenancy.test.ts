import assert from 'node:assert/strict';
import {
  createConsoleEstate,
  isForOperators,
  listIds,
  places,
  type ConsoleEstate,
} from '../support/console-pages.ts';
import { sharedConsole, type Visitor } from '../support/stack/console.ts';

describe('A person of one account', () => {
  let developer: Visitor;
  let other: ConsoleEstate;
  before(async () => {
    const on = await sharedConsole();
    ({ developer } = await createConsoleEstate(on));
    ({ estate: other } = await createConsoleEstate(on));
  });

  /** The ids of the other account, without those in `asked`. */
  const assertHoldsNone = (html: string, what: string, asked: readonly string[] = []) => {
    const secrets = [...listIds(other), other.merchant.accountId].filter((id) => !asked.includes(id));
    for (const id of secrets) assert.ok(!html.includes(id), `${what} holds ${id}`);
  };

  const named = places.filter((place) => place.template.includes('{') && !isForOperators(place));
  for (const { template } of named) {
    it(`finds nothing of another account at ${template}`, async () => {
      for (const id of listIds(other)) {
        const { status, html } = await developer.get(template.replace(/\{\w+\}/, encodeURIComponent(id)));
        assert.equal(status, 404, id);
        assertHoldsNone(html, id);
      }
    });
  }

  it('sees nothing of another account in lists', async () => {
    const lists = places.filter(({ kind, template }) => kind === 'page' && !template.includes('{'));
    for (const place of lists.filter((each) => !isForOperators(each))) {
      for (const query of ['', ...createFilters(other)]) {
        const { html } = await developer.get(`${place.template}?${query}`);
        assertHoldsNone(
          html,
          `${place.template}?${query}`,
          listIds(other).filter((id) => query.includes(id)),
        );
      }
    }
  });

  it('finds by search what is its own alone', async () => {
    for (const id of listIds(other)) {
      const { headers, html } = await developer.post('/search', { q: id });
      assertHoldsNone(html, id, [id]);
      const address = headers.get('location');
      if (address !== null) assertHoldsNone((await developer.get(address)).html, address, [id]);
    }
  });
});

/** Filters of lists that name what belongs to the other account. */
function createFilters(other: ConsoleEstate): string[] {
  return [
    `customer=${other.customer}`,
    `charge=${other.charge}`,
    `idempotency_key=${other.key}`,
    `client=${other.client}`,
    `endpoint=${other.webhookEndpoint}`,
    `event=${other.event}`,
    `resource=${other.charge}`,
  ];
}
