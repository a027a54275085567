import { homedir } from 'node:os';
import { CommanderError } from 'commander';
import type { Context } from './context.ts';
import { CliError, exitCodes } from './exits.ts';
import { createOutput } from './output.ts';
import { createProgram } from './program.ts';

/** Runs the command line of this process, and sets its exit code. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  const { stdin, stdout, stderr, platform, env } = process;
  process.exitCode = await run(process.argv.slice(2), {
    env,
    platform,
    stdin,
    stdout,
    stderr,
    homeDir: homedir(),
    signal: stop.signal,
  });
}

/** Runs one command line. Returns its exit code; every failure is a sentence on stderr. */
async function run(args: readonly string[], context: Context): Promise<number> {
  try {
    await createProgram(context).parseAsync([...args], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // It has printed its sentence.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const output = createOutput(context);
    if (!(error instanceof CliError)) {
      output.note(`payments failed: ${error instanceof Error ? error.message : String(error)}`);
      return exitCodes.refused;
    }
    output.note(error.message);
    return exitCodes[error.exit];
  }
}
