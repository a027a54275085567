import { existsSync, readFileSync, readdirSync } from 'node:fs';

/**
 * MiB that a process and its children (Postgres' backends) hold in memory; pages that they share count once.
 * Linux only: NaN elsewhere.
 */
export function residentMib(pid: number | null): number {
  if (pid === null || !existsSync(`/proc/${pid}`)) return NaN;
  return withChildren(pid).reduce((sum, one) => sum + proportionalKib(one), 0) / 1_024;
}

/** Threads and backends may end while we look. */
function withChildren(pid: number): number[] {
  const tasks = ifAlive(() => readdirSync(`/proc/${pid}/task`), []);
  const children = tasks.flatMap((task) =>
    ifAlive(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'), '')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
  return [pid, ...children.flatMap(withChildren)];
}

/** A shared page counts in part for each who holds it. */
function proportionalKib(pid: number): number {
  const rollup = ifAlive(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
}

function ifAlive<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
