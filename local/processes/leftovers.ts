import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { endProcess, isAlive, startedAt } from './processes.ts';

interface Child {
  name: string;
  pid: number;
  started: string | undefined;
}

/** Records our processes for the next start, in case this launcher is killed. */
export function recordChildren(file: string, pids: ReadonlyMap<string, number>): void {
  const children: Child[] = [...pids].map(([name, pid]) => ({ name, pid, started: startedAt(pid) }));
  writeFileSync(`${file}.new`, JSON.stringify(children));
  renameSync(`${file}.new`, file);
}

function recorded(file: string): Child[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Child[];
  } catch {
    return [];
  }
}

/**
 * Ends the processes of a killed launcher. They end by themselves, but not at once, and hold ports and
 * files which the next start needs.
 */
export async function endLeftovers(file: string, log: (line: string) => void): Promise<void> {
  // An id may have been given to another process since.
  const left = recorded(file).filter(({ pid, started }) => isAlive(pid) && startedAt(pid) === started);
  if (left.length === 0) return;
  log(
    `Stopping what an earlier run left behind: ${left.map(({ name, pid }) => `${name} (${pid})`).join(', ')}`,
  );
  await Promise.all(left.map(({ pid }) => endProcess(pid, 'SIGTERM', 3_000)));
}
