import { readFileSync } from 'node:fs';
import { adviceMeanings, declines } from '#domain/cards/decline-advice.ts';
import { failureAdvice } from '#domain/charge-failures.ts';
import { problems } from '#domain/problems.ts';
import { scopes } from '#domain/scopes.ts';
import { apiVersions, currentVersion, findDeprecation } from '#domain/versions/versions.ts';
import { problemCodes } from '../http/problem-schema.ts';
import { describeScope } from '../openapi/scopes.ts';
import { once } from './assets.ts';
import { drawChargeLife } from './charge-life.ts';
import { escapeHtml, page, prose } from './html.ts';
import { listHeadings, renderMarkdown, scrollable } from './markdown.ts';

/** The guides as pages: the Markdown files of `docs/guides/`, and those of `docs/` that are for merchants too. */

/** The guides by their names, in the order of the contents. The first one is the page of GET /docs. */
export const guides = {
  quickstart: 'Quickstart',
  'quickstart-typescript': 'TypeScript',
  'quickstart-python': 'Python',
  'quickstart-go': 'Go',
  'quickstart-java': 'Java',
  'keys-and-retries': 'Keys and retries',
  'errors-and-declines': 'Errors and declines',
  'life-of-a-charge': 'Life of a charge',
  webhooks: 'Webhooks',
  authentication: 'Authentication and scopes',
  'lists-and-limits': 'Lists and limits',
  testing: 'Testing',
  cli: 'The command line',
  'going-live': 'Going live',
  upgrading: 'Upgrading a version',
  changelog: 'Changes',
} as const;

export type Guide = keyof typeof guides;

export const guideNames = Object.keys(guides) as Guide[];

/** Parts of guides that are made from the code, so that they are always true. A comment in the text names each. */
const generated: Record<string, () => string> = {
  'life-of-a-charge': drawChargeLife,
  'decline-codes': declineTable,
  'decline-advice': adviceTable,
  'failure-codes': failureTable,
  problems: problemTable,
  scopes: scopeTable,
  versions: versionTable,
};

/** Returns the text of a guide, which is read at the first call. */
export const readGuide = once((name: Guide): string =>
  readFileSync(new URL(`../../docs/${beside.has(name) ? '' : 'guides/'}${name}.md`, import.meta.url), 'utf8'),
);

/** Guides that stand beside the folder. */
const beside: ReadonlySet<Guide> = new Set<Guide>(['webhooks', 'cli']);

export function isGuide(name: string): name is Guide {
  return Object.hasOwn(guides, name);
}

/** Returns the address of a guide. */
export function guideAddress(name: Guide): string {
  return name === guideNames[0] ? '/docs' : `/docs/${name}`;
}

/** Returns the page of a guide. */
export const guidePage = once((name: Guide): string => {
  const html = renderMarkdown(readGuide(name)).replaceAll(
    /<!-- generated: ([\w-]+) -->/g,
    (_comment, part: string) => generated[part]?.() ?? '',
  );
  return page({ title: `${guides[name]} – Payments API`, content: html, contents: contents(name) });
});

/** Returns the list of all guides, with the headings of the one that is read. */
export function contents(current?: Guide): string {
  const items = guideNames.map((name) => {
    const isCurrent = name === current;
    const inner = isCurrent ? headings(name) : '';
    const mark = isCurrent ? ' aria-current="page"' : '';
    const nested = name.startsWith('quickstart-') ? ' class="nested"' : '';
    return `<li${nested}><a href="${guideAddress(name)}"${mark}>${guides[name]}</a>${inner}</li>`;
  });
  return `<ul>${items.join('\n')}<li><a href="/docs/reference">API reference</a></li><li><a href="/problems">Problem codes</a></li></ul>`;
}

function headings(name: Guide): string {
  const items = listHeadings(readGuide(name))
    .filter(({ depth }) => depth === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
}

/** Returns the table of scopes, and what each one allows. */
function scopeTable(): string {
  return table(
    ['scope', 'what it allows'],
    scopes.map((scope) => [code(scope), prose(describeScope(scope))]),
  );
}

/** Returns the table of API versions, with the day when each ends. */
function versionTable(): string {
  const rows = apiVersions.toReversed().map((version) => {
    const end = findDeprecation(version)?.sunset;
    const state = version === currentVersion ? 'current' : `ends on ${end?.toISOString().slice(0, 10)}`;
    return [code(version), state];
  });
  return table(['version', 'state'], rows);
}

/** Returns the table of decline codes, with what to tell the buyer. */
function declineTable(): string {
  return table(
    ['code', 'what happened', 'tell the buyer', 'advice, if nobody says another'],
    Object.entries(declines).map(([name, { meaning, tell, advice }]) => [
      code(name),
      prose(meaning),
      `“${prose(tell)}”`,
      code(advice),
    ]),
  );
}

/** Returns the table of what a merchant is advised to do after a decline. */
function adviceTable(): string {
  return table(
    ['advice', 'what to do'],
    Object.entries(adviceMeanings).map(([name, meaning]) => [code(name), prose(meaning)]),
  );
}

/** Returns the table of the codes in `failure.code` of a charge. */
function failureTable(): string {
  return table(
    ['code', 'what to do'],
    Object.entries(failureAdvice).map(([name, advice]) => [code(name), prose(advice)]),
  );
}

/** Returns the table of all problem codes, by status. */
function problemTable(): string {
  const rows = problemCodes
    .toSorted((a, b) => problems[a].status - problems[b].status)
    .map((name) => {
      const { status, title, advice } = problems[name];
      return [String(status), `<a href="/problems/${name}">${code(name)}</a>`, prose(`${title}. ${advice}`)];
    });
  return table(['status', 'code', 'what to do'], rows);
}

const code = (name: string) => `<code>${name}</code>`;

function table(heads: readonly string[], rows: readonly string[][]): string {
  const head = heads.map((name) => `<th>${name}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return scrollable(`<thead><tr>${head}</tr></thead>\n<tbody>${body.join('\n')}</tbody>`);
}
