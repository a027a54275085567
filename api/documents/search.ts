import { problems } from '#domain/problems.ts';
import type { OpenApiDocument } from '../openapi/open-api.ts';
import { problemCodes } from '../http/problem-schema.ts';
import { contents, guideAddress, guideNames, guides, readGuide } from './guides.ts';
import { escapeHtml, page } from './html.ts';
import { listHeadings } from './markdown.ts';
import { listOperations, operationAddress } from './reference-pages.ts';

/** Search over guides, operations and problem codes, in memory: a few hundred entries. */

/** A place that a search can find. */
export interface Entry {
  kind: 'Guide' | 'Operation' | 'Problem';
  title: string;
  address: string;
  text: string;
}

const mostResults = 30;

/** Returns all entries: each section of a guide, each operation of the document, each problem code. */
export function listEntries(document: OpenApiDocument): Entry[] {
  const operations = listOperations(document).map(({ method, path, operation }) => ({
    kind: 'Operation' as const,
    title: `${method} ${path}`,
    address: operationAddress(operation.operationId),
    text: `${operation.operationId} ${operation.summary} ${(operation['description'] ?? '') as string}`,
  }));
  const codes = problemCodes.map((code) => ({
    kind: 'Problem' as const,
    title: code,
    address: `/problems/${code}`,
    text: `${problems[code].title}. ${problems[code].advice}`,
  }));
  return [...guideNames.flatMap(listSections), ...operations, ...codes];
}

function listSections(name: (typeof guideNames)[number]): Entry[] {
  const text = readGuide(name);
  const headings = listHeadings(text).filter(({ depth }) => depth === 2);
  return text.split(/^## .*$/m).map((part, at) => {
    const heading = headings[at - 1];
    return {
      kind: 'Guide',
      title: heading ? `${guides[name]}: ${heading.text}` : guides[name],
      address: `${guideAddress(name)}${heading ? `#${heading.id}` : ''}`,
      text: part.replace(/^# .*$/m, '').replaceAll(/^```.*$|<!--.*-->/gm, ' '),
    };
  });
}

/** Returns the entries that have every word, the best first: words in titles count more than words in the text. */
export function search(entries: readonly Entry[], query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scored = entries.map((entry) => ({ entry, score: rate(entry, words) }));
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostResults)
    .map(({ entry }) => entry);
}

/** Returns 0 if a word is missing. */
function rate({ title, text, kind }: Entry, words: readonly string[]): number {
  const [name, body] = [title.toLowerCase(), text.toLowerCase()];
  const points = words.map(
    (word) => (name.includes(word) ? 10 : 0) + Math.min(body.split(word).length - 1, 5),
  );
  if (points.some((point) => point === 0)) return 0;
  return points.reduce((sum, point) => sum + point, kind === 'Guide' ? 2 : 0);
}

/** Returns the page of GET /docs/search. */
export function searchPage(entries: readonly Entry[], query: string): string {
  const found = search(entries, query);
  const items = found.map(
    ({ kind, title, address, text }) =>
      `<li><span class="kind">${kind}</span> <a href="${escapeHtml(address)}">${escapeHtml(title)}</a><p>${excerpt(text, query)}</p></li>`,
  );
  const lead = found.length === 0 ? 'Nothing was found. Try fewer words.' : `${found.length} places`;
  return page({
    title: 'Search – Payments API',
    content: `<h1>Search</h1>\n<p>${lead}</p>\n<ul class="list">${items.join('\n')}</ul>`,
    contents: contents(),
    query,
  });
}

/** Returns the text around the first word of the query. */
function excerpt(text: string, query: string): string {
  const plain = text
    .replaceAll(/[`*|#]|\]\([^)]*\)|\[/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const [word = ''] = query.toLowerCase().split(/\s+/).filter(Boolean);
  const at = Math.max(0, plain.toLowerCase().indexOf(word) - 60);
  const cut = plain.slice(at, at + 180);
  return escapeHtml(`${at > 0 ? '…' : ''}${cut}${at + 180 < plain.length ? '…' : ''}`);
}
