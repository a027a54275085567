import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settle } from './generated.ts';
import { findExample, listOperations, type Language, type Surroundings } from './language.ts';
import { runProgram } from './programs.ts';

/**
 * `client/go`: the types and the table of operations come from `oapi-codegen`, one file that is committed, as `go get`
 * takes what is there.
 */
export const go: Language = {
  name: 'Go',
  async check(surroundings) {
    const { root, log, faults } = surroundings;
    const client = join(root, 'client/go');
    await generate(client, surroundings);
    requireAllOperations(client, surroundings);
    await runProgram('go', ['vet', './...'], { cwd: client });
    log((await runProgram('go', ['test', '-count=1', './...'], { cwd: client, env: faults })).trim());
    await charge(client, surroundings);
  },
};

const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

const config = (output: string) => ({
  package: 'payments',
  output,
  generate: { models: true, client: true },
  compatibility: { 'always-prefix-enum-values': true },
  'output-options': {
    'name-normalizer': 'ToCamelCaseWithInitialisms',
    'exclude-tags': ['authorization'],
    // Requests are sent, and answers read, by send.go: it needs to know only where an operation is.
    'user-templates': {
      'client.tmpl':
        '// The operations of the document.\nvar (\n' +
        '{{range .}}\top{{.OperationId}} = operation{"{{.Method}}", "{{.Path}}"}\n{{end}})\n',
      'client-with-responses.tmpl': '// The end.\n',
    },
  },
});

async function generate(client: string, surroundings: Surroundings): Promise<void> {
  const { folder, document, write } = surroundings;
  // For `webhooks` it would write a sender of webhooks, which a client is not. Their types are components.
  const { webhooks: _webhooks, ...rest } = document;
  const input = join(folder, 'openapi.json');
  const output = join(folder, 'api.gen.go');
  const settings = join(folder, 'oapi-codegen.json');
  writeFileSync(input, JSON.stringify(rest));
  writeFileSync(settings, JSON.stringify(config(output)));
  await runProgram('go', ['run', generator, '-config', settings, input], { cwd: folder });
  settle(join(client, 'api.gen.go'), readFileSync(output, 'utf8'), write);
  const version = [
    '// Code generated from openapi.json by npm run clients. DO NOT EDIT.',
    'package payments\n',
    '// apiVersion is the version of the types of this package.',
    `const apiVersion = "${document.info.version}"`,
  ];
  settle(join(client, 'version.gen.go'), `${version.join('\n')}\n`, write);
}

/** Results are read by the link that their operation has. */
const byLink = /^get.+Result$/;

/** @throws {Error} if the client has no method for an operation. */
function requireAllOperations(client: string, { document }: Surroundings): void {
  const code = readdirSync(client)
    .filter((name) => /(?<!\.gen|_test)\.go$/.test(name))
    .map((name) => readFileSync(join(client, name), 'utf8'))
    .join('');
  const missing = listOperations(document)
    .map(({ operationId }) => operationId)
    .filter((id) => !byLink.test(id) && !new RegExp(`\\bop${id}\\b`, 'i').test(code));
  if (missing.length > 0) throw new Error(`client/go has no method for ${missing.join(', ')}`);
}

/** Runs the README's example in a module of its own, as a reader would. */
async function charge(client: string, { folder, log, stack }: Surroundings): Promise<void> {
  const example = join(folder, 'example');
  mkdirSync(example);
  writeFileSync(join(example, 'main.go'), findExample(readFileSync(join(client, 'README.md'), 'utf8'), 'go'));
  const module = 'payments.example/payments';
  const go = (...args: string[]) => runProgram('go', args, { cwd: example });
  await go('mod', 'init', 'example');
  await go('mod', 'edit', '-require', `${module}@v0.0.0`, '-replace', `${module}=${client}`);
  await go('mod', 'tidy');
  await go('build', '-o', 'example', '.');
  log((await runProgram(join(example, 'example'), [], { env: await stack() })).trim());
}
