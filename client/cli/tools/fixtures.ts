import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { parse } from 'yaml';
import type { Context, GlobalOptions } from '../context.ts';
import { wrongUse } from '../exits.ts';
import { refuse } from '../operations/answers.ts';
import { createOutput, type Output } from '../output.ts';
import { connect, findProfile, type Connection } from '../session/connection.ts';
import { fill, type Answers } from './references.ts';

/** One request of the file. */
interface Fixture {
  name: string;
  method: string;
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  /** The status that must come. (Default: any success) */
  expect?: number;
}

interface FixtureOptions extends GlobalOptions {
  run?: string;
}

/** Adds `fixtures`. */
export function addFixtures(program: Command, context: Context): void {
  program
    .command('fixtures')
    .summary('send the requests of a file, in order')
    .description(
      'Sends the named requests of a YAML or JSON file. A request can use what an earlier one answered: {charge.id}. ' +
        'Each has a key made from the run and its name, so the same --run repeats nothing that has happened.',
    )
    .argument('<file>', 'YAML or JSON: requests, each with name, method, path, body, query, headers, expect')
    .option('--run <id>', 'the run to go on with (default: a new one, which is printed)')
    .addHelpText('after', fileHelp)
    .action((file: string, _options: unknown, command: Command) =>
      sendFixtures(context, file, command.optsWithGlobals<FixtureOptions>()),
    );
}

const fileHelp = `
A file:
  requests:
    - name: charge
      method: POST
      path: /v1/charges
      body: { amount: 1999, currency: EUR, payment_method: tok_visa }
    - name: refund
      method: POST
      path: /v1/refunds
      body: { charge: '{charge.id}' }

Example:
  payments fixtures shop.yaml`;

async function sendFixtures(context: Context, file: string, options: FixtureOptions): Promise<void> {
  const fixtures = readFixtures(file);
  const connection = connect(context, findProfile(context, options), options);
  const output = createOutput(context);
  const run = options.run ?? crypto.randomUUID();
  output.note(`Run ${run}. To go on with it after a failure: --run ${run}`);
  const answers: Answers = {};
  for (const fixture of fixtures)
    answers[fixture.name] = await send(
      { connection, output, run, isJson: options.json ?? false },
      fill(fixture, answers),
    );
  if (options.json) output.json(answers);
}

interface Sender {
  connection: Connection;
  output: Output;
  run: string;
  isJson: boolean;
}

async function send({ connection, output, run, isJson }: Sender, fixture: Fixture): Promise<unknown> {
  const { name, method, path, body, expect, query, headers } = fixture;
  const key = `${run}-${name}`;
  const ifLost = `Run the same command again with --run ${run}: nothing happens twice`;
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await connection.request(method, path, {
    ...(query && { query }),
    ...(body === undefined ? {} : { body }),
    headers: { ...(body !== undefined && { 'Content-Type': type }), ...headers },
    idempotencyKey: key,
    ifLost,
  });
  const isExpected = expect === undefined ? answer.status < 400 : answer.status === expect;
  const about = (answer.body as { id?: string; code?: string } | null) ?? {};
  if (!isJson) output.line(`${name}  ${answer.status}  ${about.id ?? about.code ?? ''}`.trimEnd());
  if (isExpected) return answer.body;
  if (answer.status >= 400) refuse(answer, method === 'GET' ? null : { method, key, ifLost });
  throw wrongUse(`${name} answered ${answer.status}, and the file expects ${expect}`);
}

/** @throws {CliError} with what is wrong, and where */
function readFixtures(file: string): Fixture[] {
  const content = parseFile(file);
  const requests = (content as { requests?: unknown } | null)?.requests;
  if (!Array.isArray(requests) || requests.length === 0)
    throw wrongUse(
      `${file} has no requests. It is a list under "requests:"; \`payments fixtures --help\` shows one`,
    );
  const names = new Set<string>();
  return requests.map((request: unknown, index) => {
    const fixture = readFixture(request, `Request ${index + 1} of ${file}`);
    if (names.has(fixture.name)) throw wrongUse(`${file} has two requests with the name ${fixture.name}`);
    names.add(fixture.name);
    return fixture;
  });
}

function parseFile(file: string): unknown {
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrongUse(`The file cannot be read: ${(error as Error).message}`);
  }
  try {
    // YAML holds all of JSON.
    return parse(source, { maxAliasCount: 100 }) as unknown;
  } catch (error) {
    throw wrongUse(`${file} is not YAML: ${(error as Error).message}`);
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function readFixture(given: unknown, where: string): Fixture {
  const { name, method = 'POST', path, expect, ...rest } = (given ?? {}) as Partial<Fixture>;
  if (typeof name !== 'string' || !/^[\w-]{1,60}$/.test(name))
    throw wrongUse(`${where} needs a name of letters, digits, - and _`);
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw wrongUse(`${where} needs a path, such as /v1/charges`);
  if (!methods.includes(method)) throw wrongUse(`${where}: the method is one of ${methods.join(', ')}`);
  if (expect !== undefined && !Number.isInteger(expect))
    throw wrongUse(`${where}: expect is a status, such as 402`);
  return { ...rest, name, method, path, ...(expect !== undefined && { expect }) };
}
