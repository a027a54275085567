import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces the file at once, for this user alone: after a crash it has the old text or the new one, and never half of
 * it. Its folder must exist.
 */
export function writeDurably(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  const target = openSync(draft, 'w', 0o600);
  try {
    writeSync(target, text);
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
  renameSync(draft, file);
  syncFolder(dirname(file));
}

/** A rename is durable once its folder is. Windows cannot open one. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
