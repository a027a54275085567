import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
import { scopes } from '#domain/scopes.ts';
import { hashSecret } from '#issuer/client-secrets.ts';
import { newId } from '#db/new-id.ts';
import { freePort } from '#local/processes/ports.ts';
import { createMerchant } from '../support/resources/merchant.ts';
import { environment } from '../support/stack/environment.ts';
import { rememberSecret } from '../support/stack/leaks.ts';
import { readBlocks } from './page-blocks.ts';
import { Reader } from './reader.ts';

/** Each quickstart with the command that it needs. What cannot be run here says so. */
const quickstarts = [
  { guide: 'quickstart', needs: 'curl' },
  { guide: 'quickstart-typescript', needs: 'npm' },
  { guide: 'quickstart-python', needs: 'python3' },
  { guide: 'quickstart-go', needs: 'go' },
  { guide: 'quickstart-java', needs: 'java' },
] as const;

/** The other programs that run the page for TypeScript, and how. They are too large for packages of this repository. */
const runtimes = [
  { name: 'Deno', program: 'deno', from: 'deno@2.9.6', run: 'deno run --allow-env --allow-net' },
  { name: 'Bun', program: 'bun', from: 'bun@1.4.5', run: 'bun' },
];

/** The port of the receivers in the pages; a test takes a free one. */
const port = '4000';

describe('The quickstart', () => {
  for (const { guide, needs } of quickstarts) {
    if (!isInstalled(needs)) {
      it(`${guide} is NOT TESTED here without ${needs}`, () => {
        console.warn(`    WARNING: docs/guides/${guide}.md was not tested: there is no ${needs}`);
      });
      continue;
    }
    it(`${guide} does and prints what it says`, async () => {
      await followGuide(guide, await createSettings());
    });
  }

  for (const { name, program, from, run } of runtimes)
    it(`quickstart-typescript does the same with ${name}`, async () => {
      const folder = fetchProgram(program, from);
      if (folder === null)
        return console.warn(`    WARNING: ${name} was NOT TESTED: npx cannot fetch ${from} here`);
      const settings = await createSettings();
      const env = { ...settings, NODE_OPTIONS: '', PATH: `${folder}:${process.env['PATH']}` };
      await followGuide('quickstart-typescript', env, (text) => text.replace(/^node /m, `${run} `));
    });

  it('has a first payment, a decline and a webhook each', () => {
    for (const { guide } of quickstarts.slice(1)) {
      const texts = readBlocks(guide).filter(({ language }) => language === 'text');
      for (const part of ['succeeded, ch_', 'declined.', 'charge.succeeded, verified', '400'])
        assert.ok(
          texts.some(({ text }) => text.includes(part)),
          `${guide}: ${part}`,
        );
    }
  });
});

/** Does what a guide says, with its commands as `edit` changes them. */
async function followGuide(
  guide: string,
  env: NodeJS.ProcessEnv,
  edit = (text: string) => text,
): Promise<void> {
  const reader = new Reader(env);
  const own = String(await freePort());
  try {
    for (const block of readBlocks(guide)) {
      const text = block.text.replaceAll(`:${port}`, `:${own}`).replaceAll(port, own);
      await reader.follow({ ...block, text: block.language === 'sh' ? edit(text) : text });
    }
  } finally {
    reader.end();
  }
}

/** Returns the folder of a program of a package, fetched now unless it was before; `null` if it cannot be had. */
function fetchProgram(program: string, from: string): string | null {
  const look = `${program} --version >&2 && dirname "$(command -v ${program})"`;
  try {
    return execFileSync('npx', ['--yes', '--package', from, '--', 'sh', '-c', look], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 120_000,
    }).trim();
  } catch {
    return null;
  }
}

/** Returns the settings that the pages ask for, of an account of their own. */
async function createSettings(): Promise<NodeJS.ProcessEnv> {
  const { db, stack } = await environment();
  const { accountId } = await createMerchant();
  const [id, secret] = [newId('client'), randomBytes(32).toString('base64url')];
  rememberSecret(secret);
  await db('oauth_clients').insert({
    id,
    account_id: accountId,
    name: 'A reader of a quickstart',
    secret_hash: hashSecret(secret),
    scopes,
  });
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return {
    PAYMENTS_URL: stack.apiUrl,
    PAYMENTS_CLIENT_ID: id,
    PAYMENTS_CLIENT_SECRET: secret,
    // The page asks for a Node that runs TypeScript.
    NODE_OPTIONS: `--import ${tsx}`,
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
  };
}

function isInstalled(command: string): boolean {
  try {
    execFileSync('bash', ['-c', `command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
}
