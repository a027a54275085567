import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

describe('docs/settings.md', () => {
  const page = readFileSync('docs/settings.md', 'utf8');
  const listed = new Set(
    [...page.matchAll(/^\| (`[^|]+) \|/gmu)].flatMap(([, cell = '']) => readNames(cell)),
  );
  const sources = ['startup/environment.ts', 'console/config.ts'];
  const read = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^ {2,4}([A-Z][A-Z0-9_]+): /gmu)].map(([, name = '']) => name),
  );

  it('lists every setting that a process reads', () => {
    assert.ok(read.length > 40, `only ${read.length} settings were found`);
    assert.deepEqual(
      read.filter((name) => !listed.has(name)),
      [],
    );
  });

  it('lists no setting that no process reads', () => {
    assert.deepEqual(
      [...listed].filter((name) => !read.includes(name)),
      [],
    );
  });
});

function readNames(cell: string): string[] {
  return [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/gu)].map(([, name = '']) => name);
}
