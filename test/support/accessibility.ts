import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** The rules of accessibility, which run inside the page. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 AA, and what axe recommends. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules among them that depend on colours and sizes. */
const rulesOfLooks = {
  type: 'rule',
  values: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'],
};

/**
 * Returns each broken rule with the first elements that break it.
 *
 * @param lookedAt the same page was looked at in other colours or another width, and its style sheet hides nothing.
 */
export async function listViolations(page: Page, lookedAt = false): Promise<string[]> {
  // A script of the test, which the policy of the page does not know.
  if (!lookedAt) await page.evaluate(axe);
  const options = { runOnly: lookedAt ? rulesOfLooks : rules, resultTypes: ['violations'], preload: false };
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { html: string }[] }[];
  }>(`axe.run(${JSON.stringify(options)})`);
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 200))
        .join(' ')}`,
  );
}
