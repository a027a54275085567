import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskBlobs } from '../../blobs/disk.ts';
import { createS3Blobs } from '../../blobs/s3.ts';
import { blobsConform } from '../support/conformance/blobs.ts';
import { startS3 } from '../support/s3-server.ts';

describe('Blobs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-blobs-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  blobsConform('on the disk', () => createDiskBlobs(folder));
});

describe('Blobs', () => {
  let server: Awaited<ReturnType<typeof startS3>>;
  before(async function () {
    server = await startS3();
    if (!server) this.skip();
  });
  after(() => server?.stop());
  blobsConform('in an S3-compatible server', () => {
    if (!server) throw new Error('There is no server');
    return createS3Blobs(server.settings);
  });
});
