import { createDiskBlobs } from './disk.ts';
import type { BlobStore } from './port.ts';
import type { S3Settings } from './s3.ts';

/** Which store: a folder that API and worker share, or an S3-compatible one. */
export interface BlobSettings {
  dir: string;
  /** (Default: the folder) */
  s3: S3Settings | null;
}

/** The client of S3 is loaded only if it is used. */
export async function openBlobs({ dir, s3 }: BlobSettings): Promise<BlobStore> {
  if (!s3) return createDiskBlobs(dir);
  const { createS3Blobs } = await import('./s3.ts');
  return createS3Blobs(s3);
}
