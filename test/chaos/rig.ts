import { chmodSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lastFault } from '#local/processes/log-files.ts';
import { keepSecrets } from '#local/secrets.ts';
import { startStack, type Part, type PartName, type Stack } from '#local/stack.ts';
import { startBalancer } from '../support/stack/outside/balancer.ts';
import { connectTo, type Environment } from '../support/stack/environment.ts';
import { startProxy, type Proxy } from '../support/stack/outside/proxy.ts';
import { startReceiver, type Receiver } from '../support/stack/outside/receiver.ts';
import { findS3, type S3Server } from '../support/stack/outside/s3-server.ts';
import type { Execution } from './options.ts';
import type { Releases } from './releases.ts';

/** The connections between two parts that can fail, by who opens them and to whom. */
export const linkNames = [
  'clients-api',
  'api-postgres',
  'api-temporal',
  'api-processor',
  'api-2-postgres',
  'api-2-temporal',
  'api-2-processor',
  'worker-postgres',
  'worker-temporal',
  'worker-processor',
  'worker-2-postgres',
  'worker-2-temporal',
  'worker-2-processor',
  'worker-receivers',
  'processor-api',
] as const;

export type LinkName = (typeof linkNames)[number];

/** A process of the rig: two APIs and two workers serve at the same time. */
export type RigPart = PartName | 'api-2' | 'worker-2';

/** The processes whose settings and links are the rig's own. */
const ours = ['api', 'api-2', 'worker', 'worker-2'] as const;
type Ours = (typeof ours)[number];

/** How far the clock of a process is from the others', in milliseconds: one is slow, one is fast. */
const clockShiftMs: Partial<Record<Ours, number>> = { 'api-2': -600_000, 'worker-2': 600_000 };

/** Who takes the first steps of charges, in a mixed run; only an API reads it. */
const chosenExecutions: Partial<Record<Ours, string>> = { api: 'workflow', 'api-2': 'inline' };

/** A part that ended although nobody killed it. */
export interface Crash {
  part: RigPart;
  at: Date;
  /** What its log says last. */
  said: string;
}

/** The whole stack, each part reaching the others over links of its own, and what looks at it directly. */
export interface Rig {
  env: Environment;
  dir: string;
  links: Record<LinkName, Proxy>;
  receiver: Receiver;
  /** Where clients reach the API, and where the receiver is reached. */
  apiUrl: string;
  receiverUrl: string;
  crashes: Crash[];
  /** Ends a part as a crash does. It stays down until {@link Rig.start}. */
  kill(part: RigPart, signal?: NodeJS.Signals): Promise<void>;
  start(part: RigPart): Promise<void>;
  /** Sends its process a signal that does not end it. */
  signal(part: RigPart, signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** What the runtime warned of in our processes: leaks, promises that nobody heard. */
  warnings(): string[];
  /** Until then, what this part's end is no crash: its disk is full, say. */
  excuse(part: RigPart): () => void;
  /** Starts what is down, and what is of another release as this one. */
  heal(): Promise<void>;
  stop(): Promise<void>;
}

const parts: readonly RigPart[] = ['postgres', 'temporal', 'processor', ...ours];
const watchEveryMs = 250;

export async function startRig(
  log: (line: string) => void,
  execution: Execution,
  releases: Releases,
): Promise<Rig> {
  const dir = mkdtempSync(join(tmpdir(), 'payments-chaos-'));
  // The database's user passes through it.
  chmodSync(dir, 0o711);
  const receiver = await startReceiver();
  const s3 = await startS3(log);
  // Its port is known once both APIs have theirs.
  const api = { host: '127.0.0.1', port: 0 };
  const [clients, notifications, receivers] = [
    await startProxy(api),
    await startProxy(api),
    await startProxy({ host: '127.0.0.1', port: receiver.port }),
  ];
  const apiUrl = `http://${clients.address}`;
  const localDir = join(dir, 'stack');
  mkdirSync(localDir, { mode: 0o711 });
  const { stripe } = keepSecrets(localDir);
  const stack = await startStack({
    localDir,
    parts: ['postgres', 'temporal', 'processor'],
    restart: false,
    log,
    env: {
      ...process.env,
      PUBLIC_URL: apiUrl,
      PROCESSOR_NOTIFY_URL: `http://${notifications.address}/processor/notifications`,
      PROCESSOR_STRIPE_NOTIFY_URL: `http://${notifications.address}/processor/notifications/${stripe.processor}`,
      RATE_LIMIT_RPS: '100000',
      RATE_LIMIT_BURST: '100000',
      AUTH_FAILURES_PER_MINUTE: '100000',
      PUBLIC_PAGES_PER_SECOND: '100000',
      ...(s3 && blobSettings(s3)),
    },
  });
  const links: Record<LinkName, Proxy> = {
    'clients-api': clients,
    'processor-api': notifications,
    'worker-receivers': receivers,
    ...(await linkToParts(stack)),
  };
  const env = await connectTo(stack);
  // All processes read one address from the row, and so share a link to it.
  const url = `http://${links['api-processor'].address}`;
  await env.db('processors').where({ id: stripe.processor }).update({ url });
  const supervised = await supervise(stack, links, execution, releases);
  const balancer = await startBalancer(supervised.apiUrls);
  api.port = Number(new URL(balancer.url).port);
  return {
    env,
    dir,
    links,
    receiver,
    apiUrl,
    receiverUrl: `http://${receivers.address}`,
    ...supervised,
    async stop() {
      supervised.stop();
      await env.stop();
      await stack.stop();
      await balancer.close();
      await Promise.all(Object.values(links).map((link) => link.close()));
      await receiver.close();
      await s3?.stop();
    },
  };
}

/** Where results are kept: an S3-compatible server. `null`: none can be had here, so they are files; the reason is logged. */
async function startS3(log: (line: string) => void): Promise<S3Server | null> {
  try {
    const start = await findS3(log);
    return await start();
  } catch (error) {
    log(`results are kept on disk, since there is no S3 server: ${(error as Error).message}`);
    return null;
  }
}

function blobSettings({ settings: { bucket, endpoint, prefix }, credentials }: S3Server): NodeJS.ProcessEnv {
  return {
    BLOB_S3_BUCKET: bucket,
    ...(endpoint && { BLOB_S3_ENDPOINT: endpoint }),
    BLOB_S3_PREFIX: prefix,
    ...credentials,
  };
}

type PartLink = Exclude<LinkName, 'clients-api' | 'processor-api' | 'worker-receivers'>;

async function linkToParts(stack: Stack): Promise<Record<PartLink, Proxy>> {
  const targets = {
    postgres: stack.databaseUrl,
    temporal: `http://${stack.temporalAddress}`,
    processor: stack.processorUrl,
  };
  const links = ours.flatMap((part) =>
    Object.entries(targets).map(async ([to, address]) => {
      const { hostname: host, port } = new URL(address);
      return [`${part}-${to}`, await startProxy({ host, port: Number(port) })] as const;
    }),
  );
  return Object.fromEntries(await Promise.all(links)) as Record<PartLink, Proxy>;
}

const shiftClock = fileURLToPath(new URL('../support/stack/shift-clock.mjs', import.meta.url));

/** The settings with which a part of ours reaches the others over its links, by its own clock. */
function buildSettings(
  who: Ours,
  stack: Stack,
  links: Record<LinkName, Proxy>,
  execution: Execution,
): NodeJS.ProcessEnv {
  const database = new URL(stack.databaseUrl);
  database.port = String(links[`${who}-postgres`].port);
  const shiftMs = clockShiftMs[who];
  return {
    DATABASE_URL: database.href,
    TEMPORAL_ADDRESS: links[`${who}-temporal`].address,
    PROCESSOR_URL: `http://${links[`${who}-processor`].address}`,
    CHARGE_EXECUTION: execution === 'mixed' ? chosenExecutions[who] : execution,
    ...(shiftMs && { NODE_OPTIONS: `--import ${shiftClock}`, CLOCK_SHIFT_MS: String(shiftMs) }),
  };
}

/** Starts the APIs and the workers, and from then on sees each part's end. */
async function supervise(
  stack: Stack,
  links: Record<LinkName, Proxy>,
  execution: Execution,
  releases: Releases,
) {
  const settings: Partial<Record<RigPart, NodeJS.ProcessEnv>> = Object.fromEntries(
    ours.map((name) => [name, buildSettings(name, stack, links, execution)]),
  );
  // In this order, so that each bears its name.
  const firstly = (name: Ours) => ({ ...settings[name], ...releases.next(name) });
  const apis = [await stack.addApi(firstly('api')), await stack.addApi(firstly('api-2'))] as const;
  const workers = await Promise.all([
    stack.addWorker(firstly('worker')),
    stack.addWorker(firstly('worker-2')),
  ]);
  // As they were started, also when they are started again.
  const { PUBLIC_URL = '' } = stack.env;
  for (const [n, name] of (['api', 'api-2'] as const).entries()) {
    Object.assign(settings[name]!, { PORT: new URL(apis[n]!.url).port, PUBLIC_URL, METRICS_PORT: '' });
  }
  for (const name of ['worker', 'worker-2'] as const) Object.assign(settings[name]!, { METRICS_PORT: '' });
  const own: Record<Ours, Part> = {
    api: apis[0].part,
    'api-2': apis[1].part,
    worker: workers[0],
    'worker-2': workers[1],
  };
  const findPart = (name: RigPart): Part => (name in own ? own[name as Ours] : stack.part(name));
  const crashes: Crash[] = [];
  const isDown = new Set<RigPart>();
  const excused = new Map<RigPart, number>();

  async function start(name: RigPart): Promise<void> {
    const own = settings[name];
    const env = own && { ...own, ...releases.next(name) };
    // What it needs may be away as well: it is started until it stays.
    for (let left = 240; findPart(name).pid === null; left -= 1) {
      try {
        await findPart(name).start(env);
      } catch (error) {
        if (left === 0) throw error;
        await sleep(250);
      }
    }
    isDown.delete(name);
  }

  const watch = setInterval(() => {
    for (const name of parts) {
      if (findPart(name).pid !== null || isDown.has(name)) continue;
      isDown.add(name);
      if (!excused.get(name))
        crashes.push({ part: name, at: new Date(), said: lastFault(findPart(name).logFile, 0) });
      void start(name);
    }
  }, watchEveryMs);

  return {
    apiUrls: apis.map(({ url }) => url),
    crashes,
    start,
    async kill(name: RigPart, signal?: NodeJS.Signals) {
      isDown.add(name);
      await findPart(name).kill(signal);
    },
    warnings: () => [...Object.values(own), stack.part('processor')].flatMap(readWarnings),
    signal(name: RigPart, signal: 'SIGSTOP' | 'SIGCONT') {
      const { pid } = findPart(name);
      if (pid !== null) process.kill(pid, signal);
    },
    excuse(name: RigPart) {
      excused.set(name, (excused.get(name) ?? 0) + 1);
      return () => void excused.set(name, excused.get(name)! - 1);
    },
    async heal() {
      const old = releases.end();
      for (const name of ours.filter((one) => old.includes(one))) {
        isDown.add(name);
        await findPart(name).kill('SIGTERM');
      }
      for (const name of parts) if (findPart(name).pid === null) await start(name);
    },
    stop: () => clearInterval(watch),
  };
}

function readWarnings({ name, logFile }: Part): string[] {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const warnings = lines.flatMap((line) => /^\(node:\d+\) (.*Warning.*)/.exec(line)?.[1] ?? []);
  return [...new Set(warnings)].map((warning) => `${name} warned: ${warning}`);
}
