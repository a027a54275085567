import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '#blobs/s3.ts';
import { freePort } from '#local/processes/ports.ts';
import { eventually } from '../../eventually.ts';
import { installPython } from './python-programs.ts';

/** An S3-compatible server with an empty bucket. */
export interface S3Server {
  settings: S3Settings;
  /** The client's credentials, as settings. This process has them too. */
  credentials: Record<string, string>;
  stop(): Promise<void>;
}

const requirements = fileURLToPath(new URL('s3-server-requirements.txt', import.meta.url));

/**
 * How to start an S3-compatible server here: the one that `TEST_S3_ENDPOINT` names, with the bucket `TEST_S3_BUCKET`
 * and the credentials that the client finds by itself; else moto's server, from PyPI.
 *
 * @throws {Error} why there is none.
 */
export async function findS3(log: (line: string) => void): Promise<() => Promise<S3Server>> {
  const { TEST_S3_ENDPOINT: endpoint, TEST_S3_BUCKET: bucket = 'results' } = process.env;
  if (endpoint) {
    const settings = { bucket, region: 'us-east-1', endpoint, prefix: '' };
    return () => Promise.resolve({ settings, credentials: {}, stop: () => Promise.resolve() });
  }
  const program = await installPython({ name: 'moto_server', requirements }, log);
  return () => startMoto(program);
}

async function startMoto(program: string): Promise<S3Server> {
  const port = await freePort();
  const server = spawn(program, ['--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
  const gone = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill('SIGTERM');
    await gone;
  };
  const credentials = {
    AWS_ACCESS_KEY_ID: randomBytes(8).toString('hex'),
    AWS_SECRET_ACCESS_KEY: randomBytes(16).toString('hex'),
  };
  Object.assign(process.env, credentials);
  const endpoint = `http://127.0.0.1:${port}`;
  const settings = { bucket: 'results', region: 'us-east-1', endpoint, prefix: 'of-tests/' };
  try {
    await eventually('the S3 server answers', async () => (await fetch(endpoint)).status > 0);
    await createBucket(settings);
  } catch (error) {
    await stop();
    throw error;
  }
  return { settings, credentials, stop };
}

async function createBucket({ bucket, region, endpoint }: S3Settings): Promise<void> {
  const client = new S3Client({
    region,
    forcePathStyle: true,
    ...(endpoint && { endpoint }),
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
}
