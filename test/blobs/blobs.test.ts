import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createDiskBlobs } from '#blobs/disk.ts';
import { createS3Blobs } from '#blobs/s3.ts';
import { blobsConform } from '../support/invariants/conformance/blobs.ts';
import { environment } from '../support/stack/environment.ts';
import { download, exportFile } from '../support/resources/exports.ts';
import { createMerchant } from '../support/resources/merchant.ts';
import { findS3, type S3Server } from '../support/stack/outside/s3-server.ts';

function toSettings({ settings: { bucket, region, endpoint, prefix }, credentials }: S3Server) {
  return {
    BLOB_S3_BUCKET: bucket,
    BLOB_S3_REGION: region,
    BLOB_S3_PREFIX: prefix,
    ...(endpoint && { BLOB_S3_ENDPOINT: endpoint }),
    ...credentials,
  };
}

/** Known before the tests are: where there is no server, a test says so instead of those that need one. */
const s3 = await findS3((line) => console.log(line)).catch((error: Error) => error);

describe('Blobs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-blobs-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  blobsConform('on the disk', () => createDiskBlobs(folder));
});

describe('Blobs in an S3-compatible server', () => {
  if (s3 instanceof Error) {
    it(`are NOT TESTED here without a server (${s3.message})`, () => {
      console.warn('    WARNING: the S3 adapter was not tested; set TEST_S3_ENDPOINT or make PyPI reachable');
    });
    return;
  }
  let server: S3Server;
  before(async () => {
    server = await s3();
  });
  after(() => server.stop());
  blobsConform('in an S3-compatible server', () => createS3Blobs(server.settings));

  it('are read while sixty slow readers hold others', async () => {
    const blobs = createS3Blobs(server.settings);
    const upload = { key: 'slow-readers', uploadId: await blobs.begin('slow-readers', 'text/plain') };
    // More than the buffers on the way hold.
    const bytes = Buffer.alloc(8 * 1024 * 1024);
    await blobs.complete(upload, [await blobs.putPart(upload, 1, bytes)]);
    const whole = { first: 0, last: bytes.length - 1 };
    const held = await Promise.all(Array.from({ length: 60 }, () => blobs.read(upload.key, whole)));
    const one = await blobs.read(upload.key, { first: 0, last: 4 });
    assert.equal((await buffer(one!.bytes)).length, 5);
    for (const reader of held) reader!.bytes.destroy();
    await blobs.delete(upload.key);
    await blobs.close();
  });

  it('store export files when the settings say so', async () => {
    const env = await environment();
    const merchant = await createMerchant();
    await merchant.charge();
    const settings = toSettings(server);
    await env.stack.part('worker').stop();
    const worker = await env.stack.addWorker(settings);
    const api = await env.stack.addApi(settings);
    const { response } = await exportFile(merchant);
    const { pathname, search } = new URL(response?.href ?? '');
    const all = await download(merchant, api.url + pathname + search);
    const text = await all.text();
    assert.deepEqual([all.status, Buffer.byteLength(text)], [200, response?.size], text);
    const range = await download(merchant, api.url + pathname + search, { range: 'bytes=5-20' });
    assert.deepEqual([range.status, await range.text()], [206, text.slice(5, 21)]);
    await api.part.stop();
    await worker.stop();
    await env.stack.part('worker').start();
    for (const { name } of [api.part, worker]) {
      const lines = readFileSync(join(env.stack.localDir, `logs/${name}.log`), 'utf8')
        .trimEnd()
        .split('\n');
      // The client has a warning for old versions of Node.
      for (const line of lines) assert.doesNotThrow(() => JSON.parse(line), `${name}: ${line}`);
    }
  });
});
