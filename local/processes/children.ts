import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastFault, readFileSize } from './log-files.ts';
import { LauncherError, sendSignal, watch } from './processes.ts';
import type { Exit, Running } from './processes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readyTimeoutMs = 60_000;

export interface NodeCommand {
  name: string;
  /** A file of JavaScript; it says over its channel when it is ready. */
  program: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
  /** Gives up the start. */
  signal: AbortSignal;
}

/**
 * Starts one of our programs and resolves when it says that it is ready. It ends by itself when its channel to
 * us does, so it does not outlive this process.
 *
 * @throws {LauncherError} with the reason it gave, when it ends before it is ready.
 */
export async function startNode(command: NodeCommand): Promise<Running> {
  const offset = readFileSize(command.logFile);
  const child = spawnNode(command);
  const running = await watch(child, 'SIGTERM');
  const giveUp = () => void running.stop(2_000);
  command.signal.addEventListener('abort', giveUp);
  const timer = setTimeout(() => child.kill('SIGKILL'), readyTimeoutMs);
  try {
    const exit = await Promise.race([saysReady(child), running.exited]);
    if (exit)
      throw new LauncherError(`The ${command.name} did not start: ${why(command.logFile, offset, exit)}`);
    return running;
  } finally {
    clearTimeout(timer);
    command.signal.removeEventListener('abort', giveUp);
  }
}

function spawnNode({ program, env, logFile }: NodeCommand): ChildProcess {
  const log = openSync(logFile, 'a', 0o600);
  try {
    return spawn(process.execPath, ['--enable-source-maps', program], {
      cwd: root,
      // Node 22 and later keep their compiled code there, so the next start of the program is quicker.
      env: { NODE_COMPILE_CACHE: join(dirname(program), '../compiled'), ...env },
      stdio: ['ignore', log, log, 'ipc'],
      // A session of its own: Ctrl-C at the terminal must reach the launcher only, which stops things in order.
      detached: true,
    });
  } finally {
    closeSync(log);
  }
}

const isReady = (message: unknown) =>
  message === 'ready' || (message as { ready?: boolean } | null)?.ready === true;

function saysReady(child: ChildProcess): Promise<undefined> {
  return new Promise((resolve) => {
    child.on('message', (message) => isReady(message) && resolve(undefined));
  });
}

/** Returns one line: why a process ended, and where its log is. */
function why(logFile: string, offset: number, { code, signal }: Exit): string {
  const end = signal ? `ended by ${signal}` : `exit code ${code}`;
  const fault = lastFault(logFile, offset);
  return `${end}${fault && `: ${fault}`} (its log: ${relative(process.cwd(), logFile) || logFile})`;
}

export interface PartOptions {
  name: string;
  logFile: string;
  /** Starts it, resolving when it serves. */
  launch(extraEnv: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Running>;
  /** Whether it is started again when it ends unasked. */
  restart: boolean;
  log: (line: string) => void;
  /** Called whenever its process changes. */
  onChange: () => void;
}

const firstPauseMs = 250;
const longestPauseMs = 10_000;
/** A part that ran for this long has not crashed "again": the pauses begin anew. */
const steadyMs = 30_000;

/** One supervised part of the stack. */
export class Part {
  readonly name: string;
  readonly logFile: string;
  readonly #options: PartOptions;
  #running: Running | null = null;
  #starting: Promise<void> | null = null;
  #abort = new AbortController();
  #again: NodeJS.Timeout | undefined;
  #pauseMs = firstPauseMs;
  #extraEnv: NodeJS.ProcessEnv = {};

  constructor(options: PartOptions) {
    this.name = options.name;
    this.logFile = options.logFile;
    this.#options = options;
  }

  /** The process that serves now; null while it is down. */
  get pid(): number | null {
    return this.#running?.pid ?? null;
  }

  /** Starts it and resolves when it serves, with more environment than the stack's (kept for restarts). */
  async start(extraEnv: NodeJS.ProcessEnv = {}): Promise<void> {
    if (this.#running || this.#starting) throw new Error(`${this.name} runs already`);
    clearTimeout(this.#again);
    this.#abort = new AbortController();
    this.#extraEnv = extraEnv;
    await this.#launch();
  }

  /** Stops it in good order, and by force when `graceMs` have passed; it stays down until it is started. */
  async stop(graceMs = 8_000): Promise<void> {
    this.#abort.abort();
    clearTimeout(this.#again);
    await this.#starting?.catch(() => {});
    await this.#running?.stop(graceMs);
  }

  /** As a crash does: at once, with no chance to clean up. Resolves when it is gone. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const running = this.#running;
    if (!running) return;
    sendSignal(running.pid, signal);
    await running.exited;
  }

  /** Stops and starts it, by default with the environment that it had. */
  async restart(extraEnv: NodeJS.ProcessEnv = this.#extraEnv): Promise<void> {
    await this.stop();
    await this.start(extraEnv);
  }

  async #launch(): Promise<void> {
    const { signal } = this.#abort;
    this.#starting = this.#options.launch(this.#extraEnv, signal).then((running) => {
      this.#running = running;
      const since = { at: Date.now(), offset: readFileSize(this.logFile) };
      void running.exited.then((exit) => this.#ended(exit, since, signal));
      this.#options.onChange();
    });
    try {
      await this.#starting;
    } finally {
      this.#starting = null;
    }
  }

  #ended(exit: Exit, since: { at: number; offset: number }, signal: AbortSignal): void {
    this.#running = null;
    this.#options.onChange();
    if (signal.aborted || !this.#options.restart) return;
    if (Date.now() - since.at > steadyMs) this.#pauseMs = firstPauseMs;
    this.#options.log(`${this.name} crashed: ${why(this.logFile, since.offset, exit)}; starting it again`);
    this.#startAgain(signal);
  }

  #startAgain(signal: AbortSignal): void {
    const attempt = async () => {
      try {
        await this.#launch();
      } catch (error) {
        if (signal.aborted) return;
        this.#options.log(`${(error as Error).message}; trying again`);
        this.#startAgain(signal);
      }
    };
    this.#again = setTimeout(() => void attempt(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }
}
