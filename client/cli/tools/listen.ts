import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';
import type { Context, GlobalOptions } from '../context.ts';
import { CliError, wrongUse } from '../exits.ts';
import { createOutput, toPrintable, type Output } from '../output.ts';
import { connect, findProfile, type Connection } from '../session/connection.ts';
import { refuse } from '../session/failures.ts';
import { readText, writeDurably } from '../session/files.ts';
import { stateFolder, type Profile } from '../session/profiles.ts';
import { postUntilAnswered, type Event, type Forwarded } from './forward.ts';

interface ListenOptions extends GlobalOptions {
  forwardTo?: string;
  events?: string;
  after?: number;
  secretFile?: string;
  printSecret?: true;
  apiVersion?: string;
}

/** How often it looks for new events while there are none, in milliseconds. */
const idleMs = 500;
/** The place is written at most this often, in milliseconds: what is lost of it is forwarded twice. */
const saveMs = 100;

/** Adds `listen`. */
export function addListen(program: Command, context: Context): void {
  program
    .command('listen')
    .summary('forward the events of the account to a receiver on this machine')
    .description(
      'Reads the events of the account in the order of their sequence, signs each as a webhook, and posts it to your ' +
        'receiver. The place is kept on disk: after a stop or a crash it goes on there, so each event arrives at ' +
        'least once. A receiver that is away gets the event when it is back. It begins with the next event.',
    )
    .option('--forward-to <url>', 'where events are posted to (default: they are only shown)')
    .option('--events <patterns>', 'only these types, such as charge.*,refund.failed')
    .option(
      '--after <sequence>',
      'begin after this sequence; 0 is the oldest event that is kept',
      readSequence,
    )
    .option(
      '--secret-file <file>',
      'a file with the webhook secret (default: PAYMENTS_WEBHOOK_SECRET, else one is made)',
    )
    .option('--api-version <date>', 'the version of the events (default: that of the account)')
    .option('--print-secret', 'print the webhook secret for your receiver, and end')
    .addHelpText('after', '\nExample:\n  payments listen --forward-to http://127.0.0.1:4000/webhooks')
    .action((_options: unknown, command: Command) =>
      listen(context, command.optsWithGlobals<ListenOptions>()),
    );
}

function readSequence(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is the sequence of an event, such as 42, or 0.');
}

async function listen(context: Context, options: ListenOptions): Promise<void> {
  const profile = findProfile(context, options);
  const output = createOutput(context);
  const secret = findSecret(context, options.secretFile, profile);
  if (options.printSecret) return output.line(secret);
  const forwardTo = options.forwardTo === undefined ? null : readTarget(options.forwardTo);
  const connection = connect(context, profile, options);
  const place = openPlace(context, { url: profile.url, clientId: profile.clientId, forwardTo });
  const from = await findStart(connection, place, options.after);
  output.note(
    `Listening from sequence ${from} on${forwardTo ? `, forwarding to ${forwardTo}` : ''}. Ctrl-C ends it`,
  );
  if (forwardTo) output.note('Your receiver verifies with the secret of `payments listen --print-secret`');
  const target = forwardTo === null ? null : { url: forwardTo, secret };
  const isWanted = matchTypes(options.events);
  try {
    const headers: Record<string, string> = options.apiVersion ? { 'API-Version': options.apiVersion } : {};
    const isJson = options.json ?? false;
    await forwardEvents({ context, connection, place, output, target, isWanted, isJson, headers }, from);
  } catch (error) {
    if (!context.signal.aborted) throw error;
  }
}

/** Returns the secret that signs: of a file, the environment or the profile. @throws {CliError} without one */
export function findSecret(context: Context, file: string | undefined, profile: Profile): string {
  const secret =
    file === undefined
      ? context.env['PAYMENTS_WEBHOOK_SECRET'] || profile.webhookSecret
      : readText('--secret-file', file).trim();
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) return secret;
  const isMissing = secret === '';
  throw wrongUse(
    `${isMissing ? 'There is no webhook secret' : 'The webhook secret is not one: it is whsec_ and base64'}. ` +
      'Set PAYMENTS_WEBHOOK_SECRET, give --secret-file, or run `payments login`, which makes one',
  );
}

/** @throws {CliError} unless it is the address of a receiver */
export function readTarget(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw wrongUse(`"${text}" is not an address. Give one such as http://127.0.0.1:4000/webhooks`);
}

/** `charge.*` stands for all types of charges, `*` for all. */
export function matchTypes(patterns = '*'): (type: string) => boolean {
  const wanted = patterns.split(',').map((pattern) => pattern.trim());
  return (type) =>
    wanted.some(
      (pattern) =>
        pattern === '*' ||
        pattern === type ||
        (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
    );
}

/** Returns the given start, the kept place, or the newest event. Stores it at once. */
async function findStart(connection: Connection, place: Place, after: number | undefined): Promise<number> {
  const kept = after ?? place.read();
  const newest = await readNewest(connection);
  if (kept !== null && kept > newest)
    throw wrongUse(
      `The place is sequence ${kept}, but the newest event is ${newest}: these are other data. Say where to begin: --after 0`,
    );
  const from = kept ?? newest;
  place.write(from);
  return from;
}

async function readNewest(connection: Connection): Promise<number> {
  const { data } = await connection.read<{ data: Event[] }>('/v1/events', { limit: '1' });
  return data[0]?.sequence ?? 0;
}

interface Following {
  context: Context;
  connection: Connection;
  place: Place;
  output: Output;
  /** `null`: events are shown only. */
  target: { url: string; secret: string } | null;
  isWanted: (type: string) => boolean;
  isJson: boolean;
  headers: Record<string, string>;
}

/** Takes event by event, for ever. It ends by an error only, and by that of the signal. */
async function forwardEvents(listener: Following, from: number): Promise<never> {
  const { context, place } = listener;
  let done = from;
  let saved = { sequence: from, at: performance.now() };
  const save = () => {
    if (done > saved.sequence) place.write(done);
    saved = { sequence: done, at: performance.now() };
  };
  try {
    for (;;) {
      const events = await readNext(listener, done);
      for (const event of events) {
        if (listener.isWanted(event.type)) await take(listener, event);
        done = event.sequence;
        if (performance.now() - saved.at >= saveMs) save();
      }
      save();
      if (events.length === 0) await sleep(idleMs, undefined, { signal: context.signal });
    }
  } finally {
    save();
  }
}

/** Reads a page. A service that is away is asked again until it is back. */
async function readNext(
  { context, connection, output, headers }: Following,
  after: number,
): Promise<Event[]> {
  const query = { order: 'asc', after_sequence: String(after), limit: '100' };
  for (let isReported = false; ; isReported = true) {
    try {
      const answer = await connection.request('GET', '/v1/events', { query, headers });
      if (answer.status < 400) return (answer.body as { data: Event[] }).data;
      if (answer.status < 500 && answer.status !== 429) refuse(answer);
      if (!isReported) output.note(`The service answers ${answer.status}. Trying again`);
    } catch (error) {
      if (context.signal.aborted || !(error instanceof CliError) || error.exit !== 'noAnswer') throw error;
      if (!isReported) output.note(`${connection.profile.url} cannot be reached. Trying again`);
    }
    await sleep(idleMs, undefined, { signal: context.signal });
  }
}

async function take({ context, output, target, isJson }: Following, event: Event): Promise<void> {
  let isReported = false;
  const onAway = (reason: string) => {
    if (!isReported) output.note(`No answer from your receiver (${reason}). Trying again`);
    isReported = true;
  };
  const answer =
    target && (await postUntilAnswered(target.url, target.secret, event, { signal: context.signal, onAway }));
  if (isJson) output.json({ event, ...(answer && { status: answer.status, ms: answer.ms }) });
  else output.line(sayTaken(output, event, answer));
}

/** Time, sequence, type and resource, and what the receiver answered in how many milliseconds. */
function sayTaken(output: Output, event: Event, answer: Forwarded | null): string {
  const { sequence, type, id, data, timestamp } = event;
  const about = typeof data.object['id'] === 'string' ? data.object['id'] : '';
  const said = `${timestamp.slice(11, 19)}  ${String(sequence).padStart(6)}  ${type.padEnd(24)}  ${id}  ${about}`;
  if (!answer) return toPrintable(said);
  const isFine = answer.status !== null && answer.status >= 200 && answer.status < 300;
  const shown = answer.status === null ? 'no answer' : String(answer.status);
  return `${toPrintable(said)}  ${output.paint(isFine ? 'green' : 'red', shown)}  ${answer.ms} ms`;
}

/** The owner of a place: another service, client or target has a place of its own. */
interface Listener {
  url: string;
  clientId: string;
  /** `null`: events are shown only. */
  forwardTo: string | null;
}

/** How far a listener has come: the `sequence` of the last event that its target answered. */
interface Place {
  /** `null`: it listens for the first time. */
  read(): number | null;
  write(sequence: number): void;
}

/** Returns the place of a listener, on disk. */
function openPlace(context: Context, listener: Listener): Place {
  const { url, clientId, forwardTo } = listener;
  const name = createHash('sha256')
    .update(JSON.stringify([url, clientId, forwardTo]))
    .digest('hex');
  const folder = join(stateFolder(context), 'listen');
  const file = join(folder, `${name.slice(0, 16)}.json`);
  return {
    read: () => readPlace(file),
    write(sequence) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeDurably(
        file,
        `${JSON.stringify({ url, client_id: clientId, forward_to: forwardTo, sequence })}\n`,
      );
    },
  };
}

function readPlace(file: string): number | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw wrongUse(`The place in ${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const { sequence } = JSON.parse(text) as { sequence: unknown };
    if (Number.isSafeInteger(sequence) && Number(sequence) >= 0) return Number(sequence);
  } catch {
    // Reported below.
  }
  throw wrongUse(`${file} does not hold a place. Say where to begin: --after SEQUENCE`);
}
