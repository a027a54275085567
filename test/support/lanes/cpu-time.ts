import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** CPU time in milliseconds, by the program that used it. */
export type CpuTimes = Record<string, number>;

/**
 * Reads the CPU time that this process and all that it started have used until now. Ended processes count as their
 * parent's. Returns an empty record where there is no `/proc`.
 */
export function readCpuTimes(): CpuTimes {
  const processes = new Map<number, { parent: number; name: string; ms: number }>();
  for (const entry of listProcesses()) {
    const stat = read(`/proc/${entry}/stat`);
    // A name in brackets may hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    processes.set(Number(entry), {
      parent: Number(fields[1]),
      name: nameProgram(entry),
      ms: ticks * msPerTick,
    });
  }
  const times: CpuTimes = {};
  for (const [pid, { name, ms }] of processes) {
    let ancestor: number | undefined = pid;
    while (ancestor !== undefined && ancestor !== process.pid) ancestor = processes.get(ancestor)?.parent;
    if (ancestor !== process.pid) continue;
    const program = pid === process.pid ? 'tests' : name;
    times[program] = (times[program] ?? 0) + ms;
  }
  return times;
}

/** Linux counts CPU time in hundredths of a second for every program. */
const msPerTick = 10;

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the name of the file that runs: of a script, not of Node. */
function nameProgram(pid: string): string {
  const [binary = '', ...args] = read(`/proc/${pid}/cmdline`).split('\0');
  const isNode = basename(binary) === 'node';
  const script = args.find((arg) => /\.[cm]?[jt]s$/.test(arg));
  const file = (isNode && script) || binary.replace(/:.*/, '');
  // The entry of the worker is named by its folder.
  return basename(file.endsWith('main.js') ? dirname(file) : file) || 'ended';
}

/**
 * Returns what was used between two readings. A program that ended meanwhile has a negative part: all that it had used
 * is counted as its parent's from then on.
 */
export function subtractCpuTimes(after: CpuTimes, before: CpuTimes): CpuTimes {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  const used = [...names].map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const);
  return Object.fromEntries(used.filter(([, ms]) => ms !== 0));
}

/** Returns the sum over all programs, in milliseconds. */
export function sumCpuTimes(times: CpuTimes): number {
  return Object.values(times).reduce((sum, ms) => sum + ms, 0);
}
