import { setTimeout as sleep } from 'node:timers/promises';
import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from '../rig/benchmark.ts';
import { requireDurability } from '../rig/durability.ts';
import { raisedLimits, withStack } from '../rig/stack.ts';
import { checkOncePerKey } from './check.ts';
import { installPeers } from './modules.ts';
import { openOurs } from './our-sides.ts';
import { peers, type PeerContext } from './peer-sides.ts';
import { asText, buildFigures, describeRound, levels, type Round } from './report.ts';
import type { Missing, Side } from './sides.ts';

/** Our charges beside the same three durable steps on other engines, on one machine, with the same durability. */
export const benchmarkPeers: Benchmark = {
  summary: 'charges through HTTP, side by side with DBOS and Restate (installs them on first use)',
  run: benchmark,
};

/** New code is compiled, and connections are made, within this time. */
const warmUpSeconds = 3;

/** The end of a load leaves work behind, such as runs that close. It must not count for the next load. */
const pauseMs = 500;

async function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  const settings = { ...raisedLimits, LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info' };
  const missing: Missing[] = [];
  const folder = await installPeers(context).catch((error: unknown) => {
    for (const name of Object.keys(peers)) leaveOut(context, missing, name, error);
    return null;
  });
  return withStack(context, settings, async (bench) => {
    await requireDurability(bench.openDatabase());
    const generator = await bench.startChild('rig/load-generator.ts', bench.stack.env);
    const sides = await openOurs(bench.stack, generator);
    if (folder) sides.push(...(await openPeers({ bench, generator, folder }, context, missing)));
    for (const side of sides) {
      await checkOncePerKey(bench.stack, side);
      await side.measure({ inFlight: 32, until: { seconds: warmUpSeconds } });
    }
    const rounds = await runRounds(
      context,
      (number) => measureRound(sides, number, context.seconds),
      (round) => describeRound(round, sides),
    );
    return {
      text: asText(rounds, sides, missing, context),
      data: { sides: sides.map(({ name, settings: of }) => ({ name, settings: of })), missing, rounds },
      figures: buildFigures(rounds, sides),
    };
  });
}

/** Opens the rows of each peer that can be had. */
async function openPeers(parts: PeerContext, context: BenchmarkContext, missing: Missing[]): Promise<Side[]> {
  const sides: Side[] = [];
  for (const [name, open] of Object.entries(peers)) {
    try {
      sides.push(...(await open(parts)));
    } catch (error) {
      leaveOut(context, missing, name, error);
    }
  }
  return sides;
}

/** Says in one line why a peer cannot be had. @throws when the whole run was given up. */
function leaveOut({ signal, say }: BenchmarkContext, missing: Missing[], name: string, error: unknown): void {
  signal.throwIfAborted();
  const reason = (error as Error).message.split('\n')[0] ?? '';
  say(`${name} is left out: ${reason}`);
  missing.push({ name, reason });
}

/** Measures all rows in turns at each level, so that other work of the machine falls on all alike. */
async function measureRound(sides: Side[], number: number, seconds: number): Promise<Round> {
  const round: Round = {};
  // Which one is first changes, so that a trend of the machine falls on all.
  const order = number % 2 === 0 ? sides.toReversed() : sides;
  for (const level of levels)
    for (const side of order) {
      await sleep(pauseMs);
      (round[side.name] ??= {})[level] = await side.measure({ inFlight: level, until: { seconds } });
    }
  return round;
}
