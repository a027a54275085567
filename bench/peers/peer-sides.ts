import { ask, type BenchChild } from '../rig/children.ts';
import type { Pids } from '../rig/cpu-time.ts';
import { measure } from '../rig/samples.ts';
import type { Bench } from '../rig/stack.ts';
import { findFile, folderSetting, readVersion } from './modules.ts';
import { restateSettings, startRestate } from './restate-server.ts';
import type { PeerOrder, PeerState } from './route.ts';
import type { ProcessName, Side } from './sides.ts';
import { connections } from './steps.ts';

/** What the rows of a peer are opened with. */
export interface PeerContext {
  bench: Bench;
  generator: BenchChild;
  /** With the packages of the peers. */
  folder: string;
}

/** Opens the rows of every peer. Each throws where it cannot run. */
export const peers: Record<string, (context: PeerContext) => Promise<Side[]>> = {
  DBOS: openDbos,
  Restate: openRestate,
};

/** DBOS: a library, whose store is the Postgres of our stack. Its second row makes its charges without HTTP. */
async function openDbos(context: PeerContext): Promise<Side[]> {
  const child = await startPeer(context, 'dbos.ts');
  const { url } = await tell(child);
  const pids = listPids(context, child, null);
  const settings = [
    describeVersion(context.folder, '@dbos-inc/dbos-sdk'),
    'one process',
    'its store is a database of the same Postgres',
    `${connections} connections for it and ${connections} for the steps`,
  ];
  return [
    openRoute({ name: 'DBOS', settings: settings.join('; '), url, status: 201 }, context, child, pids),
    {
      name: 'DBOS, without HTTP',
      settings: 'the same process, which calls its workflow by itself',
      measure: (load) => measure(child, { load }, { ...pids, 'load generator': [] }),
    },
  ];
}

/** Restate: a server with a store of its own, which calls our handlers. Its second row asks the server itself. */
async function openRestate(context: PeerContext): Promise<Side[]> {
  const { bench, folder } = context;
  const serverPackage = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  const binary = findFile(folder, `${serverPackage}/bin/restate-server`);
  if (!binary) throw new Error(`there is no server for ${process.platform} on ${process.arch}`);
  const node = findNode(folder);
  const server = await startRestate(binary, bench.stack.localDir);
  bench.onEnd(() => server.stop());
  const child = await startPeer(
    context,
    'restate.ts',
    { RESTATE_INGRESS_URL: server.ingressUrl, RESTATE_ADMIN_URL: server.adminUrl, RESTATE_LOGGING: 'ERROR' },
    node.path,
  );
  const { url } = await tell(child);
  const pids = listPids(context, child, server.pid);
  const settings = [
    describeVersion(folder, serverPackage),
    describeVersion(folder, '@restatedev/restate-sdk'),
    `Node ${node.version}`,
    'the server and one process',
    `defaults of the server with ${Object.entries(restateSettings).map(assign).join(' ')}`,
    `${connections} connections for the steps`,
  ];
  const ingress = { url: `${server.ingressUrl}/Charges/charge`, status: 200 };
  const byIngress = { name: 'Restate, without Koa', settings: 'the same; its server is asked', ...ingress };
  return [
    openRoute({ name: 'Restate', settings: settings.join('; '), url, status: 201 }, context, child, pids),
    openRoute(byIngress, context, child, pids),
  ];
}

const assign = ([name, value]: [string, string]) => `${name}=${value}`;
const describeVersion = (folder: string, name: string) => `${name} ${readVersion(folder, name)}`;

/** The SDK of Restate needs a Node that our own stack does not need. */
function findNode(folder: string): { path: string; version: string } {
  const { execPath, versions, platform, arch } = process;
  if (Number(versions.node.split('.')[0]) >= 22) return { path: execPath, version: versions.node };
  const path = findFile(folder, `node-${platform}-${arch}/bin/node`);
  if (!path) throw new Error('its SDK needs Node 22 or later');
  return { path, version: readVersion(folder, `node-${platform}-${arch}`) };
}

/** Starts the process of a peer, with a database of its own on the Postgres of the stack. */
async function startPeer(
  { bench, folder }: PeerContext,
  entry: string,
  more: NodeJS.ProcessEnv = {},
  node?: string,
): Promise<BenchChild> {
  const { stack } = bench;
  const database = `peer_${entry.replace('.ts', '')}`;
  await bench.openDatabase().raw('create database ??', [database]);
  const url = new URL(stack.databaseUrl);
  url.pathname = `/${database}`;
  const env = {
    ...process.env,
    DATABASE_URL: url.href,
    PROCESSOR_URL: stack.processorUrl,
    PROCESSOR_SECRET: stack.env['PROCESSOR_SECRET'],
    [folderSetting]: folder,
    // Warnings about how a peer uses its own packages.
    NODE_NO_WARNINGS: '1',
    ...more,
  };
  return bench.startChild(`peers/${entry}`, env, node);
}

const tell = (child: BenchChild) => ask<PeerState>(child, { tell: 'state' } satisfies PeerOrder);

function listPids(
  { bench: { stack }, generator }: PeerContext,
  service: BenchChild,
  engine: number | null,
): Pids<ProcessName> {
  return {
    'load generator': [generator.pid],
    service: [service.pid],
    worker: [],
    engine: [engine],
    processor: [stack.pid('processor')],
    postgres: [stack.pid('postgres')],
  };
}

function openRoute(
  { name, settings, url, status }: { name: string; settings: string; url: string; status: number },
  { generator }: PeerContext,
  child: BenchChild,
  pids: Pids<ProcessName>,
): Side {
  return {
    name,
    settings,
    measure: (load) => measure(generator, { send: 'keyed', url, status, load }, pids),
    request: (key) => Promise.resolve({ url, headers: { 'idempotency-key': key, 'x-charge-key': key } }),
    countCalls: async () => (await tell(child)).calls,
  };
}
