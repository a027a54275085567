import { createDiskBlobs } from './disk.ts';
import type { BlobStore } from './port.ts';
import type { S3Settings } from './s3.ts';

/** Which store: a folder that API and worker share, or an S3-compatible one. */
export interface BlobSettings {
  dir: string;
  /** (Default: the folder) */
  s3: S3Settings | null;
}

/** Who keeps results in a folder does not load the client of S3. */
export async function openBlobs({ dir, s3 }: BlobSettings): Promise<BlobStore> {
  if (!s3) return createDiskBlobs(dir);
  const { createS3Blobs } = await import('./s3.ts');
  return createS3Blobs(s3);
}
