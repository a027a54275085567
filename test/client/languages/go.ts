import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settle } from './generated.ts';
import { findExamples, type Language, type Surroundings } from './language.ts';
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
}

/** Runs the README's example in a module of its own, as a reader would. */
async function charge(client: string, { folder, log, stack }: Surroundings): Promise<void> {
  const example = join(folder, 'example');
  mkdirSync(example);
  const [code = ''] = findExamples(readFileSync(join(client, 'README.md'), 'utf8'), 'go');
  writeFileSync(join(example, 'main.go'), code);
  const module = 'payments.example/payments';
  const go = (...args: string[]) => runProgram('go', args, { cwd: example });
  await go('mod', 'init', 'example');
  await go('mod', 'edit', '-require', `${module}@v0.0.0`, '-replace', `${module}=${client}`);
  await go('mod', 'tidy');
  await go('build', '-o', 'example', '.');
  log((await runProgram(join(example, 'example'), [], { env: await stack() })).trim());
}
