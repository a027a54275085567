import assert from 'node:assert/strict';
import type { Browser, BrowserContext } from 'playwright-core';
import { listViolations } from '../support/accessibility.ts';
import {
  canOpen,
  createConsoleEstate,
  fillTemplate,
  isForOperators,
  places,
  type ConsoleEstate,
  type Place,
} from '../support/console-pages.ts';
import { launchBrowser, openPage } from '../support/stack/outside/browser.ts';
import { sharedConsole, type TestConsole, type Visitor } from '../support/stack/console.ts';

/** Returns what sticks out of the page, where the page is wider than the window. */
const tooWide = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const all = [...document.body.querySelectorAll('*')];
  const out = all.filter((element) => element.getBoundingClientRect().right > clientWidth);
  return out.filter((element) => !element.parentElement.closest('.scroll, .plot-frame'))
    .slice(0, 5).map((element) => element.outerHTML.slice(0, 120));
})()`;

/** Each of the three once: every page is looked at in both colours, wide and on a phone. */
const looks = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 320 },
] as const;

describe('The pages of the console in a browser', function () {
  this.timeout(180_000);
  let on: TestConsole;
  let browser: Browser;
  let estate: ConsoleEstate;
  let developer: Visitor;
  let operator: Visitor;
  before(async () => {
    on = await sharedConsole();
    ({ estate, developer } = await createConsoleEstate(on));
    operator = await on.signIn({ accountId: null, role: 'operator' });
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  const shown = places.filter((place) => canOpen(place) && place.kind !== 'download');
  const findVisitor = (place: Place) => (isForOperators(place) ? operator : developer);

  for (const { scheme, width } of looks) {
    it(`break no rule in ${scheme} colours, ${width} pixels wide`, async () => {
      const found: string[] = [];
      for (const visitor of [developer, operator]) {
        const { page, faults } = await openPage(browser, on.url);
        await signIn(page.context(), on.url, visitor);
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 800 });
        for (const place of shown.filter((one) => findVisitor(one) === visitor)) {
          await page.goto(on.url + fillTemplate(place, estate));
          for (const element of await page.evaluate<string[]>(tooWide))
            found.push(`${place.template} is too wide: ${element}`);
          for (const violation of await listViolations(page)) found.push(`${place.template}: ${violation}`);
        }
        await page.close();
        assert.deepEqual(faults, { console: [], requests: [] });
      }
      assert.deepEqual(found, []);
    });
  }

  it('run nothing that a merchant has typed', async () => {
    const attack = `</script><img src=x onerror="window.attacked=1">" onfocus="window.attacked=1" autofocus x="`;
    const { merchant } = estate;
    const charge = await merchant.charge({ description: attack, metadata: { note: attack } });
    const { page, faults } = await openPage(browser, on.url);
    await signIn(page.context(), on.url, developer);
    for (const path of [
      `/payments/${charge.body.id}`,
      `/operations/new-export?status=${encodeURIComponent(attack)}`,
    ]) {
      await page.goto(on.url + path);
      assert.equal(await page.evaluate('window.attacked'), undefined, path);
    }
    await page.close();
    assert.deepEqual(faults, { console: [], requests: [] });
  });
});

/** Gives the browser the cookie of somebody who has signed in, and no other. */
async function signIn(context: BrowserContext, url: string, { cookie }: Visitor): Promise<void> {
  await context.clearCookies();
  const cookies = cookie.split('; ').map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
  });
  await context.addCookies(cookies);
}
