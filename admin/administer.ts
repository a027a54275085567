import { parseArgs } from 'node:util';
import { isDatabaseAway } from '#db/knex.ts';
import { accountCommands } from './accounts.ts';
import { clientCommands } from './clients.ts';
import { AdminError, UsageError, type Command, type Input, type Report } from './command.ts';
import { consoleCommands } from './console.ts';
import { databaseCommands } from './database.ts';
import { keyCommands } from './keys.ts';
import { memberCommands } from './members.ts';
import { processorCommands } from './processors.ts';
import { openContext } from './context.ts';
import { secretCommands } from './secrets.ts';
import { sessionCommands } from './sessions.ts';
import { tokenCommands } from './tokens.ts';
import { findActor, runAudited } from './audit.ts';
import { usage, formatCommandUsage } from './usage.ts';

/** The commands of `npm run admin`: what an operator does by hand, in one database. */

const commands = [
  ...accountCommands,
  ...processorCommands,
  ...clientCommands,
  ...consoleCommands,
  ...memberCommands,
  ...sessionCommands,
  ...keyCommands,
  ...secretCommands,
  ...tokenCommands,
  ...databaseCommands,
];

/** @throws {UsageError} naming what there is. */
function findCommand(words: readonly string[]): Command {
  const name = words.slice(0, 2).join(' ');
  const command = commands.find((known) => known.name === name);
  if (command) return command;
  const near = commands.filter((known) => known.name.split(' ')[0] === words[0]);
  const there = (near.length > 0 ? near : commands).map((known) => known.name).join(', ');
  throw new UsageError(`There is no command "${name}"; there are: ${there}.`);
}

/** @throws {UsageError} */
function readInput(
  command: Command,
  args: readonly string[],
): Input & { by: string | undefined; json: boolean; help: boolean } {
  const options = Object.entries(command.options ?? {}).map(
    ([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }] as const,
  );
  const { values, positionals } = parse([...args], {
    ...Object.fromEntries(options),
    ...(!command.isRead && { by: { type: 'string' } }),
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  const { by, json = false, help = false, ...given } = values;
  const operands = help ? [] : requireOperands(command, positionals.slice(2));
  return {
    operands,
    options: given as Input['options'],
    by: by as string | undefined,
    json: json === true,
    help: help === true,
  };
}

type ParseOptions = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

function parse(
  args: string[],
  options: ParseOptions,
): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}.`);
  }
}

function requireOperands({ name, operands = [] }: Command, given: string[]): string[] {
  const needed = operands.filter((operand) => !operand.startsWith('['));
  const isRight = given.length >= needed.length && given.length <= operands.length && !given.includes('');
  if (isRight) return operands.map((_, index) => given[index] ?? '');
  throw new UsageError(`Use: npm run admin -- ${[name, ...operands].join(' ')}`);
}

async function run(
  command: Command,
  { by, ...input }: Input & { by: string | undefined },
  env: NodeJS.ProcessEnv,
): Promise<Report> {
  const actor = command.isRead ? null : findActor(by, env);
  const context = openContext(env);
  try {
    if (actor === null) return await command.run(input, context);
    return await runAudited(command, input, context, actor);
  } catch (error) {
    throw toAdminError(error);
  } finally {
    await context.db.destroy();
  }
}

/** Returns the error to show if the database is away, is behind, or refuses the values; otherwise `error` itself. */
function toAdminError(error: unknown): unknown {
  const { code, constraint, message } = error as { code?: string; constraint?: string; message: string };
  if (isDatabaseAway(error)) return new AdminError(`The database cannot be reached: ${code ?? message}.`);
  if (code === '42P01' || code === '42703')
    return new AdminError('The schema is behind: run `npm run migrate`.');
  if (code === '23514')
    return new AdminError(`These settings do not go together (${constraint ?? message}).`);
  return error;
}

/** The result of a command at a terminal. */
export interface Outcome {
  /** Of the process: 1 when it cannot be done, 2 when it cannot be understood. */
  code: 0 | 1 | 2;
  stdout: string;
  stderr: string;
}

/**
 * Carries out one command.
 *
 * @param args as typed behind `npm run admin --`.
 * @param env names the context it works on.
 */
export async function administer(args: string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  try {
    return await carryOut(args, env);
  } catch (error) {
    if (!(error instanceof AdminError)) throw error;
    return { code: error instanceof UsageError ? 2 : 1, stdout: '', stderr: `${error.message}\n` };
  }
}

async function carryOut(args: string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const isHelp = args.includes('--help') || args.includes('-h');
  if (words.length === 0 || (words.length === 1 && isHelp)) {
    const text = usage(commands);
    return isHelp ? toOutcome(text) : { code: 2, stdout: '', stderr: text };
  }
  const command = findCommand(args);
  const { json, help, ...input } = readInput(command, args);
  if (help) return toOutcome(formatCommandUsage(command));
  const report = await run(command, input, env);
  return toOutcome(`${json ? JSON.stringify(report.json, null, 2) : report.text}\n`);
}

function toOutcome(stdout: string): Outcome {
  return { code: 0, stdout, stderr: '' };
}
