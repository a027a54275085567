import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The end of a process. Exactly one of the two is set, unless it could not be started. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process the launcher started and answers for. */
export interface Running {
  readonly pid: number;
  /** Settles when the process is gone, for any reason; never rejects. */
  readonly exited: Promise<Exit>;
  /** Ends it in good order, by force when `graceMs` have passed; settles when it is gone. */
  stop(graceMs?: number): Promise<void>;
}

/** A failure that the user can solve. Only its message is shown, without a stack. */
export class LauncherError extends Error {
  override readonly name = 'LauncherError';
}

/** Returns whether a process with this id runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return processState(pid) !== 'Z';
}

function procStat(pid: number): string[] | undefined {
  try {
    // The second field is the name in brackets and may hold spaces: count from the last bracket.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return undefined;
  }
}

function processState(pid: number): string | undefined {
  return process.platform === 'linux' ? procStat(pid)?.[0] : undefined;
}

function ps(pid: number, column: string): string | undefined {
  try {
    return (
      execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
    );
  } catch {
    return undefined;
  }
}

/** Returns when a process started, as the system writes it; undefined if it is gone. A reused id has another answer. */
export function startedAt(pid: number): string | undefined {
  return process.platform === 'linux' ? procStat(pid)?.[19] : ps(pid, 'lstart');
}

/** Returns the parent of a process, or the process that adopted it. */
export function findParent(pid: number): number | undefined {
  const parent = process.platform === 'linux' ? procStat(pid)?.[1] : ps(pid, 'ppid');
  return parent === undefined ? undefined : Number(parent);
}

/** Returns the command line of a process; undefined if it is gone or cannot be read. */
export function commandLine(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'command');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}

/** Waits until a process that is not our child is gone. Returns false if it outlived `timeoutMs`. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** Ends a process that is not our child: first with `signal`, by force when `graceMs` have passed. */
export async function endProcess(pid: number, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  sendSignal(pid, signal);
  if (await waitUntilGone(pid, graceMs)) return;
  sendSignal(pid, 'SIGKILL');
  await waitUntilGone(pid, 2_000);
}

/** Sends a signal; a process that is gone already is no fault. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Makes a {@link Running} of a spawned child. @throws {LauncherError} when it could not be started. */
export async function watch(child: ChildProcess, signal: NodeJS.Signals): Promise<Running> {
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, by) => resolve({ code, signal: by }));
    child.once('error', () => child.pid === undefined && resolve({ code: null, signal: null }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(new LauncherError(`${child.spawnfile} cannot be run: ${error.message}`)),
    );
  });
  const pid = child.pid!;
  const stop = async (graceMs = 8_000) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await exited;
    clearTimeout(force);
  };
  return { pid, exited, stop };
}

/**
 * The launcher may be killed with no chance to clean up. So a server is started by a shell that leaves a
 * reader behind on a pipe of ours and then becomes the server itself: when the pipe ends, we are gone, and the
 * reader ends the server ($1 is the signal), by force after 5 s. A line on the pipe ends the reader.
 */
const guard = `
exec 3<&0; server=$$; signal=$1; shift
( (
  read line <&3 && exit
  kill -$signal $server
  left=25; while kill -0 $server && [ $left -gt 0 ]; do sleep 0.2; left=$((left - 1)); done
  kill -KILL $server
) >/dev/null 2>&1 & )
exec "$@" </dev/null 3<&-`;

export interface ServerCommand {
  binary: string;
  args: readonly string[];
  /** The signal that ends this server in good order. */
  stopSignal: 'SIGINT' | 'SIGTERM';
  /** Output is appended here. */
  logFile: string;
  env?: NodeJS.ProcessEnv;
  user?: { uid: number; gid: number } | undefined;
}

/** Starts a server that does not outlive this process, however this process ends. */
export async function spawnServer(command: ServerCommand): Promise<Running> {
  const log = openSync(command.logFile, 'a', 0o600);
  try {
    const child = spawn(
      '/bin/sh',
      ['-c', guard, 'sh', command.stopSignal.slice(3), command.binary, ...command.args],
      // A session of its own: Ctrl-C at the terminal must reach the launcher only, which stops things in order.
      {
        detached: true,
        stdio: ['pipe', log, log],
        cwd: '/',
        env: command.env ?? process.env,
        ...command.user,
      },
    );
    child.stdin!.on('error', () => {});
    child.once('exit', () => child.stdin!.end('done\n'));
    return await watch(child, command.stopSignal);
  } finally {
    closeSync(log);
  }
}
