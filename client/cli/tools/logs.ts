import { setTimeout as sleep } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import type { Context, GlobalOptions } from '../context.ts';
import { refuse } from '../operations/answers.ts';
import { createOutput, toPrintable, type Output } from '../output.ts';
import { connect, findProfile, type Connection } from '../session/connection.ts';

interface LogOptions extends GlobalOptions {
  lines: string;
  follow?: true;
  failed?: true;
}

/** A request of the account, as the service remembers it for some days. */
interface LoggedRequest {
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

/** Adds `logs tail`. */
export function addLogs(program: Command, context: Context): void {
  program
    .command('logs')
    .summary('look at the requests of the account')
    .description('Commands for the requests of the account, which the service remembers for 7 days.')
    .command('tail')
    .summary('show the newest requests, and each new one as it comes')
    .description(
      'Shows the newest requests of the account, oldest first, and goes on with each new one. Reads of the log itself ' +
        'are left out. `payments requests get TRACE_ID` shows one in full.',
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
  let newest = await readUntil(connection, null, count);
  for (const request of newest) show(request);
  let last = newest.at(-1)?.trace_id ?? null;
  try {
    while (options.follow) {
      await sleep(idleMs, undefined, { signal: context.signal });
      newest = await readUntil(connection, last, 100);
      for (const request of newest) show(request);
      last = newest.at(-1)?.trace_id ?? last;
    }
  } catch (error) {
    if (!context.signal.aborted) throw error;
  }
}

/** Returns what is newer than this request, oldest first: at most `count`, and all of it where there is a request. */
async function readUntil(
  connection: Connection,
  last: string | null,
  count: number,
): Promise<LoggedRequest[]> {
  const found: LoggedRequest[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: String(count), ...(cursor && { starting_after: cursor }) };
    const answer = await connection.request('GET', '/v1/requests', { query });
    if (answer.status >= 400) refuse(answer, null);
    const { data, next_cursor: next } = answer.body as { data: LoggedRequest[]; next_cursor: string | null };
    const end = data.findIndex(({ trace_id: id }) => id === last);
    found.push(...(end < 0 ? data : data.slice(0, end)));
    cursor = end >= 0 || last === null ? null : next;
  }
  return found.filter(({ path }) => path !== '/v1/requests').toReversed();
}

function sayRequest(
  output: Output,
  { created, method, path, status, code, duration_ms: ms, trace_id: id }: LoggedRequest,
): string {
  const shown = output.paint(status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green', String(status));
  const rest = toPrintable(`${path}  ${code ?? ''}${ms === undefined ? '' : `  ${ms} ms`}  ${id}`);
  return `${created.slice(11, 19)}  ${shown}  ${method.padEnd(6)}  ${rest}`;
}
