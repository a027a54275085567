import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkflowBundlePath } from '@temporalio/worker';
import { workflowBundle } from '#worker/bundle.ts';

let bundle: Promise<WorkflowBundlePath> | null = null;

/** The workflows as the worker runs them, made once and kept where `npm start` keeps its own. */
export function bundledWorkflows(): Promise<WorkflowBundlePath> {
  bundle ??= workflowBundle(fileURLToPath(new URL('../../.local', import.meta.url)));
  return bundle;
}

/** Puts the bundle into the folder of a new stack: there its worker would make one, in 1.5 s of CPU. */
export async function placeBundle(localDir: string): Promise<void> {
  const { codePath } = await bundledWorkflows();
  const folder = join(localDir, 'bundles');
  mkdirSync(folder, { recursive: true });
  copyFileSync(codePath, join(folder, basename(codePath)));
}
