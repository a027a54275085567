import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { OnWindow } from './closed-loop.ts';
import type { LoadOrder, LoadReport, LoadResult } from './load-generator.ts';

/** A process of the benchmark; it ends when its channel to us does. */
export interface BenchChild {
  pid: number;
  process: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts a program of this folder, and resolves when it says that it is ready.
 *
 * @throws when it ends before.
 */
export async function startChild(entry: string, env: NodeJS.ProcessEnv): Promise<BenchChild> {
  const child = fork(fileURLToPath(new URL(`../${entry}`, import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    // Standard output is for the results.
    stdio: ['ignore', 2, 2, 'ipc'],
    env,
    detached: true,
  });
  const exited = once(child, 'exit');
  const first = await Promise.race([once(child, 'message'), exited.then(() => null)]);
  if (!first) throw new Error(`${entry} ended before it was ready`);
  return {
    pid: child.pid!,
    process: child,
    async stop() {
      if (child.connected) child.disconnect();
      const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exited;
      clearTimeout(force);
    },
  };
}

/**
 * Has the load generator carry out one order.
 *
 * @throws what a call threw, or that the generator is gone.
 */
export async function carryOut(
  { process: child }: BenchChild,
  order: LoadOrder,
  onWindow: OnWindow = () => undefined,
): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void) => {
      child.off('message', onReport).off('exit', onExit);
      settle();
    };
    const onReport = (report: LoadReport) => {
      if ('edge' in report) onWindow(report.edge);
      else if ('fault' in report) done(() => reject(new Error(`${order.target}: ${report.fault}`)));
      else done(() => resolve(report.result));
    };
    const onExit = () => done(() => reject(new Error('the load generator ended')));
    child.on('message', onReport).on('exit', onExit);
    child.send(order);
  });
}

/**
 * Sends a child one message, and waits for the one it answers.
 *
 * @throws when it ends instead.
 */
export function ask<Report>({ process: child }: BenchChild, message: object): Promise<Report> {
  return new Promise((resolve, reject) => {
    const settle = (settled: () => void) => {
      child.off('message', onMessage).off('exit', onExit);
      settled();
    };
    const onMessage = (report: unknown) => settle(() => resolve(report as Report));
    const onExit = () => settle(() => reject(new Error('a process of the benchmark ended')));
    child.on('message', onMessage).on('exit', onExit);
    child.send(message);
  });
}
