import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFile } from '#local/programs.ts';

/** What the image lacks would be seen at the start of a container only: `test/chart/node.sh` starts them, and CI does not. */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the packages that the compiled programs in a folder import. */
function importedPackages(folder: string): Set<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const names = files
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(
        /(?:^import |^[^"'`]*\bfrom |import\()"([^."][^"]*)"/gm,
      ),
    ])
    .map(([, name = '']) => name)
    .filter((name) => !isBuiltin(name));
  return new Set(names.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0]));
}

describe('The image', () => {
  it('has every package that its programs import', async function () {
    this.timeout(60_000);
    // The same as those of the image, but in another folder.
    const folder = dirname(dirname(await programFile('console')));
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean } | undefined>;
    };
    const imported = importedPackages(folder);
    assert.ok(imported.has('koa') && imported.has('@temporalio/worker') && imported.has('preact'));
    // The Dockerfile takes the packages of the root's folder, without those for development.
    const missing = [...imported].filter((name) => (packages[`node_modules/${name}`] ?? { dev: true }).dev);
    assert.deepEqual(missing, []);
  });
});
