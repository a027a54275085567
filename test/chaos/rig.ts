import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastFault } from '../../local/log-files.ts';
import { startStack, type Part, type PartName, type Stack } from '../../local/stack.ts';
import { connectTo, type Environment } from '../support/environment.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';

/** The connections between two parts that can fail, by who opens them and to whom. */
export const linkNames = [
  'clients-api',
  'api-postgres',
  'api-temporal',
  'api-processor',
  'worker-postgres',
  'worker-temporal',
  'worker-processor',
  'worker-receivers',
  'processor-api',
] as const;

export type LinkName = (typeof linkNames)[number];

/** A part that ended although nobody killed it. */
export interface Crash {
  part: PartName;
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
  kill(part: PartName, signal?: NodeJS.Signals): Promise<void>;
  start(part: PartName): Promise<void>;
  /** Sends its process a signal that does not end it. */
  signal(part: PartName, signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** What the runtime warned of in our processes: leaks, promises that nobody heard. */
  warnings(): string[];
  /** Until then, what this part's end is no crash: its disk is full, say. */
  excuse(part: PartName): () => void;
  /** Starts what is down. */
  heal(): Promise<void>;
  stop(): Promise<void>;
}

const parts: readonly PartName[] = ['postgres', 'temporal', 'processor', 'api', 'worker'];
const watchEveryMs = 250;

export async function startRig(log: (line: string) => void): Promise<Rig> {
  const dir = mkdtempSync(join(tmpdir(), 'payments-chaos-'));
  // The database's user passes through it.
  chmodSync(dir, 0o711);
  const receiver = await startReceiver();
  // It is known once there is one.
  const api = { host: '127.0.0.1', port: 0 };
  const [clients, notifications, receivers] = [
    await startProxy(api),
    await startProxy(api),
    await startProxy({ host: '127.0.0.1', port: receiver.port }),
  ];
  const apiUrl = `http://${clients.address}`;
  const stack = await startStack({
    localDir: join(dir, 'stack'),
    parts: ['postgres', 'temporal', 'processor'],
    restart: false,
    log,
    env: {
      ...process.env,
      PUBLIC_URL: apiUrl,
      PROCESSOR_NOTIFY_URL: `http://${notifications.address}/processor/notifications`,
      RATE_LIMIT_RPS: '100000',
      RATE_LIMIT_BURST: '100000',
      AUTH_FAILURES_PER_MINUTE: '100000',
    },
  });
  const links: Record<LinkName, Proxy> = {
    'clients-api': clients,
    'processor-api': notifications,
    'worker-receivers': receivers,
    ...(await linkToParts(stack)),
  };
  const supervised = await supervise(stack, links, api);
  const env = await connectTo(stack);
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
      await Promise.all(Object.values(links).map((link) => link.close()));
      await receiver.close();
    },
  };
}

type PartLink = Exclude<LinkName, 'clients-api' | 'processor-api' | 'worker-receivers'>;

async function linkToParts(stack: Stack): Promise<Record<PartLink, Proxy>> {
  const to = (address: string) => {
    const { hostname: host, port } = new URL(address);
    return startProxy({ host, port: Number(port) });
  };
  const temporal = `http://${stack.temporalAddress}`;
  return {
    'api-postgres': await to(stack.databaseUrl),
    'api-temporal': await to(temporal),
    'api-processor': await to(stack.processorUrl),
    'worker-postgres': await to(stack.databaseUrl),
    'worker-temporal': await to(temporal),
    'worker-processor': await to(stack.processorUrl),
  };
}

/** The settings with which a part of ours reaches the others over its links. */
function settingsOf(who: 'api' | 'worker', stack: Stack, links: Record<LinkName, Proxy>): NodeJS.ProcessEnv {
  const database = new URL(stack.databaseUrl);
  database.port = String(links[`${who}-postgres`].port);
  return {
    DATABASE_URL: database.href,
    TEMPORAL_ADDRESS: links[`${who}-temporal`].address,
    PROCESSOR_URL: `http://${links[`${who}-processor`].address}`,
  };
}

/** Starts API and worker, and from then on sees each part's end. */
async function supervise(stack: Stack, links: Record<LinkName, Proxy>, address: { port: number }) {
  const settings: Partial<Record<PartName, NodeJS.ProcessEnv>> = {
    api: settingsOf('api', stack, links),
    worker: settingsOf('worker', stack, links),
  };
  const [{ part: api, url }, worker] = await Promise.all([
    stack.addApi(settings.api),
    stack.addWorker(settings.worker),
  ]);
  address.port = Number(new URL(url).port);
  // As it was started, also when it is started again.
  const { PUBLIC_URL = '' } = stack.env;
  Object.assign(settings.api!, { PORT: String(address.port), PUBLIC_URL, METRICS_PORT: '' });
  const partOf = (name: PartName): Part =>
    name === 'api' ? api : name === 'worker' ? worker : stack.part(name);
  const crashes: Crash[] = [];
  const isDown = new Set<PartName>();
  const excused = new Map<PartName, number>();

  async function start(name: PartName): Promise<void> {
    // What it needs may be away as well: it is started until it stays.
    for (let left = 240; partOf(name).pid === null; left -= 1) {
      try {
        await partOf(name).start(settings[name]);
      } catch (error) {
        if (left === 0) throw error;
        await sleep(250);
      }
    }
    isDown.delete(name);
  }

  const watch = setInterval(() => {
    for (const name of parts) {
      if (partOf(name).pid !== null || isDown.has(name)) continue;
      isDown.add(name);
      if (!excused.get(name))
        crashes.push({ part: name, at: new Date(), said: lastFault(partOf(name).logFile, 0) });
      void start(name);
    }
  }, watchEveryMs);

  return {
    crashes,
    start,
    async kill(name: PartName, signal?: NodeJS.Signals) {
      isDown.add(name);
      await partOf(name).kill(signal);
    },
    warnings: () => [api, worker, stack.part('processor')].flatMap(warningsOf),
    signal(name: PartName, signal: 'SIGSTOP' | 'SIGCONT') {
      const { pid } = partOf(name);
      if (pid !== null) process.kill(pid, signal);
    },
    excuse(name: PartName) {
      excused.set(name, (excused.get(name) ?? 0) + 1);
      return () => void excused.set(name, excused.get(name)! - 1);
    },
    async heal() {
      for (const name of parts) if (partOf(name).pid === null) await start(name);
    },
    stop: () => clearInterval(watch),
  };
}

function warningsOf({ name, logFile }: Part): string[] {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const warnings = lines.flatMap((line) => /^\(node:\d+\) (.*Warning.*)/.exec(line)?.[1] ?? []);
  return [...new Set(warnings)].map((warning) => `${name} warned: ${warning}`);
}
