import { realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { filesInPairs, listQuickFiles, listTestFiles } from './support/lanes/files.ts';
import { runInLanes } from './support/lanes/lanes.ts';
import { summarize, type FileResult } from './support/lanes/results.ts';

/*
 * `npm test` runs every test file, in several processes side by side ("lanes"). `--quick` runs the part that needs no
 * crash; `--lanes N` says how many processes, and may name files. All other arguments are mocha's, which then runs in
 * this process alone: `npm test -- FILE …`, `npm test -- -g TITLE`.
 */

/** Each lane has a stack of its own, about 1 GiB. While tests of one wait, another computes: one more lane than cores. */
const defaultLanes = Math.min(availableParallelism() + 1, 4);

interface LaneRun {
  files: string[];
  /** Those of them that run on a stack with two of each process of ours. */
  inPairs: readonly string[];
  lanes: number;
}

/** Returns `null` if the arguments are mocha's. */
function readLaneRun(args: readonly string[]): LaneRun | null {
  const options = { quick: { type: 'boolean' }, lanes: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, strict: false, tokens: false });
  const { quick, lanes, ...others } = values;
  if (Object.keys(others).length > 0 || (positionals.length > 0 && lanes === undefined)) return null;
  const files = quick ? listQuickFiles() : listTestFiles();
  const isWhole = !quick && positionals.length === 0;
  return {
    files: positionals.length > 0 ? positionals : files,
    inPairs: isWhole ? filesInPairs : [],
    lanes: Number(lanes ?? defaultLanes),
  };
}

async function runLanes({ files, inPairs, lanes }: LaneRun): Promise<void> {
  const began = Date.now();
  const results: FileResult[] = [];
  await runInLanes(files, inPairs, lanes, (result) => {
    results.push(result);
    if (result.output || result.failures)
      process.stdout.write(`\n${result.file}\n${result.output.trimStart()}${result.failures}`);
  });
  console.log(summarize(results, Date.now() - began));
  const isWhole = files.every((file) => results.some((result) => result.file === file));
  if (!isWhole) console.log('Interrupted: not every file was run');
  process.exitCode = isWhole && results.every(({ failed }) => failed === 0) ? 0 : 1;
}

async function runMocha(args: readonly string[]): Promise<void> {
  // Mocha would add files that are named to those of its configuration: only here can they take their place.
  const named = args.some((arg) => arg.endsWith('.test.ts'));
  // Mocha compares its own path with that of the program, so a link would make it run nothing.
  const entry = realpathSync('node_modules/mocha/lib/cli/cli.js');
  process.argv = [process.execPath, entry, ...args, ...(named ? [] : ['test/**/*.test.ts'])];
  await import(pathToFileURL(entry).href);
}

const args = process.argv.slice(2);
const laneRun = readLaneRun(args);
await (laneRun ? runLanes(laneRun) : runMocha(args));
