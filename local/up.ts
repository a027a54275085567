import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { readConfig, type Config } from '#startup/config.ts';
import { ConfigError } from '#startup/settings/read.ts';
import { greeting, usage } from './greeting.ts';
import { LauncherError, findParent, sendSignal } from './processes/processes.ts';
import { withProgress } from './processes/progress.ts';
import { writeRunFile } from './run-file.ts';
import { makeDemoSignInCode } from './seed.ts';
import { allParts, startStack } from './stack.ts';
import type { Stack } from './stack.ts';

/** `npm start`: the whole stack in the foreground, until a signal stops it. */

/** A stop takes 10 s at most; what is left then is ended by force. */
const stopWithinMs = 9_500;
/** A terminal's Ctrl-C reaches this process directly, and once more through npm: both are one request to stop. */
const sameSignalMs = 1_000;

const log = (line: string) => process.stdout.write(`${line}\n`);

function parseFlags(): void {
  try {
    const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
    if (!values.help) return;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split('. ')[0]}\n\n${usage}`);
    process.exit(2);
  }
}

/** Settings that the launcher makes by itself are not required; all others are checked before anything starts. */
function readSettings(): Config {
  const made = {
    DATABASE_URL: 'postgres://made.at.start/payments',
    PROCESSOR_URL: 'http://127.0.0.1:0',
    PROCESSOR_SECRET: 'made at the first start',
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  };
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  const inFiles = Object.keys(made).filter((name) => given[`${name}_FILE`]);
  const missing = Object.entries(made).filter(([name]) => !inFiles.includes(name));
  return readConfig({ ...Object.fromEntries(missing), ...given });
}

function fail(error: unknown): never {
  const isExpected = error instanceof LauncherError || error instanceof ConfigError;
  process.stderr.write(`${isExpected ? error.message : inspect(error)}\n`);
  process.exit(error instanceof ConfigError ? 2 : 1);
}

/** Aborts at the first request to stop. Calls `force` at the second, or when stopping takes too long. */
function stopSignal(force: () => void): AbortSignal {
  const stopping = new AbortController();
  let askedAt: number | undefined;
  const ask = () => {
    if (askedAt !== undefined) return Date.now() - askedAt > sameSignalMs && force();
    askedAt = Date.now();
    log('Stopping; Ctrl-C again stops by force');
    setTimeout(force, stopWithinMs).unref();
    return stopping.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  onOrphaned(() => askedAt === undefined && ask());
  return stopping.signal;
}

/** Calls `then` when npm, or its shell, was killed: nobody can press Ctrl-C any more. */
function onOrphaned(then: () => void): void {
  if (!process.env['npm_lifecycle_event']) return;
  const ancestors = () => `${process.ppid} ${findParent(process.ppid)}`;
  const atStart = ancestors();
  setInterval(() => ancestors() !== atStart && then(), 1_000).unref();
}

async function main(): Promise<void> {
  parseFlags();
  const config = readSettings();
  const localDir = resolve(config.localDir);
  const runFile = join(localDir, 'run.json');
  let stack: Stack | undefined;
  const signal = stopSignal(() => {
    // Processes that are not known yet end when this one does.
    for (const pid of stack?.pids ?? []) sendSignal(pid, 'SIGKILL');
    process.exit(130);
  });
  try {
    stack = await bringUp(config, localDir, signal, () => {
      // The file of a killed launcher names processes that are gone.
      if (stack) writeRunFile(runFile, stack);
      else rmSync(runFile, { force: true });
    });
  } catch (error) {
    if (signal.aborted) process.exit(0);
    fail(error);
  }
  writeRunFile(runFile, stack);
  const code = await makeDemoSignInCode(stack.databaseUrl, stack.secrets);
  log(`${greeting(stack, code)}\nready`);
  if (!signal.aborted) await once(signal, 'abort');
  await stack.stop();
  rmSync(runFile, { force: true });
  process.exit(0);
}

/** Another value than a port is the console's own to refuse. */
function readConsolePort(): number {
  const given = process.env['CONSOLE_PORT'] ?? '';
  return /^\d{1,5}$/.test(given) ? Number(given) : 3001;
}

function bringUp(
  config: Config,
  localDir: string,
  signal: AbortSignal,
  onChange: () => void,
): Promise<Stack> {
  // Who wants any free port for the API starts several stacks: then no port of the others is a fixed one.
  const usually = (port: number) => ({ port: config.port === 0 ? 0 : port, whenTaken: 'any' }) as const;
  const starting = startStack({
    localDir,
    parts: allParts,
    ports: {
      api: { port: config.port, whenTaken: 'fail' },
      console: usually(readConsolePort()),
      temporal: usually(7233),
      temporalUi: usually(8233),
      apiMetrics: usually(9464),
      workerMetrics: usually(9465),
    },
    log,
    onChange,
    signal,
  });
  return withProgress(
    () => 'Starting',
    log,
    () => starting,
  );
}

await main().catch(fail);
