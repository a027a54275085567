import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkflowBundlePath } from '@temporalio/worker';

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
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  await mkdir(folder, { recursive: true });
  const workflows = join(root, 'workflows/index.ts');
  const interceptors = join(root, 'workflows/interceptors.ts');
  const { code } = await bundleWorkflowCode({
    workflowsPath: workflows,
    workflowInterceptorModules: [interceptors],
    // Loaded once a process and not once a run: they keep no state of a run at module level.
    preloadModules: [workflows, interceptors],
    logger: new DefaultLogger('WARN'),
  });
  // Written aside and renamed, so that a second worker never reads half a file.
  const draft = `${codePath}.${process.pid}`;
  await writeFile(draft, code);
  await rename(draft, codePath);
  return { codePath };
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  hash.update(await readFile(join(root, 'package-lock.json')));
  hash.update(await readFile(fileURLToPath(import.meta.url)));
  for (const room of ['workflows', 'domain', 'temporal']) {
    const files = await readdir(join(root, room), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.ts')).toSorted()) {
      hash.update(file).update(await readFile(join(root, room, file)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
