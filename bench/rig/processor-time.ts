import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, whatever its timer does. */
const msPerTick = 10;

interface Times {
  parent: number;
  /** Its own, in ticks. */
  own: number;
  /** That of its children which have ended and were waited for. */
  ended: number;
}

function timesOf(pid: number | string): Times | null {
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

/**
 * Milliseconds of processor time that each of these processes has used, its children (Postgres' backends)
 * included. Those whose time cannot be read are left out: all of them, where there is no `/proc`.
 */
export function processorTimes<Name extends string>(
  pids: ReadonlyMap<Name, readonly number[]>,
): Map<Name, number> {
  const all = allTimes();
  const ticksOf = (pid: number): number => {
    const times = all.get(pid);
    if (!times) return 0;
    const children = [...all].filter(([, { parent }]) => parent === pid).map(([child]) => ticksOf(child));
    return times.own + times.ended + children.reduce((sum, ticks) => sum + ticks, 0);
  };
  const known = [...pids].filter(([, these]) => these.length > 0 && these.every((pid) => all.has(pid)));
  return new Map(
    known.map(([name, these]) => [name, these.reduce((sum, pid) => sum + ticksOf(pid), 0) * msPerTick]),
  );
}

function allTimes(): Map<number, Times> {
  const all = new Map<number, Times>();
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const times = timesOf(pid);
      if (times) all.set(Number(pid), times);
    }
  } catch {
    // No /proc here.
  }
  return all;
}
