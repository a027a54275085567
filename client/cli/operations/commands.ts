import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Option, type Command } from 'commander';
import type { Context, GlobalOptions } from '../context.ts';
import { wrongUse } from '../exits.ts';
import { createOutput, toPrintable, type Output } from '../output.ts';
import { connect, findProfile, type Connection } from '../session/connection.ts';
import { refuse, type Answer } from '../session/failures.ts';
import { printList, printResource } from './answers.ts';
import { listOperations, type Document, type Operation } from './document.ts';
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
const reserved = new Set(
  'json expires signature profile server max-retries unset help data all output'.split(' '),
);

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
function withSecret({ path }: Operation, { profile }: Connection, request: BuiltRequest): BuiltRequest {
  if (!path.startsWith('/oauth2/') || request.method === 'GET') return request;
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
  if (operation.isFile) {
    const id = decodeURIComponent(request.path.split('/')[3] ?? '');
    return saveResult(context, connection.download(id), options.output);
  }
  if (options.all) return printAll(connection, output, request, options.json ?? false);
  const signed = withSecret(operation, connection, request);
  const ready = await withValidator(connection, operation, signed);
  const answer = await connection.request(ready.method, ready.path, ready);
  if (answer.status >= 400) {
    // With `--json` the problem goes where the answer would, and the sentence beside it.
    if (options.json && answer.body !== null) output.json(answer.body);
    refuse(answer);
  }
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
  if (read.status >= 400) refuse(read);
  return { ...request, headers: { ...request.headers, 'If-Match': read.headers.get('etag') ?? '*' } };
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
  { path, query }: BuiltRequest,
  isJson: boolean,
): Promise<void> {
  for await (const page of connection.pages<Record<string, unknown>>(path, query)) {
    if (!isJson) printList(output, page);
    else for (const item of page) output.json(item);
  }
}

/**
 * Writes the result of an operation to a file, or to standard output. A file appears under its name once it is whole
 * and its SHA-256 is right.
 */
async function saveResult(
  { stdout }: Context,
  chunks: AsyncIterable<Uint8Array>,
  file: string | undefined,
): Promise<void> {
  if (file === undefined)
    return pipeline(stdout.isTTY ? removeControls(chunks) : chunks, stdout, { end: false });
  const draft = `${file}.part`;
  try {
    await pipeline(chunks, createWriteStream(draft));
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    if (error instanceof Error && 'syscall' in error)
      throw wrongUse(`--output: the file cannot be written: ${error.message}`);
    throw error;
  }
}

/** Removes control characters: texts of buyers and merchants must not move the cursor of a terminal. */
async function* removeControls(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks)
    yield decoder.decode(chunk, { stream: true }).split('\n').map(toPrintable).join('\n');
}
