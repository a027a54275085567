import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface Entry {
  optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Entry>;
};

/** Where Node looks for a package that one at `from` asks for. */
function lookupPaths(from: string, name: string): string[] {
  const nested = `${from && `${from}/`}node_modules/${name}`;
  const parent = from.lastIndexOf('node_modules/');
  return parent < 0 ? [nested] : [nested, ...lookupPaths(from.slice(0, parent).replace(/\/$/, ''), name)];
}

describe('package-lock.json', () => {
  it('lists packages of every platform, not only this one', () => {
    // npm leaves out those that its registry has not got yet, and `npm ci` fails then, or a Mac lacks them.
    const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
      Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !lookupPaths(path, name).some((candidate) => candidate in lock.packages))
        .map((name) => `${name} (of ${path || 'the project'})`),
    );
    assert.deepEqual(missing, []);
  });

  it('names no address of a registry', () => {
    assert.ok(!JSON.stringify(lock).includes('"resolved":"http'));
  });
});
