import type { Command } from 'commander';
import type { Context, GlobalOptions } from '../context.ts';
import { CliError, wrongUse } from '../exits.ts';
import { refuse } from '../operations/answers.ts';
import { createOutput } from '../output.ts';
import { connect, findProfile, isLoopback, type Connection } from '../session/connection.ts';
import { causeEndpointEvent } from './endpoint-events.ts';
import { waitForEvent } from './event-search.ts';
import { endpointEvents, reasons, recipes, type Recipe, type Step } from './recipes.ts';
import { fill, look, type Answers } from './references.ts';

interface TriggerOptions extends GlobalOptions {
  testAccount?: true;
}

const ifLost = 'What it made stays; run the command again to make another';

/** Adds `trigger`. */
export function addTrigger(program: Command, context: Context): void {
  const names = [...Object.keys(recipes), ...endpointEvents].toSorted();
  program
    .command('trigger')
    .summary('make a real event on the sandbox')
    .description(
      'Sends the requests that cause the event, with test tokens, and waits for it. The resources are real ones of ' +
        'your account: use an account of the sandbox.',
    )
    .argument('<event>', 'the type of the event')
    .option('--test-account', 'say that an account on another machine is one for tests')
    .addHelpText(
      'after',
      `\nEvents:\n${names.map((name) => `  ${name}`).join('\n')}\n\nExample:\n  payments trigger charge.failed`,
    )
    .action((type: string, _options: unknown, command: Command) =>
      trigger(context, type, command.optsWithGlobals<TriggerOptions>()),
    );
}

async function trigger(context: Context, type: string, options: TriggerOptions): Promise<void> {
  const recipe = findRecipe(type);
  const profile = findProfile(context, options);
  if (!isLoopback(new URL(profile.url).hostname) && !options.testAccount)
    throw wrongUse(
      `This makes real resources at ${profile.url}. If the account there is for tests, add --test-account`,
    );
  const connection = connect(context, profile, options);
  const about = recipe
    ? await follow(connection, recipe)
    : await causeEndpointEvent(context, connection, type as 'endpoint.test' | 'webhook_endpoint.disabled');
  const event = await waitForEvent(context, connection, type, about);
  const output = createOutput(context);
  if (options.json) output.json(event);
  else output.line(`${event.type}  ${event.id}  sequence ${event.sequence}  about ${about}`);
}

/** Returns `null` for the events that need a receiver. @throws {CliError} for those that nobody can cause */
function findRecipe(type: string): Recipe | null {
  const recipe = recipes[type];
  if (recipe) return recipe;
  if (endpointEvents.includes(type)) return null;
  const reason = reasons[type];
  if (reason !== undefined) throw wrongUse(`${type} cannot be triggered. ${reason}`);
  const known = [...Object.keys(recipes), ...endpointEvents].toSorted().join(', ');
  throw wrongUse(`There is no event ${type}. Events that can be triggered: ${known}`);
}

/** Sends the requests in order. Returns the id of what the event is about. */
async function follow(connection: Connection, recipe: Recipe): Promise<string> {
  const answers: Answers = {};
  for (const step of recipe.steps) answers[step.name] = await send(connection, fill(step, answers));
  return String(look(recipe.about, answers));
}

async function send(connection: Connection, step: Step): Promise<unknown> {
  const { method, path, body, ifMatch, expect } = step;
  const key = crypto.randomUUID();
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await connection.request(method, path, {
    ...(body && { body }),
    headers: { ...(body && { 'Content-Type': type }), ...(ifMatch && { 'If-Match': ifMatch }) },
    idempotencyKey: key,
    ifLost,
  });
  const isExpected = expect === undefined ? answer.status < 300 : answer.status === expect;
  if (isExpected) return answer.body;
  if (answer.status >= 400) refuse(answer, { method, key, ifLost });
  const hint =
    expect === 202 ? '. Only Stripe’s dialect of the sandbox asks buyers: PROCESSOR=stripe npm start' : '';
  throw new CliError('refused', `${method} ${path} answered ${answer.status} instead of ${expect}${hint}`);
}
