import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault as ProcessorFault } from '../support/stack/environment.ts';
import type { FullDisk } from './full-disk.ts';
import type { Random } from './random.ts';
import { linkNames, type Rig, type RigPart } from './rig.ts';

/** How often each fault was done. */
export type FaultCounts = Map<string, number>;

/** Something that goes wrong, and is right again when it returns. */
type Fault = (rig: Rig, random: Random) => Promise<string>;

type Weighted = readonly (readonly [weight: number, fault: Fault])[];

/** Ends a part with no chance to clean up, and starts it again after a while. */
const kill =
  (part: RigPart): Fault =>
  async (rig, random) => {
    await rig.kill(part);
    await sleep(random.chance(0.3) ? random.integer(2_000, 6_000) : random.integer(0, 1_000));
    await rig.start(part);
    return `kill -9 ${part}`;
  };

/** As an upgrade does it. */
const restart =
  (part: RigPart): Fault =>
  async (rig) => {
    // A connection that is frozen or silent may keep it from ending by itself.
    const force = setTimeout(() => void rig.kill(part), 15_000);
    await rig.kill(part, part === 'postgres' ? 'SIGINT' : 'SIGTERM');
    clearTimeout(force);
    await rig.start(part);
    return `restart ${part}`;
  };

/** It is there and does nothing; then it goes on as if no time had passed. */
const freeze =
  (part: RigPart): Fault =>
  async (rig, random) => {
    rig.signal(part, 'SIGSTOP');
    await sleep(random.integer(500, 8_000));
    rig.signal(part, 'SIGCONT');
    return `freeze ${part}`;
  };

/** The workflow service comes back and knows nothing: what is open is found by the sweep. */
async function loseTemporalStore(rig: Rig): Promise<string> {
  await rig.kill('temporal');
  rmSync(join(rig.env.stack.localDir, 'temporal'), { recursive: true });
  await rig.start('temporal');
  return 'loss of the store of temporal';
}

const processFaults = (disk: FullDisk | null): Weighted => [
  [0.5, restart('api')],
  [0.5, restart('api-2')],
  [0.5, restart('worker')],
  [0.5, restart('worker-2')],
  [1, restart('temporal')],
  [1, restart('postgres')],
  [0.5, freeze('api')],
  [0.5, freeze('api-2')],
  [1, freeze('worker')],
  [1, freeze('worker-2')],
  [1, freeze('temporal')],
  [1, freeze('processor')],
  [0.5, loseTemporalStore],
  [1.5, kill('api')],
  [1.5, kill('api-2')],
  [2, kill('worker')],
  [2, kill('worker-2')],
  [3, kill('temporal')],
  [3, kill('postgres')],
  [2, kill('processor')],
  [disk ? 2 : 0, async (rig, random) => fill(rig, disk!, random)],
];

async function fill(rig: Rig, disk: FullDisk, random: Random): Promise<string> {
  const forgive = rig.excuse('postgres');
  disk.fill(random.integer(0, 64) * 1024);
  await sleep(random.integer(1_500, 5_000));
  disk.empty();
  await rig.start('postgres');
  forgive();
  return 'disk of postgres full';
}

const anyLink = (rig: Rig, random: Random) => {
  const name = random.pick(linkNames);
  return { name, link: rig.links[name] };
};

const networkFaults: Weighted = [
  [
    3,
    async (rig, random) => {
      const { name, link } = anyLink(rig, random);
      link.cut();
      await sleep(random.integer(0, 2_000));
      link.open();
      return `cut ${name}`;
    },
  ],
  [
    2,
    async (rig, random) => {
      const { name, link } = anyLink(rig, random);
      link.delay(random.integer(20, 400));
      await sleep(random.integer(1_000, 5_000));
      link.delay(0);
      return `delay ${name}`;
    },
  ],
  [2, (rig, random) => silence(rig, random, 'requests')],
  [2, (rig, random) => silence(rig, random, 'answers')],
];

/** One direction is lost, and the connection stands: it goes on after a while, or is found dead. */
async function silence(rig: Rig, random: Random, lost: 'requests' | 'answers'): Promise<string> {
  const { name, link } = anyLink(rig, random);
  if (lost === 'requests') link.holdRequests();
  else link.holdAnswers();
  await sleep(random.integer(500, 8_000));
  if (random.chance(0.5)) link.cut();
  link.open();
  return `half-open ${name} (${lost})`;
}

const processorModes: ProcessorFault['mode'][] = ['unavailable', 'timeout', 'garbage', 'reset', 'slow'];

const processorFaults: Weighted = [
  [
    1,
    async (rig, random) => {
      const mode = random.pick(processorModes);
      const fault: ProcessorFault = {
        route: random.pick(['charges', 'captures', 'voids', 'refunds', 'refund-reversals', 'lookups']),
        mode,
        when: mode === 'unavailable' || random.chance(0.5) ? 'before' : 'after',
        times: random.integer(1, 4),
        delay_ms: random.integer(500, 5_000),
      };
      // It may be down itself.
      await rig.env.stageFault(fault).catch(() => undefined);
      return `processor ${fault.mode} (${fault.route})`;
    },
  ],
];

export interface Injector {
  counts: FaultCounts;
  /** What failed of the injector itself. */
  failures: string[];
  /** Ends every fault, and resolves when all parts serve. */
  cease(): Promise<void>;
}

/** Three threads of faults at once: of processes, of the network and of the processor, each one after the other. */
export function startFaults(
  rig: Rig,
  random: Random,
  disk: FullDisk | null,
  log: (line: string) => void,
): Injector {
  const counts: FaultCounts = new Map();
  const failures: string[] = [];
  const ceasing = new AbortController();
  const isOver = () => ceasing.signal.aborted;

  async function thread(name: string, faults: Weighted, pauseMs: [number, number]): Promise<void> {
    const own = random.fork(name);
    while (!isOver()) {
      await pause(own.integer(...pauseMs));
      if (isOver()) return;
      try {
        const what = await own.weighted(faults)(rig, own);
        counts.set(what, (counts.get(what) ?? 0) + 1);
        log(what);
      } catch (error) {
        failures.push(`${name}: ${(error as Error).stack ?? String(error)}`);
      }
    }
  }

  const pause = async (ms: number) => {
    for (const until = Date.now() + ms; Date.now() < until && !isOver();) await sleep(100);
  };
  const threads = [
    thread('processes', processFaults(disk), [3_000, 12_000]),
    thread('network', networkFaults, [1_000, 6_000]),
    thread('processor', processorFaults, [500, 4_000]),
  ];
  return {
    counts,
    failures,
    async cease() {
      ceasing.abort();
      await Promise.all(threads);
      for (const link of Object.values(rig.links)) {
        link.delay(0);
        link.open();
      }
      await rig.heal();
      await rig.env.clearFaults();
    },
  };
}
