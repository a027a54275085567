import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

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
 * Sends a child one message, and waits for its answer (`child.ts`).
 *
 * @throws the fault that it answers, or an error when it ends instead.
 */
export function ask<Report>({ process: child }: BenchChild, message: object): Promise<Report> {
  return new Promise((resolve, reject) => {
    const settle = (settled: () => void) => {
      child.off('message', onMessage).off('exit', onExit);
      settled();
    };
    const onMessage = (report: object) => {
      if ('fault' in report) settle(() => reject(new Error(String(report.fault))));
      else settle(() => resolve(report as Report));
    };
    const onExit = () => settle(() => reject(new Error('a process of the benchmark ended')));
    child.on('message', onMessage).on('exit', onExit);
    child.send(message);
  });
}
