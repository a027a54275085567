import type { Command } from 'commander';
import type { Context, GlobalOptions } from '../context.ts';
import { CliError, wrongUse } from '../exits.ts';
import { createOutput, type Output } from '../output.ts';
import { connect, findProfile, type Connection } from '../session/connection.ts';
import { refuse } from '../session/failures.ts';
import type { Profile } from '../session/profiles.ts';
import { post, type Event } from './forward.ts';
import { findSecret, readTarget } from './listen.ts';

interface ReplayOptions extends GlobalOptions {
  forwardTo?: string;
  endpoint?: string;
  secretFile?: string;
}

const ifLost =
  'If the receiver does not get it, run the command again: a receiver drops duplicates by their id';

/** Adds `replay`. */
export function addReplay(program: Command, context: Context): void {
  program
    .command('replay')
    .summary('send an event or a delivery once more')
    .description(
      'For a delivery (wd_…), the service sends it once more to its endpoint. For an event (evt_…), it sends it once ' +
        'more to each endpoint that it went to, or to --endpoint alone; with --forward-to this command posts it itself.',
    )
    .argument('<id>', 'an event (evt_…) or a delivery (wd_…)')
    .option('--forward-to <url>', 'a receiver on this machine, for an event')
    .option('--endpoint <id>', 'only this endpoint (we_…), for an event')
    .option('--secret-file <file>', 'a file with the webhook secret (default: as of `payments listen`)')
    .addHelpText(
      'after',
      '\nExample:\n  payments replay evt_01JF3Z… --forward-to http://127.0.0.1:4000/webhooks',
    )
    .action((id: string, _options: unknown, command: Command) =>
      replay(context, id, command.optsWithGlobals<ReplayOptions>()),
    );
}

async function replay(context: Context, id: string, options: ReplayOptions): Promise<void> {
  const isEvent = id.startsWith('evt_');
  if (!isEvent && !id.startsWith('wd_'))
    throw wrongUse(
      `"${id}" is neither an event (evt_…) nor a delivery (wd_…). \`payments events list\` shows events`,
    );
  const profile = findProfile(context, options);
  const connection = connect(context, profile, options);
  const output = createOutput(context);
  if (isEvent && options.forwardTo !== undefined)
    return forward({ context, connection, output, profile }, id, {
      ...options,
      forwardTo: options.forwardTo,
    });
  const deliveries = isEvent ? await findDeliveries(connection, id, options.endpoint) : [id];
  for (const delivery of deliveries) await sendAgain(connection, output, delivery, options.json ?? false);
}

interface Sender {
  context: Context;
  connection: Connection;
  output: Output;
  profile: Profile;
}

async function forward(
  { context, connection, output, profile }: Sender,
  id: string,
  options: ReplayOptions & { forwardTo: string },
): Promise<void> {
  const url = readTarget(options.forwardTo);
  const secret = findSecret(context, options.secretFile, profile);
  const event = await connection.read<Event>(`/v1/events/${encodeURIComponent(id)}`);
  const answer = await post(url, secret, event, context.signal).catch((error: Error) => {
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    throw new CliError('refused', `${url} gave no answer: ${reason}. Is your receiver running there?`);
  });
  if (options.json) output.json({ event: id, ...answer });
  else output.line(`${id}  ${answer.status ?? 'no answer'}  ${answer.ms} ms`);
  if (answer.status === null || answer.status >= 300)
    throw new CliError('refused', `Your receiver did not accept ${id}`);
}

/** Returns the first delivery of the event to each endpoint. @throws {CliError} if there is none */
async function findDeliveries(connection: Connection, event: string, endpoint?: string): Promise<string[]> {
  const { data } = await connection.read<{ data: { id: string; endpoint: string }[] }>(
    '/v1/webhook-deliveries',
    { event, limit: '100' },
  );
  // The list is newest first, so the last one of an endpoint is its first delivery.
  const firsts = new Map(data.map((delivery) => [delivery.endpoint, delivery.id] as const));
  const found = [...firsts].filter(([to]) => endpoint === undefined || to === endpoint).map(([, id]) => id);
  if (found.length > 0) return found;
  throw wrongUse(
    `${event} was delivered to no ${endpoint ?? 'endpoint'}. To post it to a receiver yourself, add --forward-to URL`,
  );
}

async function sendAgain(connection: Connection, output: Output, id: string, isJson: boolean): Promise<void> {
  const path = `/v1/webhook-deliveries/${encodeURIComponent(id)}:replay`;
  const answer = await connection.request('POST', path, { body: {}, ifLost });
  if (answer.status >= 400) refuse(answer);
  const made = answer.body as { id: string; event: string; endpoint: string };
  if (isJson) output.json(made);
  else output.line(`${made.event} goes to ${made.endpoint} once more, as ${made.id}`);
}
