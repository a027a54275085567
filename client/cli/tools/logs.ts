import { setTimeout as sleep } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import type { Context, GlobalOptions } from '../context.ts';
import { createOutput, toPrintable, type Output } from '../output.ts';
import { connect, findProfile, type Connection } from '../session/connection.ts';

interface LogOptions extends GlobalOptions {
  lines: string;
  follow?: true;
  failed?: true;
}

/** A request of the account, as the service remembers it for some days. A trace may hold several. */
interface LoggedRequest {
  id: string;
  trace_id: string;
  method: string;
  path: string;
  status: number;
  code?: string | null;
  duration_ms?: number;
  created: string;
}

/** How often it looks for new requests, in milliseconds. */
const idleMs = 1_000;
/** The log is written a second late and by several processes, so it looks back so far, in milliseconds. */
const lookBackMs = 5_000;

/** Adds `logs tail`. */
export function addLogs(program: Command, context: Context): void {
  program
    .command('logs')
    .summary('look at the requests of the account')
    .description('Commands for the requests of the account, which the service remembers for 7 days.')
    .command('tail')
    .summary('show the newest requests, and each new one as it comes')
    .description(
      'Shows the newest writes and refusals of the account, oldest first, and goes on with each new one. Reads that ' +
        'succeeded are not in the log. `payments requests get TRACE_ID` shows one in full.',
    )
    .addOption(new Option('--lines <count>', 'how many of the past').default('10'))
    .option('--no-follow', 'end after these')
    .option('--failed', 'only those that were refused or failed')
    .addHelpText('after', '\nExample:\n  payments logs tail --failed')
    .action((_options: unknown, command: Command) => tail(context, command.optsWithGlobals<LogOptions>()));
}

async function tail(context: Context, options: LogOptions): Promise<void> {
  const connection = connect(context, findProfile(context, options), options);
  const output = createOutput(context);
  const show = (request: LoggedRequest) => {
    if (options.failed && request.status < 400) return;
    if (options.json) output.json(request);
    else output.line(sayRequest(output, request));
  };
  const count = Math.min(100, Math.max(1, Number(options.lines) || 10));
  let seen = await read(connection, 0);
  for (const request of seen.slice(-count)) show(request);
  try {
    while (options.follow) {
      await sleep(idleMs, undefined, { signal: context.signal });
      const newest = seen.at(-1);
      const newer = await read(connection, newest ? Date.parse(newest.created) - lookBackMs : 0);
      const known = new Set(seen.map(({ id }) => id));
      for (const request of newer) if (!known.has(request.id)) show(request);
      if (newer.length > 0) seen = newer;
    }
  } catch (error) {
    if (!context.signal.aborted) throw error;
  }
}

/** Returns the requests since a time in milliseconds, oldest first; the newest 100 where it is 0. */
async function read(connection: Connection, since: number): Promise<LoggedRequest[]> {
  const found: LoggedRequest[] = [];
  for await (const page of connection.pages<LoggedRequest>('/v1/requests')) {
    const wanted = page.filter(({ created }) => Date.parse(created) >= since);
    found.push(...wanted);
    if (since === 0 || wanted.length < page.length) break;
  }
  return found.toReversed();
}

function sayRequest(
  output: Output,
  { created, method, path, status, code, duration_ms: ms, trace_id: id }: LoggedRequest,
): string {
  const shown = output.paint(status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green', String(status));
  const rest = toPrintable(`${path}  ${code ?? ''}${ms === undefined ? '' : `  ${ms} ms`}  ${id}`);
  return `${created.slice(11, 19)}  ${shown}  ${method.padEnd(6)}  ${rest}`;
}
