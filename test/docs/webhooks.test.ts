import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { receiverSamples } from '#console/webhooks/receiver-samples.ts';
import { sign, signingKey } from '#webhooks/sign.ts';
import { defaultRetryScheduleMs } from '#domain/webhook-endpoints.ts';
import { freePort } from '#local/processes/ports.ts';
import { eventually } from '../support/eventually.ts';
import { receiverLanguages, type ReceiverLanguage } from '../support/stack/outside/webhook-receivers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');

/** Known before the tests are: what cannot be run here says so instead of its tests. */
const languages = await Promise.all(
  receiverLanguages.map(async (language) => {
    const missing = await language.fetch().then(
      () => null,
      (error: Error) => error.message.split('\n')[0],
    );
    return { language, missing };
  }),
);

describe('docs/webhooks.md', () => {
  for (const { language, missing } of languages) {
    describe(`its ${language.name} receiver`, () => {
      if (missing) {
        it(`is NOT TESTED here: no ${language.name} or library (${missing})`, () => {
          console.warn(`    WARNING: the ${language.name} receiver was not tested`);
        });
      } else testReceiver(language);
    });
  }

  it('has the receivers that the console shows', () => {
    const shown = receiverSamples.map(({ language, install, code }) => ({ language, install, code }));
    const written = receiverLanguages.map(({ name, block }) => {
      const [, install = '', code = ''] =
        new RegExp(`^### ${name}\\n\\n\`(.+)\`\\n\\n\`\`\`${block}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ??
        [];
      return { language: name, install, code };
    });
    assert.deepEqual(shown, written);
  });

  it('shows the schedule that is in force', () => {
    const rows = [...page.matchAll(/^\| \d+ \| (.+?) \| .+ \|$/gm)].map(([, wait = '']) =>
      milliseconds(wait),
    );
    assert.deepEqual(rows, [...defaultRetryScheduleMs]);
  });
});

function testReceiver(language: ReceiverLanguage): void {
  const secret = newSecret();
  const body = Buffer.from('{"id":"evt_1","type":"charge.succeeded"}');
  let folder: string;
  let receiver: ChildProcess | null = null;
  let url: string;

  before(async () => {
    // In the tree, so that it finds the package it imports.
    mkdirSync(join(root, '.local'), { recursive: true });
    folder = mkdtempSync(join(root, '.local', 'receiver-'));
    const [program, ...args] = await language.build(folder, block(language.block));
    const port = await freePort();
    url = `http://127.0.0.1:${port}/webhooks`;
    receiver = spawn(program, args, {
      cwd: root,
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(receiver.stderr as Readable);
    const gone = once(receiver, 'exit').then(async () => {
      throw new Error(`The receiver ended: ${await said}`);
    });
    // It is ended in the end.
    gone.catch(() => undefined);
    await Promise.race([eventually('the receiver listens', async () => (await post(body, {})) > 0), gone]);
  });

  after(() => {
    receiver?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it('accepts a webhook that we signed', async () => {
    assert.equal(await post(body, signed([secret])), 204);
  });

  it('takes it during a rotation, signed with both secrets', async () => {
    assert.equal(await post(body, signed([newSecret(), secret])), 204);
    assert.equal(await post(body, signed([secret, newSecret()])), 204);
  });

  it('refuses what is forged, unsigned or six minutes off', async () => {
    assert.equal(await post(Buffer.concat([body, Buffer.from(' ')]), signed([secret])), 400);
    assert.equal(await post(body, signed([newSecret()])), 400);
    assert.equal(await post(body, {}), 400);
    for (const minutes of [-6, 6]) {
      assert.equal(await post(body, signed([secret], new Date(Date.now() + minutes * 60_000))), 400);
    }
  });

  function signed(secrets: string[], at = new Date()): Record<string, string> {
    return { ...sign(secrets.map(signingKey), 'evt_1', at, body) };
  }

  async function post(bytes: Buffer, headers: Record<string, string>): Promise<number> {
    const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(bytes) }).catch(
      () => null,
    );
    return answer?.status ?? 0;
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function block(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
  if (!found) throw new Error(`The page has no ${language}`);
  return found;
}

function milliseconds(words: string): number {
  if (words === 'at once') return 0;
  const units: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 };
  const [count = '', unit = ''] = words.split(' ');
  return Number(count) * (units[unit] ?? Number.NaN);
}
