import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { wrongUse } from '../exits.ts';

/** Returns the text of a file that a flag names; `0` is standard input. @throws {CliError} if it cannot be read */
export function readText(flag: string, file: string | 0): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw wrongUse(`${flag}: the file cannot be read: ${(error as Error).message}`);
  }
}

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
