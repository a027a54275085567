import { Connection } from '@temporalio/client';
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withSecretFiles } from '#startup/settings/secret-files.ts';
import { serviceSecrets } from '#startup/settings/service.ts';
import { listTlsSettings, readTemporalConnection } from '#startup/temporal-connection.ts';
import type { TemporalConnection } from '#temporal/client/connection.ts';
import { lastFault, readFileSize } from '../processes/log-files.ts';
import { ensureNamespace } from './namespace.ts';
import { canConnect } from '../processes/ports.ts';
import { LauncherError, spawnServer } from '../processes/processes.ts';
import type { Running } from '../processes/processes.ts';

export { findTemporal } from './temporal-binary.ts';

export interface TemporalOptions {
  /** The `temporal` command line tool, as {@link findTemporal} gives it. */
  binary: string;
  /** Its SQLite file; made on the first start. */
  dbFile: string;
  port: number;
  uiPort: number;
  namespace: string;
  /** Where the server's own log goes. */
  logFile: string;
}

export interface Temporal extends Running {
  address: string;
  /** `null`: it has none. */
  uiUrl: string | null;
}

const startTimeoutMs = 30_000;

/**
 * Starts Temporal's development server with its UI, on loopback only, and resolves when it serves the namespace,
 * with retention and search attributes ensured. The server does not outlive this process.
 *
 * @throws {LauncherError} when it cannot run here.
 */
export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  if (process.platform === 'win32') {
    throw new LauncherError(
      'The local Temporal server needs Linux or macOS: set TEMPORAL_ADDRESS, or use WSL',
    );
  }
  mkdirSync(dirname(options.dbFile), { recursive: true, mode: 0o700 });
  const server = await startServing(() => run(options), options);
  return { ...server, address: `127.0.0.1:${options.port}`, uiUrl: `http://127.0.0.1:${options.uiPort}` };
}

/** Starts a server, and resolves when it serves the namespace; one that does not is stopped. */
export async function startServing(
  run: () => Promise<Running>,
  options: Pick<TemporalOptions, 'port' | 'namespace' | 'logFile'>,
): Promise<Running> {
  const offset = readFileSize(options.logFile);
  const server = await run();
  try {
    await Promise.race([
      failWhenGone(server, options, offset),
      serveNamespace({ address: `127.0.0.1:${options.port}` }, options.namespace, startTimeoutMs),
    ]);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function run(options: TemporalOptions): Promise<Running> {
  // prettier-ignore
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(options.port),
    '--ui-ip', '127.0.0.1', '--ui-port', String(options.uiPort), '--db-filename', resolve(options.dbFile),
    // Its schema is set up by one writer; a write is in the log before it is acknowledged.
    '--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal',
    // By default a shard reads its queue 20 times a second at most, and this server is one shard: a workflow's first
    // task waited for up to 50 ms.
    '--dynamic-config-value', 'history.transferProcessorMaxPollRPS=1000',
    '--namespace', options.namespace, '--log-level', 'error', '--log-format', 'json'];
  return spawnServer({ binary: options.binary, args, stopSignal: 'SIGTERM', logFile: options.logFile });
}

async function failWhenGone(server: Running, options: { logFile: string }, offset: number): Promise<never> {
  await server.exited;
  throw new LauncherError(
    `The Temporal server did not start: ${lastFault(options.logFile, offset)} (its log: ${options.logFile})`,
  );
}

/**
 * Resolves when the service there serves our namespace. An open port does not say that it does: it answers that
 * it is not healthy for a moment.
 *
 * @throws whatever it answered last, when the time is up.
 */
async function serveNamespace(to: TemporalConnection, namespace: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const [host, port] = splitAddress(to.address);
  // A connection attempt that comes too early costs gRPC a second of waiting.
  if (!(await canConnect(host, port, timeoutMs))) throw new Error('nothing listens there');
  for (;;) {
    try {
      const connection = await Connection.connect({ ...to, connectTimeout: '5 s' });
      try {
        return await ensureNamespace(connection, namespace);
      } finally {
        await connection.close();
      }
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(25);
    }
  }
}

/** Throws a {@link LauncherError} if settings ask for TLS: the local Temporal server has none. */
export function requireNoTls(env: NodeJS.ProcessEnv): void {
  const names = listTlsSettings(env).join(', ');
  if (names)
    throw new LauncherError(
      `${names}: the local Temporal server has no TLS. Unset this, or set TEMPORAL_ADDRESS to a server with TLS`,
    );
}

/** Throws a {@link LauncherError} unless the Temporal service of TEMPORAL_ADDRESS serves our namespace. */
export async function requireTemporal(env: NodeJS.ProcessEnv, namespace: string): Promise<void> {
  const { env: complete, faults } = withSecretFiles(env, serviceSecrets);
  const connection = readTemporalConnection(complete, faults);
  const { address } = connection;
  for (const { name, message } of faults) throw new LauncherError(`${name}: ${message}`);
  try {
    await serveNamespace(connection, namespace, 3_000);
  } catch (error) {
    if (error instanceof LauncherError) throw error;
    throw new LauncherError(
      `TEMPORAL_ADDRESS: ${address} does not serve namespace ${namespace} (${(error as Error).message}): start that ` +
        'server or mend the address, or unset it to use a local server',
    );
  }
}

/** Splits HOST:PORT. Throws a {@link LauncherError} if it is something else. */
function splitAddress(address: string): [host: string, port: number] {
  const [, host, port] = /^\[?(.+?)\]?:(\d+)$/.exec(address) ?? [];
  if (!host || !port) throw new LauncherError(`TEMPORAL_ADDRESS is HOST:PORT, and not ${address}`);
  return [host, Number(port)];
}
