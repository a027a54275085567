import { parseArgs } from 'node:util';

export interface SimulateOptions {
  /** How many seeds are run. */
  seeds: number;
  /** The first one. */
  from: number;
  /** Prints the trace of each seed. */
  trace: boolean;
  /** A fault that was found before, planted in the world; `null`: none. */
  plant: string | null;
}

export const help = `npm run simulate -- [options]

Runs charges, captures, cancels, refunds and reversals from seeds: the steps on a real Postgres, the workflows in the
SDK's own sandbox, over a simulated clock, with workers that die, answers that are lost, and a processor that does its
worst (docs/reliability.md). The same seed gives the same trace, byte for byte.

  --seeds N   how many seeds (default: 1000)
  --from N    the first one (default: 1)
  --trace     print what happened, a line a step
  --plant P   run with a fault that was found before; it must be found again
  --help      this

Exit code: 0 every seed held, 1 one did not: its trace and the command that gives it again are printed; 2 wrong options.`;

/** What cannot be used; the message says which. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

/** `null`: help was asked for. @throws {OptionsError} */
export function readOptions(args: string[]): SimulateOptions | null {
  const values = parse(args);
  if (values.help) return null;
  return {
    seeds: whole('seeds', values.seeds ?? '1000', 1),
    from: whole('from', values.from ?? '1', 0),
    trace: values.trace ?? false,
    plant: values.plant ?? null,
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({ args, options: { seeds: text, from: text, plant: text, trace: flag, help: flag } })
      .values;
  } catch (error) {
    throw new OptionsError((error as Error).message);
  }
}

function whole(name: string, value: string, least: number): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new OptionsError(`--${name} is a whole number from ${least}, and not ${value}`);
}
