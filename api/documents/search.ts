import { problems } from '#domain/problems.ts';
import { problemCodes } from '../http/problem-schema.ts';
import type { OpenApiDocument } from '../openapi/open-api.ts';
import { contents, guideAddress, guideNames, guides, readGuide } from './guides.ts';
import { escapeHtml, page } from './html.ts';
import { listHeadings } from './markdown.ts';
import { listOperations, operationAddress } from './reference-pages.ts';

/** An index of texts: which of them have a word, as a part of a longer word too, and how often. */

/** More hits in one text say no more. */
const mostHits = 5;

export class SearchIndex {
  readonly #text: string;
  /** Where each text begins, and at last where a next one would. */
  readonly #starts: number[] = [0];

  /** @param texts those that are searched, without regard to case. */
  constructor(texts: readonly string[]) {
    const parts = texts.map((text) => text.toLowerCase());
    // No word holds the separator.
    this.#text = parts.join('\n');
    for (const part of parts) this.#starts.push(this.#starts.at(-1)! + part.length + 1);
  }

  /** Returns how often each text has the word, 5 times at most; texts without it are left out. */
  count(word: string): Map<number, number> {
    const hits = new Map<number, number>();
    let index = 0;
    for (let at = this.#text.indexOf(word); at !== -1; at = this.#text.indexOf(word, at)) {
      while (this.#starts[index + 1]! <= at) index += 1;
      const count = (hits.get(index) ?? 0) + 1;
      hits.set(index, count);
      at = count < mostHits ? at + word.length : this.#starts[index + 1]!;
    }
    return hits;
  }
}

/** Search over guides, operations and problem codes, in memory: a few hundred entries. What can be done once is. */

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

/** Entries that are ready to be searched. */
export interface Searchable {
  entries: readonly Entry[];
  /** Their texts as results show them. */
  plain: readonly string[];
  titles: SearchIndex;
  texts: SearchIndex;
}

/** Makes the entries ready. */
export function makeSearchable(entries: readonly Entry[]): Searchable {
  return {
    entries,
    plain: entries.map(({ text }) => toPlain(text)),
    titles: new SearchIndex(entries.map(({ title }) => title)),
    texts: new SearchIndex(entries.map(({ text }) => text)),
  };
}

/** More words narrow a search no further. */
const mostWords = 8;

function toWords(query: string): string[] {
  return [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, mostWords);
}

/** Returns the numbers of the entries that have every word, the best first: words in titles count more than in the text. */
function search({ entries, titles, texts }: Searchable, words: readonly string[]): number[] {
  let scores = new Map(entries.map(({ kind }, index) => [index, kind === 'Guide' ? 2 : 0]));
  for (const word of words) {
    const [inTitle, inText] = [titles.count(word), texts.count(word)];
    const found = [...scores].flatMap(([index, score]) => {
      const points = (inTitle.has(index) ? 10 : 0) + (inText.get(index) ?? 0);
      return points === 0 ? [] : [[index, score + points] as const];
    });
    scores = new Map(found);
  }
  const best = [...scores].toSorted(([, a], [, b]) => b - a);
  return words.length === 0 ? [] : best.slice(0, mostResults).map(([index]) => index);
}

/** Returns the page of GET /docs/search. */
export function searchPage(searchable: Searchable, query: string): string {
  const words = toWords(query);
  const found = search(searchable, words);
  const items = found.map((index) => {
    const { kind, title, address } = searchable.entries[index]!;
    const text = excerpt(searchable.plain[index]!, words[0] ?? '');
    return `<li><span class="kind">${kind}</span> <a href="${escapeHtml(address)}">${escapeHtml(title)}</a><p>${text}</p></li>`;
  });
  const lead = found.length === 0 ? 'Nothing was found. Try fewer words.' : `${found.length} places`;
  return page({
    title: 'Search – Payments API',
    content: `<h1>Search</h1>\n<p>${lead}</p>\n<ul class="list">${items.join('\n')}</ul>`,
    contents: contents(),
    query,
  });
}

/** Returns the text without its marks. */
function toPlain(text: string): string {
  return text
    .replaceAll(/[`*|#]|\]\([^)]*\)|\[/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns the text around the word. */
function excerpt(plain: string, word: string): string {
  const at = Math.max(0, plain.toLowerCase().indexOf(word) - 60);
  const cut = plain.slice(at, at + 180);
  return escapeHtml(`${at > 0 ? '…' : ''}${cut}${at + 180 < plain.length ? '…' : ''}`);
}
