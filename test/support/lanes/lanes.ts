import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pairSettings } from '../resources/pairs.ts';
import type { FileResult, LaneAnswer, LaneOrder } from './results.ts';

const entry = fileURLToPath(new URL('lane.ts', import.meta.url));

/**
 * Runs test files in processes side by side. Each takes the next file when it has ended one.
 *
 * @param inPairs of these files, those that one lane runs first, on a stack with two of each process of ours.
 * @param onResult is called as each file ends.
 */
export async function runInLanes(
  files: readonly string[],
  inPairs: readonly string[],
  lanes: number,
  onResult: (result: FileResult) => void,
): Promise<void> {
  const paired = files.filter((file) => inPairs.includes(file));
  const others = files.filter((file) => !inPairs.includes(file));
  process.once('SIGINT', () => [paired, others].map((queue) => queue.splice(0)));
  const keepOne = async (_: unknown, number: number) => {
    if (number === 0)
      while (paired.length > 0) await runLane(number, paired, onResult, { ...process.env, ...pairSettings });
    while (others.length > 0) await runLane(number, others, onResult);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, files.length) }, keepOne));
}

/** Resolves when the lane has ended: because the queue is empty, or by a crash, which fails the file it was at. */
function runLane(
  number: number,
  queue: string[],
  onResult: (result: FileResult) => void,
  env = process.env,
): Promise<void> {
  const lane = fork(entry, [String(number)], { execArgv: ['--import', 'tsx'], env });
  let file: string | undefined;
  lane.on('message', (answer: LaneAnswer) => {
    if (answer !== 'ready') onResult(answer);
    if (answer !== 'ready' && file === undefined) return;
    file = queue.shift();
    lane.send({ file: file ?? null } satisfies LaneOrder);
  });
  return new Promise((resolve) => {
    lane.once('exit', (code, signal) => {
      if (code !== 0) {
        const crashed = file ?? queue.shift() ?? 'the end of a lane';
        onResult({
          ...noResult,
          file: crashed,
          failures: `  The process ended: ${signal ?? `exit code ${code}`}\n`,
        });
      }
      resolve();
    });
  });
}

const noResult = { ms: 0, cpu: {}, passed: 0, failed: 1, skipped: 0, output: '', slow: [] };
