import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { placeRelease, ReleaseError } from './checkout.ts';
import { findLastRelease } from './last-release.ts';
import { upgrade } from './upgrade.ts';

const help = `npm run upgrade [-- --from REVISION]

Upgrades two APIs and two workers from REVISION (a tag or a commit of this repository) to this checkout, on a stack of its
own: the migrations, the workers one by one, then the APIs. Meanwhile clients charge and read through a load balancer.
Fails on an answer that is no success, a broken connection, an authorization that cannot be captured afterwards, an event
that never came, or a broken invariant. Takes a minute or two; the first time for a revision it is installed, too.

  --from   the release to begin with, of 1.0.0 or later (default: the last one; without one it does nothing)
  --help   this

Exit code: 0 nothing was lost, 1 something was, 2 wrong options.`;

const log = (line: string) => console.log(line);

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { from: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) return log(help);
  const from = values.from ?? findLastRelease(fileURLToPath(new URL('../..', import.meta.url)));
  if (from === null) return log('Nothing to upgrade from: this clone has no release');
  const { answers, seconds } = await upgrade(await placeRelease(from, log), log);
  const kinds = [...answers]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([kind, count]) => `${kind}: ${count}`);
  log(`Upgraded under load in ${Math.round(seconds)} s, with nothing lost. ${kinds.join(', ')}`);
}

try {
  await main();
} catch (error) {
  const isWrong =
    error instanceof ReleaseError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
  console.error(isWrong ? `${(error as Error).message}\n\n${help}` : error);
  process.exitCode = isWrong ? 2 : 1;
}
