import { readFileSync, readdirSync } from 'node:fs';

/**
 * MiB that a process and its children (Postgres' backends) hold in memory; pages that they share count once.
 * Linux only: NaN elsewhere.
 */
export function residentMib(pid: number | null): number {
  if (pid === null) return NaN;
  try {
    const kib = withChildren(pid).reduce((sum, one) => sum + proportionalKib(one), 0);
    return kib / 1_024;
  } catch {
    return NaN;
  }
}

function withChildren(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(withChildrenIfAlive)];
}

/** A backend may end while we look. */
function withChildrenIfAlive(pid: number): number[] {
  try {
    return withChildren(pid);
  } catch {
    return [];
  }
}

/** A shared page counts in part for each who holds it. */
function proportionalKib(pid: number): number {
  try {
    const [, kib] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kib ?? 0);
  } catch {
    return 0;
  }
}
