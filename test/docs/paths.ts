import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files and folders of the repository, and what text may say of them. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

const ofRoot = readdirSync(root, { withFileTypes: true }).filter(
  ({ name }) => !/^(\.git|\.local|dist|node_modules)$/.test(name),
);
const rootFolders = ofRoot.filter((entry) => entry.isDirectory()).map(({ name }) => name);
export const rootFiles = ofRoot.filter((entry) => entry.isFile()).map(({ name }) => name);
/** All files and folders, relative to the root. */
export const paths = [
  ...ofRoot.map(({ name }) => name),
  ...rootFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
];
const names = new Set(paths.map((path) => path.split('/').at(-1)!));

/** Says whether a word is no path of ours, or one that exists. A `*` stands for any name, `**` for any path. */
export function exists(word: string): boolean {
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

/** Returns the headings of a page as links name them. */
export function anchors(page: string): string[] {
  return [...readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    toAnchor(title),
  );
}

/** Returns the name of a heading in links, as GitHub makes it. */
export function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
