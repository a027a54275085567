import { parseArgs } from 'node:util';
import { targets } from './targets.ts';

export interface MutationOptions {
  /** Files of {@link targets}, or `file:line-line` of one. */
  files: string[];
  /** Mutants that are tried at once. */
  concurrency: number;
  /** The run fails below this score, in percent. */
  least: number;
  /** Runs nothing: shows the results of earlier runs. */
  report: boolean;
}

export const help = `npm run mutation -- [options] [FILE …]

Changes the code of the rules and of the steps of money, one small place at a time, and runs the tests of that file
against each change ("mutant"). A mutant that no test notices survives: it is listed, and is either a missing test or
no change at all. Files are those of test/mutation/targets.ts (default: all), or FILE:FROM-TO for some lines of one.
Results are kept in .local/mutation/reports, so that files can be run one by one.

  --concurrency N   mutants that are tried at once (default: 1)
  --least N         the score of the files below which the run fails, in percent (default: 85)
  --report          run nothing, and show the results of earlier runs
  --help            this

Exit code: 0 the score is reached, 1 it is not or a run failed, 2 wrong options.`;

/** What cannot be used; the message says which. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

/** `null`: help was asked for. @throws {OptionsError} */
export function readOptions(args: string[]): MutationOptions | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  for (const file of positionals) {
    if (!targets[withoutLines(file)])
      throw new OptionsError(`${file} is no file of test/mutation/targets.ts`);
  }
  return {
    files: positionals.length > 0 ? positionals : Object.keys(targets),
    concurrency: readNumber('concurrency', values.concurrency ?? '1'),
    least: readNumber('least', values.least ?? '85'),
    report: values.report ?? false,
  };
}

/** Returns the file of `file:line-line`. */
export function withoutLines(file: string): string {
  return file.split(':')[0] ?? file;
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    const options = { concurrency: text, least: text, report: flag, help: flag };
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new OptionsError((error as Error).message);
  }
}

function readNumber(name: string, value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0 && number <= 100) return number;
  throw new OptionsError(`--${name} is a whole number from 0 to 100, and not ${value}`);
}
