import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { requirePlainKey, type BlobStore, type ByteRange, type StoredPart } from './port.ts';

/**
 * Blobs in a folder. A file stays a folder of its parts with a manifest that names them in order, so that nothing is
 * copied to complete it. It is complete when the manifest is there.
 */
export function createDiskBlobs(root: string): BlobStore {
  const locateFolder = (key: string) => {
    requirePlainKey(key);
    return join(root, key);
  };

  return {
    async begin(key) {
      await mkdir(locateFolder(key), { recursive: true });
      return 'disk';
    },

    async putPart({ key }, number, bytes, signal) {
      signal?.throwIfAborted();
      // A name of its own for each: one who writes late overwrites nothing.
      const etag = randomBytes(8).toString('hex');
      const folder = locateFolder(key);
      await mkdir(folder, { recursive: true });
      await writeDurably(join(folder, locatePart({ number, etag })), bytes);
      return { number, size: bytes.length, etag };
    },

    async complete({ key }, parts) {
      const folder = locateFolder(key);
      const draft = join(folder, `.${manifestName}-${randomBytes(8).toString('hex')}`);
      await writeDurably(draft, Buffer.from(JSON.stringify(parts)));
      await rename(draft, join(folder, manifestName));
      await syncFolder(folder);
      const kept = new Set([manifestName, ...parts.map(locatePart)]);
      const left = (await readdir(folder)).filter((name) => !kept.has(name));
      await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
    },

    abort: ({ key }) => remove(locateFolder(key)),

    async read(key, range) {
      const folder = locateFolder(key);
      const parts = await readManifest(folder);
      if (!parts) return null;
      const slices = findSlices(parts, range);
      await Promise.all(slices.map(({ part }) => requireWhole(folder, part)));
      const length = slices.reduce((sum, { start, end }) => sum + end + 1 - start, 0);
      return { length, bytes: Readable.from(chunksOf(folder, slices), { objectMode: false }) };
    },

    delete: (key) => remove(locateFolder(key)),

    close: () => Promise.resolve(),
  };
}

const manifestName = 'manifest.json';

function locatePart({ number, etag }: Pick<StoredPart, 'number' | 'etag'>): string {
  return `part-${String(number).padStart(5, '0')}-${etag}`;
}

async function readManifest(folder: string): Promise<StoredPart[] | null> {
  try {
    return JSON.parse(await readFile(join(folder, manifestName), 'utf8')) as StoredPart[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The bytes of one part within a range, both ends included. */
interface Slice {
  part: StoredPart;
  start: number;
  end: number;
}

function findSlices(
  parts: readonly StoredPart[],
  { first, last }: ByteRange = { first: 0, last: Infinity },
): Slice[] {
  let before = 0;
  return parts.flatMap((part) => {
    const start = Math.max(first - before, 0);
    const end = Math.min(last - before, part.size - 1);
    before += part.size;
    return start <= end ? [{ part, start, end }] : [];
  });
}

/** Thrown before the first byte is read: half an answer cannot be taken back. */
async function requireWhole(folder: string, part: StoredPart): Promise<void> {
  const { size } = await stat(join(folder, locatePart(part)));
  if (size !== part.size)
    throw new Error(`${locatePart(part)} in ${folder} has ${size} bytes, not ${part.size}`);
}

/** Reads the bytes of the slices in order. Only one file is open at a time. */
async function* chunksOf(folder: string, slices: readonly Slice[]): AsyncGenerator<Buffer> {
  for (const { part, start, end } of slices) {
    // Left early, the loop destroys the stream, which closes the file.
    yield* createReadStream(join(folder, locatePart(part)), { start, end }) as AsyncIterable<Buffer>;
  }
}

/** Parts that a checkpoint names must survive a power cut. What could not be written takes no room on a full disk. */
async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Syncs a folder, so that the names in it are durable too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Deletes the manifest first: half a file must not be read as a whole one. */
async function remove(folder: string): Promise<void> {
  await rm(join(folder, manifestName), { force: true });
  await rm(folder, { recursive: true, force: true });
}
