import { readFileSync } from 'node:fs';
import Mocha from 'mocha';
import { lookForPorts } from '#local/processes/ports.ts';
import { endRun } from '../end-run.ts';
import { readCpuTimes, subtractCpuTimes } from './cpu-time.ts';
import { endOfLane, type FileResult, type LaneAnswer, type LaneOrder } from './results.ts';

/*
 * A process that runs test files, one after the other, on a stack of its own. `lanes.ts` starts it, names it a file
 * at a time, and is sent the result of each.
 */

/** Ports of a lane's own: 16,000 and above are nobody else's. */
const portsOfALane = 2_000;
const firstPort = 16_000 + (Number(process.argv[2]) % 8) * portsOfALane;
lookForPorts(firstPort, firstPort + portsOfALane);

const { reporter: _, require: __, 'node-option': ___, ...options } = readOptions();
let running: Mocha.Runner | undefined;

/** Mocha's report of one file. The failures are listed apart, so that they can be shown again at the end. */
class FileReport extends Mocha.reporters.Spec {
  override epilogue(): void {}
}

process.once('SIGINT', () => running?.abort());
process.once('disconnect', () => process.exit(1));
process.on('message', ({ file }: LaneOrder) => void (file === null ? end() : run(file)));
send('ready');

async function run(file: string): Promise<void> {
  const began = Date.now();
  const cpuBefore = readCpuTimes();
  const readOutput = captureOutput();
  const failed: Mocha.Test[] = [];
  const slow: FileResult['slow'] = [];
  let stats = { passes: 0, failures: 0, pending: 0 };
  let fault = '';
  try {
    const mocha = new Mocha({ ...options, reporter: FileReport });
    mocha.addFile(file);
    await mocha.loadFilesAsync();
    await new Promise<void>((resolve) => {
      running = mocha.run(() => resolve());
      running.on('fail', (test) => failed.push(test));
      running.on('pass', (test) => slow.push({ title: test.fullTitle(), ms: test.duration ?? 0 }));
      stats = running.stats ?? stats;
    });
  } catch (error) {
    fault = `  ${file} cannot be run: ${(error as Error).stack}\n`;
  }
  const output = readOutput();
  const readFailures = captureOutput();
  if (failed.length > 0) Mocha.reporters.Base.list(failed);
  const failures = readFailures() + fault;
  // Else each file leaves its listeners on the process.
  running?.dispose();
  send({
    file,
    ms: Date.now() - began,
    cpu: subtractCpuTimes(readCpuTimes(), cpuBefore),
    passed: stats.passes,
    failed: stats.failures + (fault ? 1 : 0),
    skipped: stats.pending,
    output,
    failures,
    slow: slow.toSorted((a, b) => b.ms - a.ms).slice(0, 10),
  });
}

async function end(): Promise<void> {
  const began = Date.now();
  const cpuBefore = readCpuTimes();
  const readOutput = captureOutput();
  const failures = await endRun().then(
    () => '',
    (error: Error) => `  ${endOfLane}: ${error.stack}\n`,
  );
  const failed = failures ? 1 : 0;
  const counts = { passed: 0, failed, skipped: 0, slow: [] };
  const cpu = subtractCpuTimes(readCpuTimes(), cpuBefore);
  const answer = { file: endOfLane, ms: Date.now() - began, cpu, ...counts, output: readOutput(), failures };
  // What a failed test has left open would keep this process, and so the whole run.
  process.send?.(answer satisfies LaneAnswer, () => process.exit());
}

function send(answer: LaneAnswer): void {
  process.send?.(answer);
}

/** Keeps what this process prints, so that the reports of lanes do not mix. Returns a function that ends it. */
function captureOutput(): () => string {
  const write = process.stdout.write.bind(process.stdout);
  let text = '';
  process.stdout.write = (chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  return () => {
    process.stdout.write = write;
    return text;
  };
}

function readOptions(): Record<string, unknown> {
  const file = new URL('../../../.mocharc.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}
