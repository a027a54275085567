import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#local/processes/ports.ts';
import { spawnServer, type Running } from '#local/processes/processes.ts';
import { untilAnswers } from '#local/processes/readiness.ts';
import { logFile } from '#local/processes/log-files.ts';

/** Restate's server: one node that holds its log and its state in a folder. */
export interface RestateServer extends Running {
  ingressUrl: string;
  adminUrl: string;
}

const readyTimeoutMs = 60_000;

/**
 * The settings that differ from the defaults, and the one that durability hangs on: `false` waits for the disk.
 */
export const restateSettings = {
  RESTATE_LOG_SERVER__ROCKSDB_DISABLE_WAL_FSYNC: 'false',
  RESTATE_DISABLE_TELEMETRY: 'true',
  RESTATE_LOG_FILTER: 'error',
};

/** Starts the server on loopback, and resolves when it serves. It does not outlive this process. */
export async function startRestate(binary: string, localDir: string): Promise<RestateServer> {
  const taken = new Set<number>();
  const choosePort = async () => {
    const port = await freePort(taken);
    taken.add(port);
    return port;
  };
  const [ingress, admin, node] = [await choosePort(), await choosePort(), await choosePort()];
  const baseDir = join(localDir, 'restate');
  mkdirSync(baseDir);
  const server = await spawnServer({
    binary,
    args: ['--no-logo', '--base-dir', baseDir, '--node-name', 'bench'],
    stopSignal: 'SIGTERM',
    logFile: logFile(localDir, 'restate'),
    env: {
      ...process.env,
      ...restateSettings,
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    },
  });
  const [ingressUrl, adminUrl] = [`http://127.0.0.1:${ingress}`, `http://127.0.0.1:${admin}`];
  try {
    await Promise.race([
      Promise.all([
        untilAnswers(`${ingressUrl}/restate/health`, readyTimeoutMs),
        untilAnswers(`${adminUrl}/health`, readyTimeoutMs),
      ]),
      server.exited.then(({ code }) => Promise.reject(new Error(`its server ended (${code})`))),
    ]);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, ingressUrl, adminUrl };
}
