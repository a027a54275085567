import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const ofRoot = readdirSync(root, { withFileTypes: true }).filter(
  ({ name }) => !/^(\.git|\.local|dist|node_modules)$/.test(name),
);
const rootFolders = ofRoot.filter((entry) => entry.isDirectory()).map(({ name }) => name);
const rootFiles = ofRoot.filter((entry) => entry.isFile()).map(({ name }) => name);
const paths = [
  ...ofRoot.map(({ name }) => name),
  ...rootFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
];
const names = new Set(paths.map((path) => path.split('/').at(-1)!));

describe('The documents', () => {
  const pages = [
    ...rootFiles.filter((name) => name.endsWith('.md')),
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
    ...['guides', 'runbooks'].flatMap((folder) =>
      readdirSync(join(root, 'docs', folder)).map((name) => `docs/${folder}/${name}`),
    ),
  ];
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');

    it(`${page} names only files and folders that exist`, () => {
      // A quickstart lets its reader save some.
      const saved = [...text.matchAll(/^```\w+ ([\w./-]+)$/gm)].map(([, name]) => name);
      assert.deepEqual(
        code(text).filter((word) => !exists(word) && !saved.includes(word)),
        [],
      );
    });

    it(`${page} links only to pages and headings that exist`, () => {
      // A test of the API follows the links to its own pages.
      const links = [...text.matchAll(/\]\((?!https?:|\/)([^)#]*)(?:#([^)]*))?\)/g)];
      const broken = links.filter(([, path = '', heading]) => {
        const target = path === '' ? page : join(dirname(page), path);
        if (!paths.includes(target)) return true;
        return heading !== undefined && !anchors(target).includes(heading);
      });
      assert.deepEqual(
        broken.map(([link]) => link),
        [],
      );
    });
  }
});

/** Returns the words of every code span and code block. */
function code(text: string): string[] {
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  const spans = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(
    ([, span = '']) => span,
  );
  return [...blocks, ...spans].flatMap((part) => part.split(/[\s`'",;()]+/));
}

/** Says whether a word is no path of ours, or one that exists. A `*` stands for any name, `**` for any path. */
function exists(word: string): boolean {
  const path = word
    .replace(/^#/, '')
    .replace(/\/$/, '')
    // What `npm run build` makes of a source.
    .replace(/^dist\/deployed\/(.*)\.js$/, '$1.ts');
  if (!path.includes('/')) return !/^[\w*.-]+\.ts$/.test(path) || matches(path, [...names]);
  return !rootFolders.includes(path.split('/')[0]!) || matches(path, paths);
}

function matches(glob: string, among: string[]): boolean {
  const pattern = glob
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*\*?/g, (stars) => (stars === '**' ? '.*' : '[^/]*'));
  const whole = new RegExp(`^${pattern}$`);
  return among.some((path) => whole.test(path));
}

/** Returns the headings of a page as GitHub names them in links. */
function anchors(page: string): string[] {
  const headings = readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
