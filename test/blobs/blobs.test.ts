import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskBlobs } from '../../blobs/disk.ts';
import { createS3Blobs } from '../../blobs/s3.ts';
import { blobsConform } from '../support/conformance/blobs.ts';
import { findS3, type S3Server } from '../support/s3-server.ts';

/** Known before the tests are: where there is no server, a test says so instead of those that need one. */
const s3 = await findS3((line) => console.log(line)).catch((error: Error) => error);

describe('Blobs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-blobs-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  blobsConform('on the disk', () => createDiskBlobs(folder));
});

describe('Blobs in an S3-compatible server', () => {
  if (s3 instanceof Error) {
    it(`are NOT TESTED here: there is no such server (${s3.message})`, () => {
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
});
