import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { WorkflowBundlePath } from '@temporalio/worker';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the image has its bundle: in a container, the folder of LOCAL_DIR begins empty. */
const imageFolder = join(root, 'dist/bundles');

/**
 * The workflows as one file, made anew only when a source of them changed: bundling takes longer than all
 * the rest of a worker's start.
 */
export async function workflowBundle(localDir: string): Promise<WorkflowBundlePath> {
  const name = `${await fingerprint()}.js`;
  const folder = join(localDir, 'bundles');
  const codePath = join(folder, name);
  const known = [join(imageFolder, name), codePath].find((path) => existsSync(path));
  if (known) return { codePath: known };
  await mkdir(folder, { recursive: true });
  const args = ['worker/write-bundle.mjs', 'workflows/index.ts', 'workflows/interceptors.ts'];
  await run(process.execPath, [...args.map((file) => join(root, file)), resolve(codePath)]);
  return { codePath };
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  hash.update(await readFile(join(root, 'package-lock.json')));
  hash.update(await readFile(join(root, 'worker/write-bundle.mjs')));
  for (const room of ['workflows', 'domain', 'temporal']) {
    const files = await readdir(join(root, room), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.ts')).toSorted()) {
      hash.update(file).update(await readFile(join(root, room, file)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
