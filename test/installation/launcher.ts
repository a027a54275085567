import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isAlive } from '#local/processes/processes.ts';

/** Drives the launcher as a person at a terminal does, in a folder of its own. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const entry = 'local/start.mjs';

/** What the launcher would take for the person's own servers. */
const unset = {
  DATABASE_URL: '',
  TEMPORAL_ADDRESS: '',
  PROCESSOR_URL: '',
  PUBLIC_URL: '',
  // Others start launchers at the same time: none takes a fixed port.
  PORT: '0',
};

export interface RunFile {
  api: string;
  console: string;
  temporal_ui: string;
  temporal_address: string;
  database_url: string;
  processor: string;
  demo: { account: string; client_id: string; client_secret: string };
  other: { account: string; client_id: string; client_secret: string };
  pids: Record<'launcher' | 'api' | 'worker' | 'processor' | 'temporal' | 'postgres', number | null>;
}

export const newFolder = () => mkdtempSync(join(tmpdir(), 'payments-local-'));

/** Runs a command that ends by itself. */
export function runLauncher(args: string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
    cwd: root,
    env: { ...process.env, ...unset, ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

/** `npm start`, running. */
export class Launcher {
  readonly folder: string;
  readonly child: ChildProcess;
  output = '';

  /** By default without npm in between, which would be one more process to reckon with. */
  constructor(folder: string, command = [process.execPath, entry, 'up'], env: NodeJS.ProcessEnv = {}) {
    this.folder = folder;
    this.child = spawn(command[0]!, command.slice(1), {
      cwd: root,
      env: { ...process.env, ...unset, ...env, LOCAL_DIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
  }

  /** @throws with what was printed, when the launcher ends first. */
  async untilReady(): Promise<RunFile> {
    while (!/^ready$/m.test(this.output)) {
      if (this.child.exitCode !== null) throw new Error(`the launcher ended:\n${this.output}`);
      await sleep(20);
    }
    return this.runFile();
  }

  runFile(): RunFile {
    return JSON.parse(readFileSync(join(this.folder, 'run.json'), 'utf8')) as RunFile;
  }

  /** Sends a signal and waits; answers the exit code, or the signal that ended it. */
  async end(signal: NodeJS.Signals): Promise<number | string | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill(signal);
      await gone;
    }
    return this.child.exitCode ?? this.child.signalCode;
  }
}

export const listPids = (run: RunFile) => Object.values(run.pids).filter((pid) => pid !== null);

/** Every process whose command line names the folder, besides this one. */
export function processesNaming(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && isAlive(Number(name)))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter((line) => line.includes(folder));
}

/** Local addresses on which these processes accept connections, from Linux's own tables. */
export function listeningAddresses(pids: readonly number[]): string[] {
  const inodes = new Set(pids.flatMap(socketInodes));
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      // 0A is LISTEN.
      .filter((fields) => fields[3] === '0A' && inodes.has(fields[9]!))
      .map((fields) => fields[1]!.split(':')[0]!),
  );
}

function socketInodes(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(join(folder, fd)))?.[1] ?? [];
    } catch {
      return [];
    }
  });
}
