import { Marked, type Tokens } from 'marked';
import { escapeHtml } from './html.ts';

/** Renders our own Markdown: guides, and the descriptions of the document. It is never given text from outside. */

/** A heading of a page, and the address of it. */
export interface Heading {
  depth: number;
  id: string;
  text: string;
}

/** Returns HTML for Markdown. Links to `name.md` lead to the guide of this name. */
export function renderMarkdown(text: string): string {
  return marked.parse(text, { async: false });
}

/** Returns the headings below the title, in their order. */
export function listHeadings(text: string): Heading[] {
  return marked
    .lexer(text)
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth > 1)
    .map(({ depth, text }) => ({ depth, id: slug(text), text: plain(text) }));
}

/** Returns the id of a heading, as GitHub makes it. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Returns a block of code that can be scrolled by keyboard. `label` names its file or language. */
export function codeBlock(code: string, label: string): string {
  const caption = label === '' ? '' : `<figcaption>${escapeHtml(label)}</figcaption>`;
  const name = escapeHtml(label || 'Example');
  return `<figure class="block">${caption}<pre tabindex="0" role="group" aria-label="${name}"><code>${escapeHtml(code)}</code></pre></figure>\n`;
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code({ text, lang = '' }) {
      const [language = '', file = ''] = lang.split(' ');
      return codeBlock(text, file.includes('.') ? file : (languages[language] ?? language));
    },
    checkbox({ checked }) {
      return `<span aria-hidden="true">${checked ? '☑' : '☐'}</span> `;
    },
    link({ href, tokens }) {
      return `<a href="${escapeHtml(toAddress(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    table({ header, rows }) {
      const cells = (row: Tokens.TableCell[], tag: string) =>
        `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
      const body = rows.map((row) => cells(row, 'td')).join('\n');
      return scrollable(`<thead>${cells(header, 'th')}</thead>\n<tbody>${body}</tbody>`);
    },
  },
});

/** Returns a table that scrolls inside the page. */
export function scrollable(table: string): string {
  return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>${table}</table></div>\n`;
}

/** What readers know the marks of code blocks as. */
const languages: Record<string, string> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
  java: 'Java',
  json: 'JSON',
  http: 'HTTP',
};

/** Returns the address of a link: guides name each other by file. */
function toAddress(href: string): string {
  const guide = /^(?:\.\.\/|guides\/)?([\w-]+)\.md(#.*)?$/.exec(href);
  return guide ? `/docs/${guide[1]}${guide[2] ?? ''}` : href;
}

function plain(markdown: string): string {
  return markdown.replaceAll('`', '');
}
