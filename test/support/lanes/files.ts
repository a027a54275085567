import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { sumCpuTimes } from './cpu-time.ts';
import type { FileResult } from './results.ts';

/**
 * Which test files a run has, and in which order. Nothing here lists files by hand: `npm test -- --times` records what
 * each file costs, and a file says at its beginning that it runs in pairs.
 */

/** What each file cost in the last run with `--times`: milliseconds, and those of CPU. */
const timesFile = 'test/times.json';

/** The tests of what installs, builds and packs the product. They have a run of their own: `--installation`. */
const installation = 'test/installation/';

/** What the files of `--quick` may use together, in milliseconds of CPU. With the stacks it is 75 seconds on two cores. */
const quickCpuMs = 55_000;

/** Stands in a file that a whole run has on a stack with two APIs behind one address and two workers. */
const pairsMark = '// In pairs:';

type Times = Record<string, [ms: number, cpuMs: number]>;

/** Returns the files of a whole run, the longest first, so that no lane is left alone with a long one. New ones lead. */
export function listTestFiles(): string[] {
  const times = readTimes();
  const length = (file: string) => times[file]?.[0] ?? Infinity;
  const files = findTestFiles().filter((file) => !file.startsWith(installation));
  return files.toSorted((a, b) => (length(a) === length(b) ? 0 : length(b) - length(a)));
}

/** Returns the files of `--installation`. */
export function listInstallationFiles(): string[] {
  return findTestFiles().filter((file) => file.startsWith(installation));
}

/** Returns the files of `--quick`: those that use the least CPU, and new ones, longest first. */
export function listQuickFiles(): string[] {
  const times = readTimes();
  const cost = (file: string) => times[file]?.[1] ?? 0;
  let sum = 0;
  const files = listTestFiles();
  const cheap = files
    .toSorted((a, b) => cost(a) - cost(b))
    .filter((file) => (sum += cost(file)) <= quickCpuMs);
  return files.filter((file) => cheap.includes(file));
}

/** Returns those of the files that run in pairs. None of them stops a process of its stack. */
export function listFilesInPairs(files: readonly string[]): string[] {
  return files.filter((file) => readFileSync(file, 'utf8').startsWith(pairsMark));
}

/** Records what files cost. Keeps the times of other files, as long as these exist. */
export function recordTimes(results: readonly FileResult[]): void {
  const times = readTimes();
  for (const { file, ms, cpu } of results) times[file] = [ms, Math.max(sumCpuTimes(cpu), 0)];
  const lines = findTestFiles()
    .filter((file) => times[file])
    .map((file) => `  ${JSON.stringify(file)}: [${times[file]!.join(', ')}]`);
  writeFileSync(timesFile, `{\n${lines.join(',\n')}\n}\n`);
}

function readTimes(): Times {
  return JSON.parse(readFileSync(timesFile, 'utf8')) as Times;
}

function findTestFiles(): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
    .toSorted();
}
