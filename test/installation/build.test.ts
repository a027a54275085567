import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { compileForDeployment, entries } from '#local/programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Returns the text of each program and map in `dist/deployed`, by its file. */
function readPrograms(): Map<string, string> {
  const files = readdirSync(join(root, 'dist/deployed'), { recursive: true, encoding: 'utf8' });
  const names = files.filter((name) => /\.(js|map)$/.test(name)).toSorted();
  return new Map(names.map((name) => [name, read(join('dist/deployed', name))]));
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** Returns the packages that a program imports. */
function listImports(program: string): string[] {
  const imports = program.matchAll(/(?:^import |^[^"'`]*\bfrom |import\()"([^."][^"]*)"/gm);
  const names = [...imports].map(([, name = '']) => name).filter((name) => !isBuiltin(name));
  return names.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0]);
}

describe('npm run build', () => {
  let programs: Map<string, string>;
  before(async () => {
    await compileForDeployment();
    programs = readPrograms();
  });

  it('makes the same bytes each time', async () => {
    await compileForDeployment();
    const [first, second] = [programs, readPrograms()].map((made) =>
      [...made].map(([name, text]) => [name, hash(text)]),
    );
    assert.deepEqual(second, first);
  });

  it('makes each program that docker-compose.yml names', () => {
    const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { build?: string; command?: string[] }>;
    };
    const words = Object.values(services).flatMap(({ build, command = [] }) =>
      build === '.' ? command : [],
    );
    const named = words.filter((word) => word.endsWith('.js'));
    assert.equal(named.length, Object.keys(entries).length);
    for (const program of named) assert.ok(existsSync(join(root, program)), program);
  });

  // What the image lacks would be seen at the start of a container only: `test/chart/node.sh` starts them, and CI does not.
  it('imports only packages that the image has', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { dev?: boolean } | undefined>;
    };
    const imported = new Set(
      [...programs].flatMap(([name, text]) => (name.endsWith('.js') ? listImports(text) : [])),
    );
    assert.ok(imported.has('koa') && imported.has('@temporalio/worker') && imported.has('preact'));
    // The Dockerfile takes the packages of the root's folder, without those for development.
    const missing = [...imported].filter((name) => (packages[`node_modules/${name}`] ?? { dev: true }).dev);
    assert.deepEqual(missing, []);
  });
});
