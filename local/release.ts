import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { makeRelease, ReleaseError } from './releasing.ts';

const help = `npm run release -- VERSION [--tested]

Makes a release of this checkout: puts VERSION (such as 1.2.0) into package.json, package-lock.json and the clients of
TypeScript and Python, gives the section "Unreleased" of CHANGELOG.md this title, commits, and tags vVERSION. It pushes
nothing.

It refuses a checkout with changes, a version that is not above the present one, a tag that exists, and an empty
changelog. It runs .ci/run first, which takes some 40 minutes.

  --tested   .ci/run has passed for this very commit: do not run it again
  --help     this

CONTRIBUTING.md says what comes before and after. Exit code: 0 done, 1 refused, 2 wrong arguments.`;

function runChecks(): void {
  const { status } = spawnSync('bash', ['.ci/run'], { stdio: 'inherit' });
  if (status !== 0) throw new ReleaseError('.ci/run failed');
}

function main(): number {
  const options = { tested: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [version] = positionals;
  if (values.help || positionals.length !== 1 || !version) {
    console.log(help);
    return values.help ? 0 : 2;
  }
  const date = new Date().toISOString().slice(0, 10);
  const verify = values.tested ? () => undefined : runChecks;
  const tag = makeRelease({ root: process.cwd(), version, date, verify });
  console.log(`Tagged ${tag}. Look at it (git show ${tag}), then: git push --follow-tags`);
  return 0;
}

try {
  process.exitCode = main();
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(`Not released: ${error.message}`);
  process.exitCode = 1;
}
