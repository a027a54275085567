import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSandboxProcessor } from '#processor/sandbox/adapter.ts';
import { programFile } from '#local/programs.ts';
import type { PaymentProcessor } from '#processor/port.ts';
import type { BookEntry } from '#sandbox/ledger.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the services of these tests share with their callers. */
export const secret = 'sandbox-secret-of-the-tests';

/** How long asynchronous outcomes take here: time enough to see them pending on a busy machine. */
export const asyncMs = 500;

type Environment = Record<string, string>;

/** The members of an answer that tests read beside the adapter. */
export interface AnswerBody {
  status?: string;
  error?: string;
  decline_code?: string;
  data?: BookEntry[];
  has_more?: boolean;
  next_after?: number | null;
}

/** The real sandbox processor in a process and a store of its own. */
export interface Service {
  url: string;
  store: string;
  processor: PaymentProcessor;
  /** Gives up after 500 ms: for calls that are never answered. */
  impatient: PaymentProcessor;
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: AnswerBody }>;
  books(key: string): Promise<Pick<BookEntry, 'kind' | 'key' | 'amount'>[]>;
  stageFault(fault: object): Promise<void>;
  /** Kills it (-9), does what is asked in between, and starts it again on the same store and port. */
  crash(inBetween?: () => Promise<void>): Promise<void>;
  /** Ends the process in the way asked, and returns its exit code. */
  end(how: 'SIGTERM' | 'SIGINT' | 'disconnect'): Promise<number | null>;
  stop(): Promise<void>;
}

/** Starts the program and waits until it exits; its code and what it said. */
export async function runToEnd(env: Environment): Promise<{ code: number | null; errors: string }> {
  const child = await launch(env);
  let errors = '';
  child.stderr!.on('data', (chunk) => (errors += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, errors };
}

async function launch(env: Environment): Promise<ChildProcess> {
  return spawn(process.execPath, [await programFile('processor')], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
}

async function launchUntilReady(env: Environment): Promise<{ child: ChildProcess; port: number }> {
  const child = await launch(env);
  let errors = '';
  child.stderr!.on('data', (chunk) => (errors += String(chunk)));
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: { ready: true; port: number }) => resolve(message.port));
    child.once('exit', (code) => reject(new Error(`it exited with ${code}: ${errors}`)));
  });
  return { child, port };
}

async function endChild(child: ChildProcess, how: NodeJS.Signals | 'disconnect'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit') as Promise<[number | null]>;
  if (how === 'disconnect') child.disconnect();
  else child.kill(how);
  return (await exited)[0];
}

function createCall(url: string): Service['call'] {
  return async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as AnswerBody };
  };
}

/** @param env added to its environment, for example `PROCESSOR_NOTIFY_URL`. */
export async function startService(env: Environment = {}): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-processor-'));
  const store = join(folder, 'store', 'journal.jsonl');
  const settings = {
    PORT: '0',
    PROCESSOR_STORE: store,
    PROCESSOR_SECRET: secret,
    PROCESSOR_ASYNC_MS: String(asyncMs),
    ...env,
  };
  const first = await launchUntilReady(settings);
  let child = first.child;
  let isStopped = false;
  const url = `http://127.0.0.1:${first.port}`;
  const call = createCall(url);
  const processor = createSandboxProcessor({ url, secret });
  const impatient = createSandboxProcessor({ url, secret, timeoutMs: 1_000 });

  return {
    url,
    store,
    processor,
    impatient,
    call,
    async books(key) {
      const { body } = await call('GET', `/books?key=${encodeURIComponent(key)}`);
      return (body.data ?? []).map(({ kind, key, amount }) => ({ kind, key, amount }));
    },
    async stageFault(fault) {
      const { status, body } = await call('POST', '/faults', fault);
      if (status !== 201) throw new Error(`not staged: ${JSON.stringify(body)}`);
    },
    async crash(inBetween) {
      await endChild(child, 'SIGKILL');
      await inBetween?.();
      ({ child } = await launchUntilReady({ ...settings, PORT: String(first.port) }));
      // A test that ran out of its time is over already: nothing must outlive it.
      if (isStopped) await endChild(child, 'SIGKILL');
    },
    end: (how) => endChild(child, how),
    async stop() {
      isStopped = true;
      await endChild(child, 'SIGKILL');
      await Promise.all([processor.close(), impatient.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
