import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sign, signingKey } from '../../activities/webhooks/sign.ts';
import { defaultRetryScheduleMs } from '../../domain/webhook-endpoints.ts';
import { freePort } from '../../local/ports.ts';
import { eventually } from '../support/eventually.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');

describe('docs/webhooks.md', () => {
  describe('its TypeScript receiver', () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const body = Buffer.from('{"id":"evt_1","type":"charge.succeeded"}');
    let folder: string;
    let receiver: ChildProcess;
    let url: string;

    before(async () => {
      // In the tree, so that it finds the package it imports.
      mkdirSync(join(root, '.local'), { recursive: true });
      folder = mkdtempSync(join(root, '.local', 'receiver-'));
      writeFileSync(join(folder, 'receiver.ts'), block('ts'));
      const port = await freePort();
      url = `http://127.0.0.1:${port}/webhooks`;
      receiver = spawn(process.execPath, ['--import', 'tsx', join(folder, 'receiver.ts')], {
        cwd: root,
        env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
        stdio: 'inherit',
      });
      await eventually('the receiver listens', async () => (await post(body, {})) > 0);
    });

    after(() => {
      receiver.kill();
      rmSync(folder, { recursive: true, force: true });
    });

    it('takes what we signed', async () => {
      assert.equal(await post(body, signed([secret])), 204);
    });

    it('takes it during a rotation, signed with both secrets', async () => {
      assert.equal(await post(body, signed([newSecret(), secret])), 204);
    });

    it('refuses another body, another secret, and what is six minutes old', async () => {
      assert.equal(await post(Buffer.concat([body, Buffer.from(' ')]), signed([secret])), 400);
      assert.equal(await post(body, signed([newSecret()])), 400);
      assert.equal(await post(body, signed([secret], new Date(Date.now() - 6 * 60_000))), 400);
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
  });

  it('shows the schedule that is in force', () => {
    const rows = [...page.matchAll(/^\| \d+ \| (.+?) \| .+ \|$/gm)].map(([, wait = '']) =>
      milliseconds(wait),
    );
    assert.deepEqual(rows, [...defaultRetryScheduleMs]);
  });
});

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
