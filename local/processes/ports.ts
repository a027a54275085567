import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { LauncherError } from './processes.ts';

/** The port that a part should take; 0 is any free one. */
export interface PortChoice {
  port: number;
  /** If the port is taken: choose another one, or fail. */
  whenTaken: 'any' | 'fail';
}

export type PortName =
  'api' | 'console' | 'processor' | 'temporal' | 'temporalUi' | 'postgres' | 'apiMetrics' | 'workerMetrics';
export type PortChoices = Record<PortName, PortChoice>;

/**
 * Chooses a port for each part before anything starts, since parts need each other's.
 *
 * @throws {LauncherError} when one that must be had is taken.
 */
export async function choosePorts(choices: Partial<PortChoices>): Promise<Record<PortName, number>> {
  const chosen: Record<PortName, number> = {
    api: 0,
    console: 0,
    processor: 0,
    temporal: 0,
    temporalUi: 0,
    postgres: 0,
    apiMetrics: 0,
    workerMetrics: 0,
  };
  const taken = new Set<number>();
  for (const name of Object.keys(chosen) as PortName[]) {
    chosen[name] = await choosePort(choices[name], taken);
    taken.add(chosen[name]);
  }
  return chosen;
}

async function choosePort(choice: PortChoice | undefined, taken: ReadonlySet<number>): Promise<number> {
  if (!choice?.port) return freePort(taken);
  if (!taken.has(choice.port) && (await isFree(choice.port))) return choice.port;
  if (choice.whenTaken === 'any') return freePort(taken);
  throw new LauncherError(
    `Port ${choice.port} is in use: stop what listens there, or choose another port with PORT (0 is any free one)`,
  );
}

/**
 * Returns whether nobody listens on a port of the loopback address. Some systems let a second one listen there
 * beside one that listens on all addresses, so it is called as well.
 */
export async function isFree(port: number): Promise<boolean> {
  const canListen = await new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
  return canListen && !(await connectOnce('127.0.0.1', port, 200));
}

let range = { from: 12_000, to: 16_000 };
/** A part that is down for a moment keeps its port, so none is given twice. */
const given = new Set<number>();

/** Has this process look for free ports elsewhere: one that another process has found, and does not use yet, looks free. */
export function lookForPorts(from: number, to: number): void {
  range = { from, to };
}

/**
 * Finds a free port below the range that the system uses for outgoing connections. A part that is down for a
 * moment keeps its port so: from that range, a client which retries could be given the very port it calls,
 * and would then be connected with itself.
 */
export async function freePort(taken: ReadonlySet<number> = new Set()): Promise<number> {
  if (given.size > (range.to - range.from) / 2) given.clear();
  for (;;) {
    const port = randomInt(range.from, range.to);
    if (taken.has(port) || given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

/** Resolves to true once something accepts connections there, or to false after `timeoutMs`. */
export async function canConnect(host: string, port: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  do {
    if (await connectOnce(host, port, Math.max(50, deadline - Date.now()))) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  } while (Date.now() < deadline);
  return false;
}

function connectOnce(host: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => done(true));
    socket.once('timeout', () => done(false));
    socket.once('error', () => done(false));
  });
}
