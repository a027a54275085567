import { realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import {
  listFilesInPairs,
  listInstallationFiles,
  listQuickFiles,
  listTestFiles,
  recordTimes,
} from './support/lanes/files.ts';
import { runInLanes } from './support/lanes/lanes.ts';
import { endOfLane, listTimes, summarize, type FileResult } from './support/lanes/results.ts';

/*
 * `npm test` runs the test files in several processes side by side ("lanes"). `--quick` runs the cheapest ones, and
 * `--installation` those of what installs the product. `--lanes N` says how many processes, `--times` lists and records
 * what each file costs; both may name files. All other arguments are mocha's, which then runs in this process alone:
 * `npm test -- FILE …`, `npm test -- -g TITLE`.
 */

/** Each lane has a stack of its own, about 1 GiB. While tests of some wait, others compute: two more lanes than cores. */
const defaultLanes = Math.min(availableParallelism() + 2, 5);

interface LaneRun {
  files: string[];
  /** Those of them that run on a stack with two of each process of ours. */
  inPairs: readonly string[];
  lanes: number;
  /** Whether the CPU time of each file is listed. */
  times: boolean;
}

/** Returns `null` if the arguments are mocha's. */
function readLaneRun(args: readonly string[]): LaneRun | null {
  const options = {
    quick: { type: 'boolean' },
    installation: { type: 'boolean' },
    lanes: { type: 'string' },
    times: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, strict: false, tokens: false });
  const { quick, installation, lanes, times, ...others } = values;
  if (Object.keys(others).length > 0 || (positionals.length > 0 && lanes === undefined && !times))
    return null;
  const isWhole = !quick && !installation && positionals.length === 0;
  const listFiles = quick ? listQuickFiles : installation ? listInstallationFiles : listTestFiles;
  const files = positionals.length > 0 ? positionals : listFiles();
  return {
    files,
    inPairs: isWhole ? listFilesInPairs(files) : [],
    lanes: Number(lanes ?? defaultLanes),
    times: times === true,
  };
}

async function runLanes({ files, inPairs, lanes, times }: LaneRun): Promise<void> {
  const began = Date.now();
  const results: FileResult[] = [];
  await runInLanes(files, inPairs, lanes, (result) => {
    results.push(result);
    if (result.output || result.failures)
      process.stdout.write(`\n${result.file}\n${result.output.trimStart()}${result.failures}`);
  });
  if (times) console.log(listTimes(results));
  console.log(summarize(results, Date.now() - began));
  const isWhole = files.every((file) => results.some((result) => result.file === file));
  if (!isWhole) console.log('Interrupted: not every file was run');
  process.exitCode = isWhole && results.every(({ failed }) => failed === 0) ? 0 : 1;
  if (times && process.exitCode === 0) recordTimes(results.filter(({ file }) => file !== endOfLane));
}

async function runMocha(args: readonly string[]): Promise<void> {
  // Mocha would add files that are named to those of its configuration: only here can they take their place.
  const named = args.some((arg) => arg.endsWith('.test.ts'));
  // Mocha compares its own path with that of the program, so a link would make it run nothing.
  const entry = realpathSync('node_modules/mocha/lib/cli/cli.js');
  // What a failed test has left open would keep this process.
  process.argv = [process.execPath, entry, '--exit', ...args, ...(named ? [] : ['test/**/*.test.ts'])];
  await import(pathToFileURL(entry).href);
}

const args = process.argv.slice(2);
const laneRun = readLaneRun(args);
await (laneRun ? runLanes(laneRun) : runMocha(args));
