import { help, OptionsError, readOptions, type MutationOptions } from './options.ts';
import { readScore, sumUp, writeReport } from './report.ts';
import { installStryker, tryMutants } from './stryker.ts';

/** `npm run mutation`: how many small changes of the rules and of the steps of money the tests notice. */

const log = (line: string) => console.log(line);

async function main(options: MutationOptions): Promise<number> {
  if (!options.report) {
    await installStryker(log);
    for (const target of options.files) {
      log(`Mutants of ${target} …`);
      await tryMutants(target, options.concurrency, {});
    }
  }
  const scores = options.files.flatMap((target) => readScore(target) ?? []);
  log(writeReport(scores));
  return sumUp(scores) >= options.least ? 0 : 1;
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options) process.exitCode = await main(options);
  else log(help);
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  console.error(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}
