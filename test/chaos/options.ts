import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/** Who takes the first steps of charges: workflows, the APIs without one, or one API in each way. */
export const executions = ['workflow', 'inline', 'mixed'] as const;

export type Execution = (typeof executions)[number];

export interface ChaosOptions {
  /** How long load and faults last; checking comes after. */
  minutes: number;
  seed: string;
  /** Journeys begun a second, over all clients. */
  rate: number;
  /** Clients that are under way at once. */
  clients: number;
  execution: Execution;
  /** Another release, with which processes are started by turns; `null`: none. */
  from: string | null;
  /** Keeps the folder of the run: logs, books, the clients' journal. */
  keep: boolean;
}

export const help = `npm run chaos -- [options]

Mixed load on the whole stack while its parts are killed, its connections cut, delayed and silenced, its processor
misbehaves and its database's disk is full; then a proof that every invariant held (docs/reliability.md).

  --minutes N   how long load and faults last (default: 5); checking takes another minute or two
  --seed S      what every random choice comes from (default: one at random, printed)
  --rate N      journeys begun a second, each of one to some ten requests (default: 6)
  --clients N   clients under way at once (default: 12)
  --execution E who takes the first steps of charges: workflow, inline, or mixed, which is one API each (default: mixed)
  --from REV    processes are started as the release REV (a tag or a commit) and as this one, by turns (default: as
                this one)
  --keep        keep the folder with logs, books and the clients' journal; it is kept anyway if an invariant is broken
  --help        this

Exit code: 0 every invariant held, 1 one is broken or the run did not come to rest, 2 wrong options.`;

/** What cannot be used; the message says which. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

/** `null`: help was asked for. @throws {OptionsError} */
export function readOptions(args: string[]): ChaosOptions | null {
  const values = parse(args);
  if (values.help) return null;
  return {
    minutes: positive('minutes', values.minutes ?? '5'),
    seed: values.seed ?? String(randomInt(1_000_000_000)),
    rate: positive('rate', values.rate ?? '6'),
    clients: Math.ceil(positive('clients', values.clients ?? '12')),
    execution: choose('execution', executions, values.execution ?? 'mixed'),
    from: values.from ?? null,
    keep: values.keep ?? false,
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    const numbers = { minutes: text, seed: text, rate: text, clients: text };
    const options = { ...numbers, execution: text, from: text, keep: flag, help: flag };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new OptionsError((error as Error).message);
  }
}

function choose<Choice extends string>(name: string, choices: readonly Choice[], value: string): Choice {
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined)
    throw new OptionsError(`--${name} is one of ${choices.join(', ')}, and not ${value}`);
  return chosen;
}

function positive(name: string, value: string): number {
  const number = Number(value);
  if (number > 0 && number <= 10_000) return number;
  throw new OptionsError(`--${name} is a number above 0 and up to 10000, and not ${value}`);
}
