import type { Readable } from 'node:stream';

/**
 * The store of result files. The worker writes them in parts and the API reads them, so both use the same store.
 */
export interface BlobStore {
  /**
   * Begins a file under `key`, which is not there for readers before it is complete. Begun twice, either upload can be
   * completed. Returns what the store calls the upload.
   */
  begin(key: string, contentType: string): Promise<string>;
  /**
   * Stores a part, durably. All but the last have {@link minPartBytes} at least. Numbers need not follow one another;
   * a part with a number that was stored before takes its place.
   *
   * @param signal cuts it short.
   */
  putPart(upload: Upload, number: number, bytes: Buffer, signal?: AbortSignal): Promise<StoredPart>;
  /** Makes the file of these parts, in this order; others are dropped. Safe to repeat. */
  complete(upload: Upload, parts: readonly StoredPart[]): Promise<void>;
  /** Drops the upload with its parts, if it is there. */
  abort(upload: Upload): Promise<void>;
  /**
   * The bytes of a file, all of them or a range; `null` when it is not there. The file stays open until the stream is
   * read to its end or destroyed.
   *
   * @throws {Error} when it is there and not whole.
   */
  read(key: string, range?: ByteRange): Promise<StoredBytes | null>;
  /** Deletes the file, if it is there. */
  delete(key: string): Promise<void>;
  /** Lets go of connections. */
  close(): Promise<void>;
}

export interface Upload {
  key: string;
  /** The result of {@link BlobStore.begin}. */
  uploadId: string;
}

export interface StoredPart {
  number: number;
  /** Bytes. */
  size: number;
  /** The store's name of these bytes. Other bytes under the same number have another. */
  etag: string;
}

/** The bytes that are read of a file. */
export interface StoredBytes {
  /** Their number, as the store says. */
  length: number;
  bytes: Readable;
}

/** Both ends are in it, as in RFC 9110 §14.1.2. */
export interface ByteRange {
  first: number;
  last: number;
}

/** The smallest part that S3 accepts, except for the last. */
export const minPartBytes = 5 * 1024 * 1024;

/** Throws an error for a key that could name a file outside of the store. */
export function requirePlainKey(key: string): void {
  if (!/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/.test(key)) throw new Error(`Not a key of a blob: ${key}`);
}
