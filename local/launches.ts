import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startNode } from './processes/children.ts';
import type { PortName } from './processes/ports.ts';
import { startPostgres } from './postgres/postgres.ts';
import { programFile } from './programs.ts';
import { LauncherError, type Running } from './processes/processes.ts';
import type { LocalSecrets } from './secrets.ts';
import { consoleEnvironment, processorEnvironment } from './settings.ts';
import type { Addresses } from './settings.ts';
import { startTemporalOnPostgres } from './temporal/temporal-on-postgres.ts';
import { findTemporal, startTemporal } from './temporal/temporal.ts';

export type PartName = 'postgres' | 'temporal' | 'processor' | 'worker' | 'api' | 'console';

/** Everything that parts are started with; read again at each start. */
export interface LaunchContext {
  localDir: string;
  ports: Record<PortName, number>;
  addresses: Addresses;
  secrets: LocalSecrets;
  /** Whether its database survives a loss of power. */
  isDurable: boolean;
  log: (line: string) => void;
  /** The whole environment of worker and API, as far as known. `PROGRAMS` in it names another release's programs. */
  env: () => NodeJS.ProcessEnv;
}

export interface Launch {
  logFile: string;
  /** More environment than the stack's. */
  env: NodeJS.ProcessEnv;
  /** Gives the start up. */
  signal: AbortSignal;
}

/** Returns whether Temporal is the full server with its store on Postgres. (Default: the development server) */
export function isOnPostgres(env: NodeJS.ProcessEnv): boolean {
  const store = env['TEMPORAL_STORE'] || 'sqlite';
  if (store === 'postgres' || store === 'sqlite') return store === 'postgres';
  throw new LauncherError(`TEMPORAL_STORE is sqlite or postgres, and not ${store}`);
}

/** Starts each part, and resolves when it serves. */
export const launches: Record<PartName, (context: LaunchContext, launch: Launch) => Promise<Running>> = {
  async postgres({ localDir, ports, addresses, isDurable, log }, { logFile }) {
    const dataDir = join(localDir, 'postgres');
    const server = await startPostgres({ dataDir, port: ports.postgres, logFile, log, isDurable });
    addresses.databaseUrl = server.url;
    return server;
  },

  async temporal({ localDir, ports, addresses, log, env }, { logFile, env: extra, signal }) {
    const dir = join(localDir, 'temporal');
    if (isOnPostgres(env())) {
      const { databaseUrl, temporalNamespace: namespace } = addresses;
      if (!databaseUrl) throw new LauncherError('TEMPORAL_STORE=postgres needs the database of the stack');
      return startTemporalOnPostgres({
        databaseUrl,
        dir,
        port: ports.temporal,
        namespace,
        logFile,
        log,
        env: env(),
      });
    }
    return startTemporal({
      binary: await findTemporal(log, { ...env(), ...extra }, signal),
      dbFile: join(dir, 'temporal.db'),
      port: ports.temporal,
      uiPort: ports.temporalUi,
      namespace: addresses.temporalNamespace,
      logFile,
    });
  },

  async processor({ addresses, secrets, localDir, env }, { logFile, env: extra, signal }) {
    const whole = processorEnvironment({ ...env(), ...extra }, addresses, secrets, localDir);
    mkdirSync(dirname(whole['PROCESSOR_STORE']!), { recursive: true, mode: 0o700 });
    const program = await programFile('processor');
    return startNode({ name: 'processor', program, env: whole, logFile, signal });
  },

  async worker({ env, ports }, { logFile, env: extra, signal }) {
    const whole: NodeJS.ProcessEnv = { ...env(), METRICS_PORT: String(ports.workerMetrics), ...extra };
    const program = await programFile('worker', whole['PROGRAMS']);
    return startNode({ name: 'worker', program, env: whole, logFile, signal });
  },

  async api({ env, ports }, { logFile, env: extra, signal }) {
    const whole: NodeJS.ProcessEnv = { ...env(), METRICS_PORT: String(ports.apiMetrics), ...extra };
    const program = await programFile('api', whole['PROGRAMS']);
    return startNode({ name: 'API', program, env: whole, logFile, signal });
  },

  async console({ addresses, secrets, env }, { logFile, env: extra, signal }) {
    const whole = { ...consoleEnvironment(env(), addresses, secrets.console), ...extra };
    const program = await programFile('console');
    return startNode({ name: 'console', program, env: whole, logFile, signal });
  },
};
