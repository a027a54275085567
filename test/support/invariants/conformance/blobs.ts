import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { eventually } from '../../eventually.ts';
import { minPartBytes, type BlobStore } from '#blobs/port.ts';

/** What every blob store does, whatever it is made of. */
export function blobsConform(name: string, open: () => Promise<BlobStore> | BlobStore): void {
  describe(`The blob store ${name}`, () => {
    let blobs: BlobStore;
    before(async () => {
      blobs = await open();
    });
    after(() => blobs.close());

    const newKey = () => `results/${randomUUID()}`;

    /** A file of these parts under a key of its own. */
    async function store(parts: Buffer[], key = newKey()): Promise<string> {
      const upload = { key, uploadId: await blobs.begin(key, 'text/plain') };
      const stored = [];
      for (const [index, bytes] of parts.entries()) {
        stored.push(await blobs.putPart(upload, index * 2 + 1, bytes));
      }
      await blobs.complete(upload, stored);
      return key;
    }

    const read = async (...args: Parameters<BlobStore['read']>) => {
      const stored = await blobs.read(...args);
      if (!stored) return null;
      const bytes = await buffer(stored.bytes);
      assert.equal(bytes.length, stored.length);
      return bytes;
    };

    it('reads files from parts with gaps in their numbers', async () => {
      const parts = [randomBytes(minPartBytes), randomBytes(minPartBytes + 1), randomBytes(7)];
      assert.deepEqual(await read(await store(parts)), Buffer.concat(parts));
    });

    it('reads a range, within a part and across parts', async () => {
      const all = randomBytes(minPartBytes + 100);
      const key = await store([all.subarray(0, minPartBytes), all.subarray(minPartBytes)]);
      const ranges: [number, number][] = [
        [0, 0],
        [10, 19],
        [minPartBytes - 5, minPartBytes + 4],
        [minPartBytes + 90, minPartBytes + 99],
        [0, all.length - 1],
      ];
      for (const [first, last] of ranges) {
        assert.deepEqual(await read(key, { first, last }), all.subarray(first, last + 1));
      }
    });

    it('keeps a file of no bytes', async () => {
      assert.deepEqual(await read(await store([Buffer.alloc(0)])), Buffer.alloc(0));
    });

    it('shows nothing before a file is complete', async () => {
      const key = newKey();
      const upload = { key, uploadId: await blobs.begin(key, 'text/plain') };
      await blobs.putPart(upload, 1, Buffer.from('half'));
      assert.equal(await blobs.read(key), null);
      await blobs.abort(upload);
    });

    it('uses the last part stored under a number', async () => {
      const key = newKey();
      const upload = { key, uploadId: await blobs.begin(key, 'text/plain') };
      const first = await blobs.putPart(upload, 1, Buffer.from('first'));
      const second = await blobs.putPart(upload, 1, Buffer.from('second'));
      assert.notEqual(first.etag, second.etag);
      await blobs.complete(upload, [second]);
      assert.equal(String(await read(key)), 'second');
    });

    it('completes again what is complete', async () => {
      const key = newKey();
      const upload = { key, uploadId: await blobs.begin(key, 'text/plain') };
      const parts = [await blobs.putPart(upload, 1, Buffer.from('once'))];
      await blobs.complete(upload, parts);
      await blobs.complete(upload, parts);
      assert.equal(String(await read(key)), 'once');
    });

    it('drops an upload, and accepts a missing one', async () => {
      const key = newKey();
      const upload = { key, uploadId: await blobs.begin(key, 'text/plain') };
      await blobs.putPart(upload, 1, Buffer.from('gone'));
      await blobs.abort(upload);
      await blobs.abort(upload);
      assert.equal(await blobs.read(key), null);
    });

    it('deletes a file, and accepts a missing one', async () => {
      const key = await store([Buffer.from('gone')]);
      await blobs.delete(key);
      await blobs.delete(key);
      assert.equal(await blobs.read(key), null);
    });

    it('stops a part that is not wanted any more', async () => {
      const key = newKey();
      const upload = { key, uploadId: await blobs.begin(key, 'text/plain') };
      await assert.rejects(blobs.putPart(upload, 1, Buffer.from('x'), AbortSignal.abort()));
      await blobs.abort(upload);
    });

    it('can be read from the middle and left', async () => {
      const key = await store([randomBytes(minPartBytes), randomBytes(100)]);
      const stored = await blobs.read(key);
      assert.ok(stored);
      for await (const _chunk of stored.bytes) break;
      await eventually('it is closed', () => stored.bytes.destroyed);
    });

    it('takes no key that could lead elsewhere', async () => {
      for (const key of ['../up', '/etc', 'a//b', 'a/../b', '', 'a b', '.hidden']) {
        await assert.rejects(async () => blobs.begin(key, 'text/plain'), key);
      }
    });
  });
}
