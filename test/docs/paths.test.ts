import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchors, exists, paths, root, rootFiles } from './paths.ts';

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
