import { readdirSync, readFileSync } from 'node:fs';
import type { PartName, Stack } from '#local/stack.ts';

/** Linux counts CPU time in hundredths of a second. */
const msPerTick = 10;

/** The processes to watch, by name. A process that does not run here is left out. */
export type Pids<Name extends string = string> = Record<Name, readonly (number | null)[]>;

/** CPU time by process, in milliseconds. A process whose time cannot be read is missing. */
export type CpuTimes<Name extends string = string> = Partial<Record<Name, number>>;

/** Returns the processes of a stack. */
export function listPids<Name extends PartName>(stack: Stack, names: readonly Name[]): Pids<Name> {
  const pids: Partial<Pids<Name>> = {};
  for (const name of names) pids[name] = [stack.pid(name)];
  return pids as Pids<Name>;
}

interface Ticks {
  parent: number;
  /** Its own time. */
  own: number;
  /** The time of its children that have ended. */
  ended: number;
}

/**
 * Watches the CPU time of processes and of their children, such as Postgres' backends. Returns a function that divides
 * the time used since then by a number of calls.
 */
export function watchCpu<Name extends string>(pids: Pids<Name>): (calls: number) => CpuTimes<Name> {
  const before = readCpuTimes(pids);
  return (calls) => {
    const after = readCpuTimes(pids);
    const names = Object.keys(after) as Name[];
    const used = names.map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / calls]);
    return Object.fromEntries(used) as CpuTimes<Name>;
  };
}

function readCpuTimes<Name extends string>(pids: Pids<Name>): CpuTimes<Name> {
  const all = readAllTicks();
  const countTicks = (pid: number): number => {
    const ticks = all.get(pid);
    if (!ticks) return 0;
    const children = [...all].filter(([, { parent }]) => parent === pid).map(([child]) => countTicks(child));
    return ticks.own + ticks.ended + children.reduce((sum, more) => sum + more, 0);
  };
  const times: CpuTimes<Name> = {};
  for (const name of Object.keys(pids) as Name[]) {
    const known = pids[name].filter((pid) => pid !== null);
    if (known.length > 0 && known.every((pid) => all.has(pid)))
      times[name] = known.reduce((sum, pid) => sum + countTicks(pid), 0) * msPerTick;
  }
  return times;
}

/** Returns nothing on systems without `/proc`. */
function readAllTicks(): Map<number, Ticks> {
  const all = new Map<number, Ticks>();
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const ticks = readTicks(pid);
      if (ticks) all.set(Number(pid), ticks);
    }
  } catch {
    return all;
  }
  return all;
}

/** Returns `null` if the process has ended. */
function readTicks(pid: string): Ticks | null {
  try {
    // The second field is the name in brackets and may hold spaces: count from the last bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15);
    return { parent: fields[1] ?? 0, own: utime + stime, ended: cutime + cstime };
  } catch {
    return null;
  }
}
