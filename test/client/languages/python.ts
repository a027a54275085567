import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installPython } from '../../support/stack/outside/python-programs.ts';
import { settle } from './generated.ts';
import { findExample, listOperations, type Language, type Surroundings } from './language.ts';
import { MissingProgram, runProgram } from './programs.ts';

/**
 * `client/python`: the types come from `datamodel-code-generator`, one file that is committed, so that `pip install`
 * needs no generator. `openapi-python-client` must take the document too, without a warning.
 */
export const python: Language = {
  name: 'Python',
  async check(surroundings) {
    const { root, log } = surroundings;
    const bin = await install(log);
    const client = join(root, 'client/python');
    await generate(bin, client, surroundings);
    requireAllOperations(client, surroundings);
    await generateWhole(bin, surroundings);
    await runProgram(join(bin, 'pip'), ['install', '--quiet', '--no-deps', '--force-reinstall', client]);
    await runProgram(join(bin, 'mypy'), ['src', 'tests'], { cwd: client });
    const tests = ['-m', 'unittest', 'discover', '-s', 'tests'];
    log((await runProgram(join(bin, 'python'), tests, { cwd: client, env: surroundings.faults })).trim());
    await charge(bin, client, surroundings);
  },
};

async function install(log: (line: string) => void): Promise<string> {
  const requirements = new URL('requirements.txt', import.meta.url).pathname;
  const program = { name: 'python-client', program: 'python', requirements };
  try {
    return dirname(await installPython(program, log));
  } catch (error) {
    throw new MissingProgram((error as Error).message);
  }
}

const header = '# Made from openapi.json by `npm run clients -- --write`.';

async function generate(bin: string, client: string, { root, folder, document, write }: Surroundings) {
  // Its name is that of a module of Python, which must not lie beside the example.
  const types = join(folder, 'made/types.py');
  mkdirSync(join(folder, 'made'));
  await runProgram(join(bin, 'datamodel-codegen'), [
    '--input',
    join(root, 'openapi.json'),
    '--input-file-type',
    'openapi',
    '--output',
    types,
    '--output-model-type',
    'typing.TypedDict',
    '--target-python-version',
    '3.10',
    '--openapi-scopes',
    'schemas',
    'parameters',
    'paths',
    '--enum-field-as-literal',
    'all',
    '--use-operation-id-as-name',
    '--no-use-closed-typed-dict',
    '--use-field-description',
    '--use-schema-description',
    '--formatters',
    'builtin',
    '--use-union-operator',
    '--use-standard-collections',
    '--custom-file-header',
    header,
  ]);
  const source = join(client, 'src/payments_client');
  settle(join(source, 'types.py'), readFileSync(types, 'utf8'), write);
  const operations = listOperations(document).map(
    ({ operationId, method, path }) => `${constant(operationId)}: Operation = ("${method}", "${path}")`,
  );
  const lines = [
    header,
    'Operation = tuple[str, str]',
    `API_VERSION = "${document.info.version}"`,
    ...operations,
  ];
  settle(join(source, '_operations.py'), `${lines.join('\n')}\n`, write);
}

const constant = (operationId: string) => operationId.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

/** Results are read by the link that their operation has. */
const byLink = /^get.+Result$/;

/** @throws {Error} if the client has no method for an operation. */
function requireAllOperations(client: string, { document }: Surroundings): void {
  const folder = join(client, 'src/payments_client/resources');
  const code = readdirSync(folder)
    .filter((name) => name.endsWith('.py'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
  const missing = listOperations(document)
    .map(({ operationId }) => operationId)
    .filter((id) => !byLink.test(id) && !new RegExp(`\\bop\\.${constant(id)}\\b`).test(code));
  if (missing.length > 0) throw new Error(`client/python has no method for ${missing.join(', ')}`);
}

/** The common generator of whole clients: whoever prefers it finds every operation. */
async function generateWhole(bin: string, { root, folder }: Surroundings): Promise<void> {
  const config = join(folder, 'openapi-python-client.json');
  const octets = 'application/octet-stream';
  writeFileSync(
    config,
    JSON.stringify({
      post_hooks: [],
      content_type_overrides: { 'application/x-ndjson': octets, 'text/csv': octets },
    }),
  );
  await runProgram(join(bin, 'openapi-python-client'), [
    'generate',
    '--path',
    join(root, 'openapi.json'),
    '--output-path',
    join(folder, 'whole'),
    '--meta',
    'none',
    '--config',
    config,
    '--fail-on-warning',
  ]);
}

/** Runs the README's example, as a reader would. */
async function charge(bin: string, client: string, { folder, log, stack }: Surroundings): Promise<void> {
  const example = join(folder, 'example.py');
  writeFileSync(example, findExample(readFileSync(join(client, 'README.md'), 'utf8'), 'python'));
  log((await runProgram(join(bin, 'python'), [example], { env: await stack() })).trim());
}
