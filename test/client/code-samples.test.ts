import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describedTable } from '#api/described-table.ts';
import type { CodeSample } from '#api/openapi/code-samples.ts';
import { createDocument } from '#api/openapi/document.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

const operations = Object.values(createDocument(describedTable()).paths).flatMap((item) =>
  Object.values(item),
);
const samples = operations.flatMap((operation) => operation['x-codeSamples'] as CodeSample[]);
const inLanguage = (label: string) =>
  samples.filter((sample) => sample.label === label).map(({ source }) => source);

describe('The code samples of the document', () => {
  let folder: string;
  before(() => {
    // In the tree, so that the compiler finds the types of Node.
    mkdirSync(join(root, '.local'), { recursive: true });
    folder = mkdtempSync(join(root, '.local', 'samples-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('show each operation with curl and each client', () => {
    for (const { operationId, 'x-codeSamples': shown } of operations) {
      const labels = (shown as CodeSample[]).map(({ label }) => label);
      const clients = labels.length > 1 ? ['TypeScript', 'Python', 'Go'] : [];
      assert.deepEqual(labels, ['curl', ...clients], operationId);
    }
    assert.ok(inLanguage('TypeScript').length > 45);
  });

  it('in TypeScript fit the types of the client', async () => {
    const functions = inLanguage('TypeScript').map((source) => `async () => {\n${source}\n},`);
    const head = "import { Payments } from '../../client/src/index.ts';\ndeclare const client: Payments;\n";
    writeFileSync(
      join(folder, 'samples.ts'),
      `${head}export const samples = [\n${functions.join('\n')}\n];\n`,
    );
    const config = {
      extends: '../../tsconfig.json',
      compilerOptions: { noEmit: true, allowImportingTsExtensions: true },
      files: ['samples.ts'],
      include: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/.bin/tsc');
    await run(tsc, ['-p', folder]).catch((error: { stdout: string }) => assert.fail(error.stdout));
  });

  it('in Go fit the client', async () => {
    const functions = inLanguage('Go').map(
      (source, at) =>
        `func sample${at}(ctx context.Context, client *payments.Client) error {\n${source}\nreturn nil\n}`,
    );
    const names = ['context', 'encoding/json', 'fmt', 'os', 'payments.example/payments'];
    const imports = names.map((name) => `import "${name}"`).join('\n');
    writeFileSync(join(folder, 'samples.go'), `package samples\n${imports}\n${functions.join('\n')}\n`);
    // A package of the client's module, which is there for the compiler alone.
    const overlay = { Replace: { [join(root, 'client/go/samples/samples.go')]: join(folder, 'samples.go') } };
    writeFileSync(join(folder, 'overlay.json'), JSON.stringify(overlay));
    const args = ['build', '-overlay', join(folder, 'overlay.json'), './samples'];
    try {
      await run('go', args, { cwd: join(root, 'client/go') });
    } catch (error) {
      const { code, stderr } = error as { code: unknown; stderr?: string };
      if (code !== 'ENOENT') assert.fail(stderr);
      console.warn('    WARNING: the samples in Go were NOT TESTED: there is no go');
    }
  });

  it('in the shell are commands that it can parse', async () => {
    writeFileSync(join(folder, 'samples.sh'), inLanguage('curl').join('\n'));
    await run('bash', ['-n', join(folder, 'samples.sh')]);
  });
});
