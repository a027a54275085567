import { setMaxListeners } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findViolations } from '../support/invariants/invariants.ts';
import { findChaosViolations } from './checks/checker.ts';
import { followEvents } from './events/followers.ts';
import { readService, type Evidence } from './checks/evidence.ts';
import { startFaults, type Injector } from './faults.ts';
import { stageFullDisk } from './full-disk.ts';
import { isFinal, Journal, type Exchange } from './load/journal.ts';
import { startLoad, type Load } from './load/load.ts';
import { createMerchants, type Merchant } from './load/merchants.ts';
import { help, OptionsError, readOptions, type ChaosOptions } from './options.ts';
import { probeOwnership } from './checks/ownership.ts';
import { createRandom, type Random } from './random.ts';
import { subscribe } from './load/receipts.ts';
import { placeRelease, ReleaseError } from '../releases/checkout.ts';
import { Releases } from './releases.ts';
import { readResults } from './checks/results.ts';
import { reconcileAll } from './checks/reconciliation.ts';
import { report } from './report.ts';
import { describe, untilAtRest } from './rest.ts';
import { startRig, type Rig } from './rig.ts';

/** `npm run chaos`: load, faults, rest, and a proof of the invariants. */

const beganAt = Date.now();
const log = (line: string) => {
  const seconds = Math.round((Date.now() - beganAt) / 1_000);
  console.log(`[${String(seconds).padStart(5)} s] ${line}`);
};

/** So long all that was begun may take once nothing fails any more; the sweep's interval is part of it. */
const restWithinMs = 180_000;
const sweptWithinMs = 180_000;
const replayedAtMost = 400;
const probedOfEachKind = 4;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    console.log(help);
    return 0;
  }
  log(
    `seed ${options.seed}: ${options.minutes} min, ${options.rate} journeys/s, ${options.clients} clients, ${options.execution}`,
  );
  const other = options.from === null ? null : await placeRelease(options.from, log);
  const rig = await startRig(log, options.execution, new Releases(other));
  log(`the stack is up in ${rig.dir}`);
  const disk = await stageFullDisk(rig, log);
  let isProven = false;
  const clean = async () => {
    await rig.stop();
    disk?.remove();
    if (isProven && !options.keep) rmSync(rig.dir, { recursive: true, force: true });
    else log(`kept ${rig.dir}`);
  };
  // Else the file system that it mounted would stay.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void clean().finally(() => process.exit(130)));
  }
  try {
    isProven = await prove(rig, options, (random) => startFaults(rig, random, disk, log));
  } finally {
    await clean();
  }
  return isProven ? 0 : 1;
}

async function prove(
  rig: Rig,
  { seed, minutes, rate, clients, from }: ChaosOptions,
  inject: (random: Random) => Injector,
): Promise<boolean> {
  const random = createRandom(seed);
  const closing = new AbortController();
  // Whoever insists listens to it.
  setMaxListeners(0, closing.signal);
  const journal = new Journal(join(rig.dir, 'journal.jsonl'));
  const merchants = await createMerchants({
    env: rig.env,
    apiUrl: rig.apiUrl,
    journal,
    closing: closing.signal,
  });
  const accountIds = merchants.map(({ accountId }) => accountId);
  const receivers = await subscribe(merchants, rig.receiver, rig.receiverUrl, random.fork('receivers'));

  const load = startLoad(merchants, receivers, random.fork('load'), { rate, clients }, closing.signal);
  const followers = merchants.map((merchant) =>
    followEvents(merchant, random.fork(`follower ${merchant.accountId}`), closing.signal),
  );
  const injector = inject(random.fork('faults'));
  await runFor(minutes * 60_000, load, injector, journal);
  await injector.cease();
  const ceasedAt = Date.now();
  receivers.behave();
  log('faults have ceased');
  closing.abort();
  await load.ended;
  await Promise.all(followers.map(({ ended }) => ended));
  const unrest = await untilAtRest(rig.env, accountIds, restWithinMs, log);

  await Promise.all(followers.map((follower) => follower.readToEnd()));
  log('asking again for what was answered');
  await askAgain(merchants, journal, random.fork('again'));
  const evidence: Evidence = {
    ...(await readSwept(rig, accountIds)),
    results: await readResults(rig.env, merchants),
    ceasedAt,
    journal: journal.exchanges,
    receipts: receivers.receipts,
    mixesReleases: from !== null,
    probes: await probeOwnership(rig.env, merchants, random.fork('probes'), probedOfEachKind),
  };
  const reconciled = await reconcileAll(rig.env);
  const violations = findChaosViolations(evidence);
  const faultsOfTheRun = [
    ...(Object.keys(unrest).length > 0 ? [`it did not come to rest: ${describe(unrest)}`] : []),
    ...rig.crashes.map(({ part, at, said }) => `${part} ended by itself at ${at.toISOString()}: ${said}`),
    ...reconciled.findings.map(({ code, of, detail }) => `reconcile finds ${code} of ${of}: ${detail}`),
    ...rig.warnings(),
    ...load.failures,
    ...injector.failures,
  ];
  const outcome = {
    evidence,
    reconciled,
    faults: injector.counts,
    journeys: load.begun,
    violations,
    faultsOfTheRun,
  };
  for (const line of report({ ...outcome, crashes: rig.crashes })) console.log(line);
  return violations.length + faultsOfTheRun.length === 0;
}

/** Invariant 4 holds within the sweep's interval: an authorization that waits for days may have lost its run. */
async function readSwept({ env }: Rig, accountIds: string[]) {
  const until = Date.now() + sweptWithinMs;
  for (;;) {
    const service = await readService(env, accountIds);
    const violations = [...[...service.facts.values()].flatMap(findViolations), ...service.operations];
    const unswept = violations.filter(({ invariant }) => invariant === 4).length;
    if (unswept === 0 || Date.now() > until) return service;
    log(`waiting for the sweep: ${unswept} without their workflow`);
    await sleep(3_000);
  }
}

async function runFor(ms: number, load: Load, injector: Injector, journal: Journal): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until) {
    await sleep(Math.min(10_000, Math.max(0, until - Date.now())));
    const faults = [...injector.counts.values()].reduce((sum, count) => sum + count, 0);
    const unanswered = journal.exchanges.filter(({ status }) => status === null).length;
    log(
      `${load.begun} journeys (${load.underWay} under way), ${journal.exchanges.length} requests, ` +
        `${unanswered} without an answer, ${faults} faults`,
    );
  }
}

/** Sends requests again whose answers are known: they must read the same now. */
async function askAgain(merchants: readonly Merchant[], journal: Journal, random: Random): Promise<void> {
  const decided = new Map<string, Exchange>();
  for (const exchange of journal.exchanges) {
    if (exchange.key !== null && isFinal(exchange)) {
      decided.set(`${exchange.account} ${exchange.endpoint} ${exchange.key}`, exchange);
    }
  }
  const share = Math.min(1, replayedAtMost / decided.size);
  for (const { account, endpoint, path, key, body } of decided.values()) {
    if (!random.chance(share)) continue;
    const merchant = merchants.find(({ accountId }) => accountId === account)!;
    const [, id] = /^\/v1\/[^/]+\/([a-z]+_\w+)/.exec(path) ?? [];
    await merchant.insist({ endpoint, ...(id && { id }), key: key!, body }, random, 20_000);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const isWrong = error instanceof OptionsError || error instanceof ReleaseError;
  console.error(isWrong ? `${error.message}\n\n${help}` : error);
  process.exitCode = isWrong ? 2 : 1;
}
