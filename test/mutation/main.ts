import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '#local/postgres/postgres.ts';
import { help, OptionsError, readOptions, type MutationOptions } from './options.ts';
import { readScore, sumUp, writeReport } from './report.ts';
import { installStryker, tryMutants } from './stryker.ts';

/** `npm run mutation`: how many small changes of the rules and of the steps of money the tests notice. */

const log = (line: string) => console.log(line);

async function main(options: MutationOptions): Promise<number> {
  if (!options.report) {
    await installStryker(log);
    await withDatabase(options.files, async (env) => {
      for (const target of options.files) {
        log(`Mutants of ${target} …`);
        await tryMutants(target, options.concurrency, env);
      }
    });
  }
  const scores = options.files.flatMap((target) => readScore(target) ?? []);
  log(writeReport(scores));
  return sumUp(scores) >= options.least ? 0 : 1;
}

/** Gives the steps of money one server for all their tests; the rules need none. */
async function withDatabase(
  files: readonly string[],
  use: (env: NodeJS.ProcessEnv) => Promise<void>,
): Promise<void> {
  if (files.every((file) => file.startsWith('domain/'))) return use({});
  const folder = mkdtempSync(join(tmpdir(), 'payments-mutation-'));
  const places = { dataDir: join(folder, 'postgres'), logFile: join(folder, 'postgres.log') };
  const server = await startPostgres({ ...places, log });
  try {
    await use({ DATABASE_URL: server.url });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
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
