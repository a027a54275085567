import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '../../support/stack/app.ts';

const entry = fileURLToPath(new URL('../../../api/server.ts', import.meta.url));

function start(env: Record<string, string>): ChildProcess {
  const path = process.env['PATH'] ?? '';
  return fork(entry, { env: { PATH: path, ...env }, execArgv: ['--import', 'tsx'], stdio: 'pipe' });
}

async function awaitExit(
  child: ChildProcess,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const read = (stream: ChildProcess['stdout']) => (stream ? text(stream) : Promise.resolve(''));
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit') as Promise<[number | null]>,
    read(child.stdout),
    read(child.stderr),
  ]);
  return { code, stdout, stderr };
}

describe('The API process', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let env: Record<string, string>;
  before(async () => {
    database = await createTestDatabase();
    env = {
      PORT: '0',
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      PROCESSOR_URL: 'http://127.0.0.1:9',
      PROCESSOR_SECRET: 'the-secret-of-the-processor',
      SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
    };
  });
  after(() => database.drop());

  it('names every wrong setting and exits with 2', async () => {
    const { code, stderr } = await awaitExit(start({ PORT: '99999', DATABASE_URL: 'x', PROCESSOR_URL: 'x' }));
    assert.equal(code, 2);
    for (const name of ['PORT', 'DATABASE_URL', 'PROCESSOR_URL', 'SECRETS_KEY'])
      assert.match(stderr, new RegExp(name));
    assert.doesNotMatch(stderr, /\n\s+at /);
  });

  it('says when it is ready, and its port', async () => {
    const child = start(env);
    const exit = awaitExit(child);
    const [message] = (await once(child, 'message')) as [{ ready: boolean; port: number }];
    assert.equal(message.ready, true);
    const url = `http://127.0.0.1:${message.port}`;
    const metadata = await fetch(`${url}/.well-known/oauth-authorization-server`);
    assert.equal(((await metadata.json()) as { issuer: string }).issuer, url);
    child.kill('SIGTERM');
    const { code, stdout } = await exit;
    assert.equal(code, 0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    // Sooner or later it says that it does not reach Temporal.
    const own = lines.filter((line) => !line.startsWith('Temporal cannot be reached'));
    assert.deepEqual(own, ['listening', 'request', 'stopping', 'stopped']);
  });

  it('does not outlive the process that started it', async () => {
    const child = start(env);
    const exit = awaitExit(child);
    await once(child, 'message');
    child.disconnect();
    assert.equal((await exit).code, 0);
  });
});
