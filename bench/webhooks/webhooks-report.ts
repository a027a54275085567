import type { Figure } from '../rig/benchmark.ts';
import { median } from '../rig/comparison.ts';
import { table } from '../rig/table.ts';
import type { Latency } from './webhook-latency.ts';
import { kinds, type Kind, type ProcessName, type Results, type Round } from './webhooks-results.ts';

export interface WebhooksResults extends Results {
  processors: string;
  /** What the machine did before, as the one minute load average. */
  load: number;
  rounds: number;
  seconds: number;
}

const names: Record<Kind, string> = {
  one: 'to 1 endpoint',
  hundred: 'to 100 endpoints',
  fanOut: 'each event to 100 endpoints',
  oneTls: 'to 1 endpoint, TLS',
};

/** Of bare, at least. */
const ratioAims: Partial<Record<Kind, number>> = { one: 0.12, hundred: 0.12, fanOut: 0.3 };

/** At most, in milliseconds. */
const p50Aims = { awake: 10, asleep: 150 };

const sides = ['bare', 'ours'] as const;
const processNames: ProcessName[] = ['sender', 'receiver', 'temporal', 'postgres'];

const perSecond = (rounds: Round[], side: (typeof sides)[number]) =>
  median(rounds.map((round) => round[side].perSecond));

/** Of neighbours, which saw the same machine. */
const ratio = (rounds: Round[]) => median(rounds.map(({ bare, ours }) => ours.perSecond / bare.perSecond));

/** `undefined` where it could not be read. */
function processorMs(rounds: Round[], side: (typeof sides)[number], name: ProcessName): number | undefined {
  const values = rounds.flatMap((round) => round[side].processorMs.get(name) ?? []);
  return values.length > 0 ? median(values) : undefined;
}

const latency = (latencies: Latency[], figure: keyof Latency) => median(latencies.map((one) => one[figure]));

export function webhooksFigures({ deliveries, awake, asleep }: WebhooksResults): Figure[] {
  const ratios = kinds.map((kind): Figure => {
    const aim = ratioAims[kind];
    return {
      what: `deliveries over bare undici, ${names[kind]}`,
      measured: ratio(deliveries.get(kind) ?? []),
      ...(aim !== undefined && { aim: { atLeast: aim } }),
    };
  });
  const p50s = Object.entries({ awake, asleep }).map(([name, latencies]) => ({
    what: `ms from an event's row to an endpoint that is ${name}, p50`,
    measured: latency(latencies, 'p50Ms'),
    aim: { atMost: p50Aims[name as keyof typeof p50Aims] },
  }));
  return [...ratios, ...p50s];
}

export function webhooksAsText(results: WebhooksResults): string {
  const { processors, load, rounds, seconds, deliveries } = results;
  return `
Node ${process.versions.node}, ${processors}; load before: ${load.toFixed(2)}
Medians of ${rounds} rounds of ${seconds} s; ratios are medians of the rounds' own.

Deliveries a second, from a committed backlog until all is recorded:

${speedTable(deliveries)}
From an event's row to its arrival:

${latencyTable(results)}
Processor time a delivery, in ms:

${processorTable(deliveries)}`.trimStart();
}

function speedTable(deliveries: Results['deliveries']): string {
  const rows = kinds.map((kind) => {
    const rounds = deliveries.get(kind) ?? [];
    const figures = sides.map((side) => perSecond(rounds, side).toFixed(0));
    return [names[kind], ...figures, ratio(rounds).toFixed(3), String(ratioAims[kind] ?? '')];
  });
  return table([['', 'bare/s', 'ours/s', 'ratio', 'aim'], ...rows]);
}

function latencyTable({ awake, asleep }: Results): string {
  const row = (name: string, latencies: Latency[], aim: number) => [
    name,
    ...(['p50Ms', 'p99Ms'] as const).map((figure) => latency(latencies, figure).toFixed(1)),
    String(aim),
  ];
  return table([
    ['an endpoint that is', 'p50 ms', 'p99 ms', 'aim of p50'],
    row('awake', awake, p50Aims.awake),
    row('asleep', asleep, p50Aims.asleep),
  ]);
}

function processorTable(deliveries: Results['deliveries']): string {
  const rows = kinds.flatMap((kind) =>
    sides.map((side) => [
      `${names[kind]}: ${side}`,
      ...processNames.map((name) => processorMs(deliveries.get(kind) ?? [], side, name)?.toFixed(3) ?? '–'),
    ]),
  );
  return table([['', ...processNames.map((name) => name.replace('sender', 'worker, or loop'))], ...rows]);
}

export function webhooksAsJson({ deliveries, awake, asleep, ...surroundings }: WebhooksResults): object {
  return {
    benchmark: 'webhooks',
    ...surroundings,
    deliveries: Object.fromEntries(
      kinds.map((kind) => [kind, kindAsJson(deliveries.get(kind) ?? [], ratioAims[kind])]),
    ),
    commit_to_arrival: {
      awake: latencyAsJson(awake, p50Aims.awake),
      asleep: latencyAsJson(asleep, p50Aims.asleep),
    },
  };
}

function kindAsJson(rounds: Round[], aim: number | undefined): object {
  const side = (name: (typeof sides)[number]) => ({
    per_second: round(perSecond(rounds, name)),
    processor_ms_per_delivery: Object.fromEntries(
      processNames.flatMap((process) => {
        const ms = processorMs(rounds, name, process);
        return ms === undefined ? [] : [[process, round(ms)]];
      }),
    ) as object,
  });
  return { bare: side('bare'), ours: side('ours'), ratio: round(ratio(rounds)), aim: aim ?? null };
}

function latencyAsJson(latencies: Latency[], aim: number): object {
  const [p50, p99] = [latency(latencies, 'p50Ms'), latency(latencies, 'p99Ms')];
  return { p50_ms: round(p50), p99_ms: round(p99), aim_p50_ms: aim };
}

const round = (value: number) => Math.round(value * 1_000) / 1_000;
