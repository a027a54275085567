import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startStack, type Stack } from '#local/stack.ts';
import { startFaultServer } from '../faults/server.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import type { Language, OpenApiDocument } from './language.ts';
import { MissingProgram } from './programs.ts';
import { python } from './python.ts';

/**
 * `npm run clients`: generates, builds and tests the clients of the other languages, and makes a charge with each
 * against the whole stack. What a generator makes for Java is only compiled. `-- --write` replaces the committed files by what `openapi.json` gives; `-- go` checks one
 * language. A language whose programs are not here is skipped, and that is said; `CLIENTS_MUST_RUN=1` makes it fail.
 */

const languages: readonly Language[] = [python, go, java];
const root = fileURLToPath(new URL('../../..', import.meta.url));
const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean' } },
  allowPositionals: true,
});

const work = join(root, '.local/clients');
const faults = await startFaultServer();
const stacks: Stack[] = [];
try {
  const chosen = languages.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name.toLowerCase()),
  );
  if (chosen.length === 0) throw new Error(`There is no language ${positionals.join(', ')}`);
  for (const language of chosen) await check(language);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await faults.stop();
  for (const stack of stacks) await stack.stop();
}

async function check(language: Language): Promise<void> {
  const began = performance.now();
  const folder = join(work, language.name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const log = (line: string) => console.log(line.replaceAll(/^/gm, `  ${language.name}: `));
  try {
    await language.check({
      root,
      folder,
      document: JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as OpenApiDocument,
      write: values.write ?? false,
      faults: { FAULTS_URL: faults.url, FAULTS_CASES: join(root, 'test/client/faults/cases.json') },
      stack: findStack,
      log,
    });
  } catch (error) {
    if (!(error instanceof MissingProgram) || process.env['CLIENTS_MUST_RUN'] === '1') throw error;
    console.warn(`${language.name} is NOT TESTED here: ${error.message}`);
    return;
  }
  console.log(`${language.name} passes (${Math.round((performance.now() - began) / 1000)} s)`);
}

/** Starts the stack once, and returns what a client of its demo account needs. */
async function findStack(): Promise<Record<string, string>> {
  if (stacks.length === 0) {
    const localDir = join(work, 'stack');
    stacks.push(await startStack({ localDir, restart: false, log: () => undefined }));
  }
  const { apiUrl, secrets } = stacks[0]!;
  return {
    PAYMENTS_URL: apiUrl,
    PAYMENTS_CLIENT_ID: secrets.demo.clientId,
    PAYMENTS_CLIENT_SECRET: secrets.demo.clientSecret,
  };
}
