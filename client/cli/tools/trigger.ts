import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Context, GlobalOptions } from '../context.ts';
import { CliError, wrongUse } from '../exits.ts';
import { createOutput } from '../output.ts';
import { connect, findProfile, isLoopback, type Connection } from '../session/connection.ts';
import { refuse } from '../session/failures.ts';
import type { Event } from './forward.ts';
import { readMode } from './mode.ts';
import { endpointEvents, reasons, recipes, type Recipe, type Step } from './recipes.ts';

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
  if (readMode(await connection.accessToken()) === 'live')
    throw wrongUse(
      `${profile.clientId} is of a live account: this would move real money. Use a test account`,
    );
  const about = recipe
    ? await sendRecipe(connection, recipe)
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
async function sendRecipe(connection: Connection, recipe: Recipe): Promise<string> {
  const answers: Record<string, unknown> = {};
  for (const step of recipe.steps) answers[step.name] = await send(connection, fill(step, answers));
  return fill(`{${recipe.about}}`, answers);
}

/** Returns the value with its references filled in: `{charge.id}` is the member `id` of what `charge` answered. */
function fill<Value>(value: Value, answers: Record<string, unknown>): Value {
  const filled = JSON.stringify(value).replaceAll(
    /\{(\w+)\.(\w+)\}/g,
    (_match, name: string, member: string) => String((answers[name] as Record<string, unknown>)[member]),
  );
  return JSON.parse(filled) as Value;
}

async function send(connection: Connection, step: Step): Promise<unknown> {
  const { method, path, body, ifMatch, expect } = step;
  const headers: Record<string, string> = ifMatch ? { 'If-Match': ifMatch } : {};
  const answer = await connection.request(method, path, { ...(body && { body }), headers, ifLost });
  const isExpected = expect === undefined ? answer.status < 300 : answer.status === expect;
  if (isExpected) return answer.body;
  if (answer.status >= 400) refuse(answer);
  const hint =
    expect === 202 ? '. Only Stripe’s dialect of the sandbox asks buyers: PROCESSOR=stripe npm start' : '';
  throw new CliError('refused', `${method} ${path} answered ${answer.status} instead of ${expect}${hint}`);
}

/**
 * Causes an event that needs an endpoint: a receiver is opened on this machine, registered, tested and deleted. The
 * service must reach this machine, as that of `npm start` does.
 *
 * @returns the id of what the event is about: the endpoint
 */
async function causeEndpointEvent(
  context: Context,
  connection: Connection,
  type: 'endpoint.test' | 'webhook_endpoint.disabled',
): Promise<string> {
  // 410 says that the receiver is gone for ever: the service disables it.
  const receiver = await openReceiver(type === 'endpoint.test' ? 204 : 410);
  try {
    const endpoint = await createAt(connection, '/v1/webhook-endpoints', {
      url: receiver.url,
      events: ['endpoint.test'],
      description: 'Made by payments trigger',
    });
    try {
      await createAt(connection, `/v1/webhook-endpoints/${endpoint.id}:test`, {});
      if (type === 'endpoint.test') await waitForEvent(context, connection, type, endpoint.id);
      else await untilDisabled(context, connection, endpoint.id);
    } finally {
      await connection.request('DELETE', `/v1/webhook-endpoints/${endpoint.id}`);
    }
    return endpoint.id;
  } finally {
    receiver.close();
  }
}

/** Answers everything with this status, on a free port of this machine. */
async function openReceiver(status: number): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function createAt(connection: Connection, path: string, body: object): Promise<{ id: string }> {
  const answer = await connection.request('POST', path, { body, ifLost });
  const code = (answer.body as { code?: string } | null)?.code ?? '';
  if (['https_required', 'address_refused'].includes(code))
    throw new CliError(
      'refused',
      'The service does not send to this machine. This event can be triggered only where it may: with npm start',
    );
  if (answer.status >= 400) refuse(answer);
  return answer.body as { id: string };
}

async function untilDisabled({ signal }: Context, connection: Connection, id: string): Promise<void> {
  for (let looks = 0; looks < 150; looks += 1) {
    const { body } = await connection.request('GET', `/v1/webhook-endpoints/${id}`);
    if ((body as { status?: string }).status === 'disabled') return;
    await sleep(200, undefined, { signal });
  }
  throw new CliError('refused', `The endpoint ${id} was not disabled within 30 s`);
}

/** How long an event may take, in milliseconds: that of an operation comes when it has ended. */
const withinMs = 30_000;

/** Waits for the newest event of this type about this resource. @throws {CliError} if it does not come */
async function waitForEvent(
  { signal }: Context,
  connection: Connection,
  type: string,
  about: string,
): Promise<Event> {
  const began = performance.now();
  for (;;) {
    const events = await connection.read<{ data: Event[] }>('/v1/events', { type, limit: '20' });
    const found = events.data.find(({ data }) => data.object['id'] === about);
    if (found) return found;
    if (performance.now() - began > withinMs)
      throw new CliError('refused', `${type} about ${about} did not come within ${withinMs / 1_000} s`);
    await sleep(200, undefined, { signal });
  }
}
