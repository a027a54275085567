import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installPython } from '../../support/stack/outside/python-programs.ts';
import { settle } from './generated.ts';
import { findExamples, type Language, type Surroundings } from './language.ts';
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

async function generate(bin: string, client: string, { root, folder, write }: Surroundings) {
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
  settle(join(client, 'src/payments_client/types.py'), readFileSync(types, 'utf8'), write);
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

/** Runs the README's examples, as a reader would: first that of the blocking client. */
async function charge(bin: string, client: string, { folder, log, stack }: Surroundings): Promise<void> {
  const example = join(folder, 'example.py');
  for (const code of findExamples(readFileSync(join(client, 'README.md'), 'utf8'), 'python')) {
    writeFileSync(example, code);
    log((await runProgram(join(bin, 'python'), [example], { env: await stack() })).trim());
  }
}
