import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../processes/ports.ts';
import { LauncherError, spawnServer, type Running } from '../processes/processes.ts';
import { withProgress } from '../processes/progress.ts';
import { startServing, type Temporal } from './temporal.ts';

/**
 * The full Temporal server with its store on Postgres, as `docker-compose.yml` runs it: the server of a
 * deployment, where the development server of `local/temporal/temporal.ts` keeps everything in one SQLite file.
 */

/** The version that `docker-compose.yml` names. */
export const serverVersion = '1.32.0';

const modules = [
  `go.temporal.io/server/cmd/server@v${serverVersion}`,
  `go.temporal.io/server/cmd/tools/sql@v${serverVersion}`,
];

export interface TemporalOnPostgresOptions {
  /** The database of the application. Temporal's databases are made on the same server. */
  databaseUrl: string;
  /** Where its configuration is written. */
  dir: string;
  port: number;
  namespace: string;
  logFile: string;
  log: (line: string) => void;
  env: NodeJS.ProcessEnv;
}

/** As docker-compose has them: the service, and what lists and searches ask. */
const stores = [
  { database: 'temporal', schema: 'postgresql/v12/temporal' },
  { database: 'temporal_visibility', schema: 'postgresql/v12/visibility' },
] as const;

/** Ids must fit into Temporal's tables in PostgreSQL. */
const dynamicConfiguration = { 'limit.maxIDLength': [{ value: 255 }] };

/**
 * Starts the server on loopback only, with its schema brought up to date, and resolves when it serves the namespace.
 * It has no UI. It does not outlive this process.
 *
 * @throws {LauncherError} when it cannot be had or run here.
 */
export async function startTemporalOnPostgres(options: TemporalOnPostgresOptions): Promise<Temporal> {
  const folder = await findServer(options);
  await prepareStores(join(folder, 'sql'), options.databaseUrl);
  const server = await startServing(() => run(join(folder, 'server'), options), options);
  return { ...server, address: `127.0.0.1:${options.port}`, uiUrl: null };
}

/** Returns the folder of the server and its schema tool: of an earlier start, or built now. */
async function findServer({ env, log }: TemporalOnPostgresOptions): Promise<string> {
  const cache = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'payments-api');
  const kept = join(cache, `temporal-server-${serverVersion}`);
  if (existsSync(kept)) return kept;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'fetch-'));
  try {
    await withProgress(
      () => `Building the Temporal server ${serverVersion} with go (this takes minutes, once)`,
      log,
      () => promisify(execFile)('go', ['install', ...modules], { env: { ...env, GOBIN: folder } }),
    );
    renameSync(folder, kept);
    return kept;
  } catch (error) {
    throw new LauncherError(
      `TEMPORAL_STORE=postgres needs the full Temporal server, which could not be built (${firstLine(error)}): ` +
        'install go, or unset it to use the development server',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the databases and brings their schema up to date; done again, it changes nothing. */
async function prepareStores(tool: string, databaseUrl: string): Promise<void> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const env = {
    ...process.env,
    SQL_PLUGIN: 'postgres12',
    SQL_HOST: hostname,
    SQL_PORT: port || '5432',
    SQL_USER: decodeURIComponent(username),
    SQL_PASSWORD: decodeURIComponent(password),
  };
  for (const { database, schema } of stores) {
    const call = (...args: string[]) =>
      promisify(execFile)(tool, ['--db', database, ...args], { env }).catch((error: unknown) => {
        throw new LauncherError(`Temporal's database ${database} could not be prepared: ${firstLine(error)}`);
      });
    await call('create');
    await call('setup-schema', '-v', '0.0');
    await call('update-schema', '--schema-name', schema);
  }
}

async function run(binary: string, options: TemporalOnPostgresOptions): Promise<Running> {
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  // YAML takes JSON as it is. The first holds the password of the database.
  const file = join(options.dir, 'temporal.yaml');
  const services = readServices(file, options.port) ?? (await chooseServices(options.port));
  const write = (path: string, content: object) =>
    writeFileSync(path, JSON.stringify(content, null, 2), { mode: 0o600 });
  write(dynamicFile(options), dynamicConfiguration);
  write(file, buildConfiguration(options, services));
  return spawnServer({
    binary,
    args: ['--config-file', file, '--allow-no-auth', 'start'],
    stopSignal: 'SIGTERM',
    logFile: options.logFile,
  });
}

const dynamicFile = ({ dir }: { dir: string }) => join(dir, 'dynamic-config.yaml');

type Services = Record<'frontend' | 'matching' | 'history' | 'worker', { rpc: object }>;

/**
 * Returns the ports of the server that ran here before. On these, a server takes its own place in the cluster;
 * where on others it would wait until the cluster has given up on who was there.
 */
function readServices(file: string, port: number): Services | null {
  if (!existsSync(file)) return null;
  const { services } = JSON.parse(readFileSync(file, 'utf8')) as { services: Services };
  return (services.frontend.rpc as { grpcPort: number }).grpcPort === port ? services : null;
}

async function chooseServices(port: number): Promise<Services> {
  const taken = new Set([port]);
  const another = async () => {
    const chosen = await freePort(taken);
    taken.add(chosen);
    return chosen;
  };
  const service = async (grpcPort?: number) => ({
    rpc: { grpcPort: grpcPort ?? (await another()), membershipPort: await another(), bindOnLocalHost: true },
  });
  return {
    frontend: await service(port),
    matching: await service(),
    history: await service(),
    worker: await service(),
  };
}

function buildConfiguration(
  { databaseUrl, port, dir }: TemporalOnPostgresOptions,
  services: Services,
): object {
  const { hostname, port: databasePort, username, password } = new URL(databaseUrl);
  const buildStore = (database: string, connections: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName: database,
      connectAddr: `${hostname}:${databasePort || '5432'}`,
      connectProtocol: 'tcp',
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      maxConns: connections,
      maxIdleConns: connections,
      maxConnLifetime: '1h',
    },
  });
  return {
    dynamicConfigClient: { filepath: dynamicFile({ dir }), pollInterval: '1m' },
    log: { stdout: true, level: 'error' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      // As docker-compose has it. It cannot be changed once there is data.
      numHistoryShards: 512,
      datastores: { default: buildStore('temporal', 20), visibility: buildStore('temporal_visibility', 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services,
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${port}`,
        },
      },
    },
  };
}

function firstLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return (stderr?.trim() || message || String(error)).split('\n')[0] ?? '';
}
