import { sumCpuTimes, type CpuTimes } from './cpu-time.ts';

/** How one test file ended. */
export interface FileResult {
  file: string;
  ms: number;
  /** What it and the processes of its stack used meanwhile. */
  cpu: CpuTimes;
  passed: number;
  failed: number;
  skipped: number;
  /** Mocha's report of it. */
  output: string;
  /** Each failure with its error; empty where none failed. */
  failures: string;
  /** Its slowest tests, the slowest first. */
  slow: { title: string; ms: number }[];
}

/** What a lane sends: that it can take its first file, or how a file ended, which asks for the next. */
export type LaneAnswer = FileResult | 'ready';

/** What a lane is sent: the file to run, or `null`: it ends. */
export interface LaneOrder {
  file: string | null;
}

/** Stands for a file in the result of what a lane does last. */
export const endOfLane = 'the search for secrets, and the end of the stack';

/** Returns the report of a whole run. Its last line is `N passed, N failed`. */
export function summarize(results: readonly FileResult[], ms: number): string {
  const sum = (count: (result: FileResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  const skipped = sum((result) => result.skipped);
  const failures = results.filter(({ failed }) => failed > 0);
  const files = results.filter(({ file }) => file !== endOfLane);
  const tests = files.flatMap(({ slow }) => slow);
  return [
    '',
    ...list(
      'The slowest files',
      files.map(({ file, ms }) => ({ title: file, ms })),
    ),
    ...list('The slowest tests', tests),
    `${files.length} files in ${(ms / 1000).toFixed(0)} s`,
    ...failures.map(({ file, failures }) => `\n${file}\n${failures}`),
    `\n${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  ].join('\n');
}

const listed = 10;

function list(title: string, entries: readonly { title: string; ms: number }[]): string[] {
  const slowest = entries.toSorted((a, b) => b.ms - a.ms).slice(0, listed);
  return [title, ...slowest.map(({ title, ms }) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${title}`), ''];
}

/**
 * Returns a line for each file, the one with the most CPU time first: its seconds, those of CPU, and which programs used
 * them. The rest of its seconds it waited, for something or for a core.
 */
export function listTimes(results: readonly FileResult[]): string {
  const total: CpuTimes = {};
  for (const { cpu } of results)
    for (const [name, ms] of Object.entries(cpu)) total[name] = (total[name] ?? 0) + ms;
  const all = results.reduce((sum, { ms }) => sum + ms, 0);
  const files = results.toSorted((a, b) => sumCpuTimes(b.cpu) - sumCpuTimes(a.cpu));
  return [
    '\nSeconds, of CPU, and by program',
    ...[{ file: 'all of them', ms: all, cpu: total }, ...files].map(
      ({ file, ms, cpu }) => `${inSeconds(ms)} ${inSeconds(sumCpuTimes(cpu))}  ${file}  ${listPrograms(cpu)}`,
    ),
  ].join('\n');
}

const inSeconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7);

function listPrograms(cpu: CpuTimes): string {
  const programs = Object.entries(cpu).toSorted(([, a], [, b]) => b - a);
  return programs.map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)}`).join(', ');
}
