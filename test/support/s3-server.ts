import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Settings } from '../../blobs/s3.ts';
import { freePort } from '../../local/ports.ts';
import { eventually } from './eventually.ts';

/**
 * A real S3-compatible server: the one that `TEST_S3_ENDPOINT` names, or Versity's S3 gateway over a folder, when its
 * binary is at `VERSITYGW` or on the PATH (`go install github.com/versity/versitygw/cmd/versitygw@v1.8.0`).
 */
export async function startS3(): Promise<{ settings: S3Settings; stop(): Promise<void> } | null> {
  const outside = outsideServer();
  if (outside) return { settings: outside, stop: () => Promise.resolve() };
  const binary = process.env['VERSITYGW'] ?? findOnPath('versitygw');
  if (!binary) return null;
  const folder = mkdtempSync(join(tmpdir(), 'payments-s3-'));
  for (const name of ['data/results', 'sidecar']) mkdirSync(join(folder, name), { recursive: true });
  const port = await freePort();
  const credentials = {
    accessKeyId: randomBytes(8).toString('hex'),
    secretAccessKey: randomBytes(16).toString('hex'),
  };
  const server = spawn(
    binary,
    ['--port', `127.0.0.1:${port}`, 'posix', '--sidecar', join(folder, 'sidecar'), join(folder, 'data')],
    {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        ROOT_ACCESS_KEY: credentials.accessKeyId,
        ROOT_SECRET_KEY: credentials.secretAccessKey,
      },
    },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  await eventually('the S3 server answers', async () => (await fetch(endpoint)).status > 0);
  return {
    settings: { bucket: 'results', region: 'us-east-1', endpoint, credentials, prefix: '' },
    async stop() {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function outsideServer(): S3Settings | null {
  const { TEST_S3_ENDPOINT: endpoint, TEST_S3_BUCKET: bucket = 'results' } = process.env;
  if (!endpoint) return null;
  return { bucket, region: 'us-east-1', endpoint, credentials: null, prefix: '' };
}

function findOnPath(name: string): string | null {
  try {
    return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
