import { Option, type Command } from 'commander';
import type { Context, GlobalOptions } from '../context.ts';
import { createOutput, type Output } from '../output.ts';
import { connect, findProfile, type Answer, type Connection } from '../session/connection.ts';
import type { LostWrite } from '../session/failures.ts';
import { printList, printResource, refuse } from './answers.ts';
import { listOperations, type Document, type Operation } from './document.ts';
import { saveResult } from './files.ts';
import { listFlags, type Flag } from './flags.ts';
import { nameCommand, type CommandName } from './names.ts';
import { buildRequest, sayExample, type BuiltRequest } from './request.ts';

/** Adds a command for each operation of the document. */
export function addOperations(program: Command, context: Context, document: Document): void {
  for (const operation of listOperations(document)) {
    const name = nameCommand(operation.method, operation.path);
    const parent = findResource(program, name.resource);
    const isTaken = parent.commands.some((command) => command.name() === name.verb);
    if (!isTaken) addOperation(parent, context, name, { operation, flags: listFlags(document, operation) });
  }
}

function findResource(program: Command, resource: string): Command {
  const found = program.commands.find((command) => command.name() === resource);
  if (found) return found;
  const words = resource === 'oauth2' ? 'access tokens' : resource.replaceAll('-', ' ');
  return program.command(resource).summary(`work with ${words}`).description(`Commands for ${words}.`);
}

interface Described {
  operation: Operation;
  flags: Flag[];
}

/** Flags that the whole program has; `--data` reaches a member of the same name. */
const reserved = new Set([
  'json',
  'expires',
  'signature',
  'profile',
  'server',
  'max-retries',
  'unset',
  'help',
  'data',
  'all',
  'output',
]);

/** Others can see the arguments of a process: these are taken from `--data @FILE` alone. */
const secrets = new Set(['token', 'client-secret', 'client-assertion', 'refresh-token']);

function addOperation(parent: Command, context: Context, name: CommandName, described: Described): void {
  const { operation } = described;
  const flags = described.flags.filter(({ name: flag }) => !reserved.has(flag) && !secrets.has(flag));
  const command = parent
    .command(name.verb)
    .summary(lowerFirst(operation.summary))
    .description([operation.summary, operation.description].filter(Boolean).join('.\n\n'));
  for (const argument of name.arguments) command.argument(`<${argument.replaceAll('_', '-')}>`);
  const options = flags.map((flag) => ({ flag, option: toOption(flag) }));
  for (const { option } of options) command.addOption(option);
  if (operation.body)
    command.option('--data <json>', 'the whole body; @FILE reads a file, @- standard input');
  if (isChange(operation))
    command.option(
      '--unset <member>',
      'take this member away, such as description or metadata.order',
      collect,
    );
  if (operation.isList) command.option('--all', 'every page; with --json one resource a line');
  if (operation.isFile) command.option('--output <file>', 'where the file goes (default: standard output)');
  command.addHelpText('after', `\nExample:\n  ${writeExample(name, flags)}`);
  command.action(async (...given: unknown[]) => {
    const self = given.at(-1) as Command;
    const values = self.opts<Record<string, string | string[] | true>>();
    const typed = Object.fromEntries(
      options.map(({ flag, option }) => [flag.name, values[option.attributeName()]]),
    );
    const request = buildRequest(operation, flags, {
      arguments: self.args,
      flags: typed,
      data: values['data'] as string | undefined,
      unset: values['unset'] as string[] | undefined,
    });
    await run(context, { ...self.optsWithGlobals<GlobalOptions & RunOptions>() }, operation, request);
  });
}

function toOption(flag: Flag): Option {
  const { name, kind, choices, description, isRequired } = flag;
  const words = [
    description,
    choices && choices.length <= 30 ? `(${choices.join(', ')})` : '',
    isRequired ? '[required]' : '',
  ];
  const text = words.filter(Boolean).join(' ');
  if (kind === 'boolean') return new Option(`--${name} [true|false]`, text).preset('true');
  const value = {
    amount: 'minor units',
    integer: 'number',
    pairs: 'key=value',
    json: 'json',
    texts: 'text',
    text: 'text',
  }[kind];
  const option = new Option(`--${name} <${value}>`, text);
  const isMany = kind === 'texts' || kind === 'pairs';
  return isMany ? option.argParser(collect) : option;
}

/** A merge patch (RFC 7386) takes away what it says to be `null`. */
function isChange({ body }: Operation): boolean {
  return body?.type === 'application/merge-patch+json';
}

/** A flag that is typed several times has all of its values. */
function collect(item: string, before: string[] | undefined): string[] {
  return [...(before ?? []), item];
}

function writeExample({ resource, verb, arguments: given }: CommandName, flags: readonly Flag[]): string {
  const ids = given.map((name) => (name === 'id' ? 'ID' : name.toUpperCase()));
  const typed = flags
    .filter(({ isRequired, name }) => isRequired || name === 'payment-method')
    .map((flag) => `--${flag.name} ${sayExample(flag)}`);
  return ['payments', resource, verb, ...ids, ...typed].join(' ');
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

interface RunOptions {
  all?: true;
  output?: string;
}

/** The issuer knows a client by its secret; everything else takes a token. */
function withSecret(
  { path, method }: Operation,
  { profile }: Connection,
  request: BuiltRequest,
): BuiltRequest {
  if (!path.startsWith('/oauth2/') || method === 'GET') return request;
  const { clientId, clientSecret } = profile;
  const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
  return { ...request, headers: { ...request.headers, Authorization: `Basic ${btoa(pair)}` } };
}

async function run(
  context: Context,
  options: GlobalOptions & RunOptions,
  operation: Operation,
  request: BuiltRequest,
): Promise<void> {
  const connection = connect(context, findProfile(context, options), options);
  const output = createOutput(context);
  if (operation.isFile)
    return saveResult(
      context,
      connection,
      decodeURIComponent(request.path.split('/')[3] ?? ''),
      options.output,
    );
  if (options.all) return printAll(connection, output, request, options.json ?? false);
  const key = request.idempotencyKey ?? crypto.randomUUID();
  const signed = withSecret(operation, connection, { ...request, idempotencyKey: key });
  const ready = await withValidator(connection, operation, signed);
  const answer = await connection.request(ready.method, ready.path, ready);
  if (answer.status >= 400)
    fail(answer, {
      options,
      output,
      sent: request.method === 'GET' ? null : { method: request.method, key },
    });
  printAnswer(output, answer, options);
}

/** A change names the version that it saw: where none is given, it is read now. */
async function withValidator(
  connection: Connection,
  { parameters }: Operation,
  request: BuiltRequest,
): Promise<BuiltRequest> {
  const isNeeded = parameters.some(({ name, required }) => name === 'If-Match' && required);
  if (!isNeeded || request.headers['If-Match'] !== undefined) return request;
  const read = await connection.request('GET', request.path);
  if (read.status >= 400) refuse(read, null);
  return { ...request, headers: { ...request.headers, 'If-Match': read.headers.get('etag') ?? '*' } };
}

interface Failed {
  options: GlobalOptions;
  output: Output;
  sent: LostWrite | null;
}

/** With `--json` the problem goes where the answer would, and the sentence beside it. */
function fail(answer: Answer, { options, output, sent }: Failed): never {
  if (options.json && answer.body !== null) output.json(answer.body);
  refuse(answer, sent);
}

function printAnswer(output: Output, answer: Answer, options: GlobalOptions): void {
  if (answer.status === 204 || answer.text === '') {
    if (!options.json) output.line('Done');
    return;
  }
  const body = answer.body as Record<string, unknown> | null;
  if (body === null || typeof body !== 'object') output.line(answer.text.replace(/\n$/, ''));
  else if (options.json) output.json(body);
  else if (Array.isArray(body['data'])) printPage(output, body);
  else printResource(output, body);
  if (body?.['status'] === 'requires_action' && !options.json)
    output.note('The buyer must confirm this charge: send the buyer to the URL above');
}

function printPage(output: Output, page: Record<string, unknown>): void {
  printList(output, page['data'] as Record<string, unknown>[]);
  const cursor = page['next_cursor'];
  if (typeof cursor === 'string') output.note(`There is more: add --starting-after ${cursor}, or --all`);
}

async function printAll(
  connection: Connection,
  output: Output,
  request: BuiltRequest,
  isJson: boolean,
): Promise<void> {
  const query = { limit: '100', ...request.query };
  for (
    let cursor: BuiltRequest['query'][string] | null | undefined = request.query['starting_after'];
    cursor !== null;
  ) {
    const page = await connection.request('GET', request.path, {
      query: { ...query, ...(cursor !== undefined && { starting_after: cursor }) },
    });
    if (page.status >= 400) refuse(page, null);
    const { data, next_cursor: next } = page.body as {
      data: Record<string, unknown>[];
      next_cursor: string | null;
    };
    if (!isJson) printList(output, data);
    else for (const item of data) output.json(item);
    cursor = next ?? null;
  }
}
