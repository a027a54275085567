import { Runtime } from '@temporalio/worker';
import { createRequire } from 'node:module';

/*
 * `temporal-download.ts FOLDER` puts the Temporal server that the SDK downloads for itself into FOLDER. It is a
 * program of its own because the SDK cannot be told to give up, and because it starts what it downloads.
 */

const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json') as { version: string };
const folder = process.argv[2];
if (!folder) throw new Error('which folder?');

process.once('disconnect', () => process.exit(1));
const runtime = Runtime.instance();
process.send?.('asking');
const server = await runtime.createEphemeralServer({
  type: 'dev-server',
  exe: {
    type: 'cached-download',
    downloadDir: folder,
    version: 'default',
    ttl: 86_400_000,
    sdkName: 'sdk-typescript',
    sdkVersion: version,
  },
  namespace: 'default',
  ip: '127.0.0.1',
  port: null,
  uiPort: null,
  dbFilename: null,
  ui: false,
  log: { format: 'json', level: 'error' },
  extraArgs: [],
});
await runtime.shutdownEphemeralServer(server);
await runtime.shutdown();
process.exit(0);
