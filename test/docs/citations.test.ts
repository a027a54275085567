import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { anchors, exists, paths, root, toAnchor } from './paths.ts';

/** Comments and documents may cite only what each reader has: files of this repository, and their headings. */

const slashes = /\/\*[\s\S]*?\*\/|(?:(?<=^|\s)\/\/.*(?:\n\s*|$))+/gm;
const hashes = /(?:(?<=^|\s)#.*(?:\n\s*|$))+|"""[\s\S]*?"""/gm;

/** How comments look, by the end of the file's name. */
const comments = new Map([
  ...['ts', 'tsx', 'mjs', 'js', 'css', 'go', 'java'].map((end) => [end, slashes] as const),
  ...['sh', 'py', 'yaml', 'yml', 'toml', 'tpl', 'run', 'Dockerfile'].map((end) => [end, hashes] as const),
  ['sql', /(?:--.*(?:\n\s*|$))+/gm] as const,
  ['md', /[\s\S]+/g] as const,
]);

/** Literals of several words: the titles of tests, and what people read. */
const literals = /'[^'\n]* [^'\n]*'|"[^"\n]* [^"\n]*"|`[^`\n]* [^`\n]*`/g;

/** Documents that are not in the repository, as comments cited them. */
const unpublished = [
  /[(;:]\s+?(?:contract|decisions|design)[,;)][^,;).]{0,30}|\((?:contract|decisions|design)(?:[,;)]|\s[a-z]+ rule)[^,;).]{0,30}/gi,
  /\b(?:the|that of the) (?:contract|decisions|design)(?:['’]s\b|\b(?! of)).{0,20}/gi,
];

const texts = paths
  .filter((path) => !/(?:^|\/)(?:node_modules|dist|build|target|\.venv|histories|golden)\//.test(path))
  .flatMap((file) => {
    const comment = comments.get(basename(file).split('.').at(-1)!);
    if (!comment || !statSync(join(root, file)).isFile()) return [];
    const text = readFileSync(join(root, file), 'utf8');
    const said = [...text.matchAll(comment)].map(([part]) =>
      part.replaceAll(/\n\s*(?:\*|\/\/|#|--)/g, '\n '),
    );
    const literal = comment === slashes ? [...text.matchAll(literals)].map(([part]) => part) : [];
    return [{ file, said, shown: [...said, ...literal] }];
  });

describe('Comments and documents', () => {
  it('cite no document that is not published', () => {
    const cited = texts.flatMap(({ file, shown }) =>
      shown.flatMap((part) =>
        unpublished.flatMap((pattern) => [...part.matchAll(pattern)].map(([words]) => `${file}: ${words}`)),
      ),
    );
    assert.deepEqual(cited, []);
  });

  it('cite only files that exist', () => {
    const missing = texts.flatMap(({ file, said }) =>
      // `paths.test.ts` reads the documents.
      file.endsWith('.md')
        ? []
        : said.flatMap((part) =>
            listPaths(part)
              .filter((path) => !exists(path) && !paths.includes(join(dirname(file), path)))
              .map((path) => `${file}: ${path}`),
          ),
    );
    assert.deepEqual(missing, []);
  });

  it('cite only headings that exist', () => {
    const missing = texts.flatMap(({ file, shown }) =>
      shown.flatMap((part) =>
        listHeadings(part)
          .filter(({ page, heading }) => !findPages(file, page).some((one) => anchors(one).includes(heading)))
          .map(({ page, heading }) => `${file}: ${page}, ${heading}`),
      ),
    );
    assert.deepEqual(missing, []);
  });
});

/** Returns the paths of files that a comment names, and the names of files in code spans. */
function listPaths(comment: string): string[] {
  const named = [
    ...comment.matchAll(/(?<![\w./@:-])#?[\w.-]+(?:\/[\w.*-]+)*\/[\w*-]+(?:\.[\w-]+)*\.[a-z]{2,4}\b/g),
  ];
  const spans = [...comment.matchAll(/`([\w./*#-]+)`/g)].map(([, span]) => span!);
  return [...named.map(([path]) => path), ...spans];
}

/** Returns the headings that a text cites: in quotes or bare after the name of a page and a comma, or after `#`. */
function listHeadings(text: string): { page: string; heading: string }[] {
  const titled = text.matchAll(/([\w./-]+\.md)`?,\s+(?:"([^"]+)"|([A-Z][\w ]+?)(?=[,.;)'`]))/g);
  const linked = text.matchAll(/(?<![\w./-])([\w./-]+\.md)#([\w-]+)/g);
  return [
    ...[...titled].map(([, page, quoted, plain]) => ({ page: page!, heading: toAnchor((quoted ?? plain)!) })),
    ...[...linked].map(([, page, heading]) => ({ page: page!, heading: heading! })),
  ];
}

function findPages(file: string, page: string): string[] {
  return [page, join('docs', page), join(dirname(file), page)].filter((path) => paths.includes(path));
}
