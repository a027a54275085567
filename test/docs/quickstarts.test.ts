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
    it(`${guide} does and prints what it says`, async function () {
      // A compiler builds its standard library first, once; packages are fetched.
      this.timeout(280_000);
      const reader = new Reader(await createSettings());
      const own = String(await freePort());
      try {
        for (const block of readBlocks(guide))
          await reader.follow({
            ...block,
            text: block.text.replaceAll(`:${port}`, `:${own}`).replaceAll(port, own),
          });
      } finally {
        reader.end();
      }
    });
  }

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
