import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const rotateAtBytes = 10 * 1024 * 1024;

/** Returns the log file of a part. Renames a large one of an earlier run to `.1`. */
export function logFile(localDir: string, name: string): string {
  const folder = join(localDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${name}.log`);
  if (readFileSize(file) > rotateAtBytes) renameSync(file, `${file}.1`);
  return file;
}

/** Returns the size of a file; 0 if there is none. */
export function readFileSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Returns the line that best explains the end of a process, of its log from `offset` on; empty if there is none. */
export function lastFault(file: string, offset: number): string {
  let text: string;
  try {
    text = readFileSync(file).subarray(offset).toString('utf8');
  } catch {
    return '';
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s+at |^Node\.js v/.test(line));
  const fault = lines.findLast((line) => /error|cannot|fatal|panic/i.test(line)) ?? lines.at(-1) ?? '';
  return readMessage(fault.trim()).slice(0, 300);
}

/** Our own processes write JSON lines. */
function readMessage(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    return [msg, err?.message].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}
