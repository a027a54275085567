import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Compares what a generator made with the committed file, or replaces that.
 *
 * @throws {Error} if they differ, with the command that mends it.
 */
export function settle(committed: string, made: string, write: boolean): void {
  if (write) return writeFileSync(committed, made);
  if (readOrNothing(committed) === made) return;
  throw new Error(`${committed} is not what openapi.json gives: run npm run clients -- --write`);
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
