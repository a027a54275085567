import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { requirePlainKey, type BlobStore, type ByteRange } from './port.ts';

export interface S3Settings {
  bucket: string;
  region: string;
  /** The address of a store that is not Amazon's. The bucket is then part of the path. */
  endpoint: string | null;
  /** Put before each key. */
  prefix: string;
}

/** A store that does not answer must not hold an activity, or a caller, for ever. */
const timeouts = { connectionTimeout: 3_000, requestTimeout: 30_000 };

/** The client's own bound would be a hidden queue: readers and writers are bounded before. */
const connections = { maxSockets: Infinity };

/**
 * Blobs in an S3-compatible store: a file is a multipart upload. The client finds its credentials by itself: in the
 * environment, in a file, or by the machine's role.
 */
export function createS3Blobs({ bucket, region, endpoint, prefix }: S3Settings): BlobStore {
  const client = new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    requestHandler: { ...timeouts, httpAgent: connections, httpsAgent: connections },
    // Checksums in trailers are not understood by every compatible store.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const buildName = (key: string) => {
    requirePlainKey(key);
    return { Bucket: bucket, Key: `${prefix}${key}` };
  };

  async function isThere(key: string): Promise<boolean> {
    const found = await client.send(new HeadObjectCommand(buildName(key))).catch(unlessMissing);
    return found !== null;
  }

  return {
    async begin(key, contentType) {
      const begun = await client.send(
        new CreateMultipartUploadCommand({ ...buildName(key), ContentType: contentType }),
      );
      return given(begun.UploadId, 'upload id');
    },

    async putPart({ key, uploadId }, number, bytes, signal) {
      const part = { ...buildName(key), UploadId: uploadId, PartNumber: number, Body: bytes };
      const stored = await client.send(new UploadPartCommand(part), signal ? { abortSignal: signal } : {});
      return { number, size: bytes.length, etag: given(stored.ETag, 'tag') };
    },

    async complete({ key, uploadId }, parts) {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
      const command = { ...buildName(key), UploadId: uploadId, MultipartUpload: { Parts } };
      try {
        await client.send(new CompleteMultipartUploadCommand(command));
      } catch (error) {
        // Once it is complete, the store knows the upload no more.
        if (unlessMissing(error) === null && (await isThere(key))) return;
        throw error;
      }
    },

    async abort({ key, uploadId }) {
      const command = new AbortMultipartUploadCommand({ ...buildName(key), UploadId: uploadId });
      await client.send(command).catch(unlessMissing);
    },

    async read(key, range) {
      const command = { ...buildName(key), ...(range && { Range: rangeHeader(range) }) };
      const found = await client.send(new GetObjectCommand(command)).catch(unlessMissing);
      if (!found) return null;
      return { length: given(found.ContentLength, 'length'), bytes: given(found.Body, 'body') as Readable };
    },

    async delete(key) {
      await client.send(new DeleteObjectCommand(buildName(key))).catch(unlessMissing);
    },

    close() {
      client.destroy();
      return Promise.resolve();
    },
  };
}

function rangeHeader({ first, last }: ByteRange): string {
  return `bytes=${first}-${last}`;
}

const missing: ReadonlySet<string> = new Set(['NoSuchKey', 'NoSuchUpload', 'NotFound']);

/** Throws every error but "not found". */
function unlessMissing(error: unknown): null {
  if (error instanceof S3ServiceException && missing.has(error.name)) return null;
  throw error;
}

function given<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`The store answered without ${what}`);
  return value;
}
