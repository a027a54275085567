import type { Random } from '../chaos/random.ts';
import type { Fate } from './actors.ts';

/** What a seed decides before anything happens: the charge, what its callers want, and how bad the world is. */
export interface Scenario {
  /** The processor prepares, or asks the buyer. */
  traits: { prepares: boolean; actions: boolean };
  charge: {
    /** Minor units. */
    amount: number;
    captureMethod: 'automatic' | 'manual';
    respondAsync: boolean;
    returnUrl: string | null;
  };
  chargeDurations: Record<
    'authorizationTtlMs' | 'unknownTimeoutMs' | 'pendingTimeoutMs' | 'actionTtlMs',
    number
  >;
  refundDurations: Record<'reversibleMs' | 'settlementMs', number>;
  /** Events after which a run continues in a new one. */
  longestHistory: number;
  /** How likely a wake is lost. */
  lostWakes: number;
  /** What callers ask for, beside the charge; in any order. */
  wishes: Wish[];
  fates: Record<'sql' | 'processor', readonly (readonly [weight: number, fate: Fate])[]>;
  /** Of each step of the world: how likely a part is lost. */
  losses: Record<'worker' | 'task' | 'run', number>;
  /** Steps of the world between which the processor cannot be reached. */
  outage: { from: number; to: number };
  /** Callers ask for more only once the charge has its answer. */
  isPatient: boolean;
  /** How likely time passes although something can happen now. */
  haste: number;
  /** Of each attempt: how likely its worker is slow, so that another attempt begins beside it. */
  slowness: number;
  /** Steps of the world before it calms down. */
  badSteps: number;
  /** How likely what the processor confirmed fails later: a refund, a capture, a void. */
  lateFailures: number;
}

export type Wish =
  | { ask: 'capture'; amount: number | null }
  | { ask: 'refund'; amount: number | null; respondAsync: boolean }
  | { ask: 'cancel' | 'reverse' | 'repeat' };

const minuteMs = 60_000;

export function drawScenario(random: Random): Scenario {
  const amount = random.integer(2, 5_000);
  const captureMethod = random.pick(['automatic', 'manual'] as const);
  const prepares = random.chance(0.35);
  const actions = random.chance(0.3);
  const reversibleMs = random.pick([1_000, minuteMs, 60 * minuteMs]);
  const longestHistory = random.chance(0.2) ? 12 : 4_000;
  return {
    traits: { prepares, actions },
    charge: {
      amount,
      captureMethod,
      respondAsync: random.chance(0.2),
      returnUrl: actions ? 'https://shop.example/back' : null,
    },
    chargeDurations: {
      authorizationTtlMs: random.pick([5_000, 10 * minuteMs]),
      unknownTimeoutMs: random.pick([1_000, 20_000, 5 * minuteMs]),
      pendingTimeoutMs: random.pick([5_000, 10 * minuteMs]),
      actionTtlMs: random.pick([5_000, 10 * minuteMs]),
    },
    refundDurations: { reversibleMs, settlementMs: reversibleMs + random.pick([0, 60 * minuteMs]) },
    longestHistory,
    lostWakes: random.pick([0, 0, 0.2, 1]),
    wishes: Array.from({ length: random.integer(0, 6) }, () =>
      drawWish(random, amount, captureMethod === 'manual'),
    ),
    fates: drawFates(random),
    losses: {
      worker: random.pick([0, 0, 0.01, 0.05]),
      task: random.pick([0, 0.02, 0.1]),
      run: random.pick([0, 0, 0.01]),
    },
    outage: drawOutage(random),
    isPatient: random.chance(0.5),
    haste: random.pick([0.1, 0.6, 3]),
    slowness: random.pick([0, 0.1, 0.5]),
    badSteps: random.integer(10, 160),
    // Drawn last, so that a seed without them is as it was.
    lateFailures: random.pick([0, 0, 0.1]),
  };
}

function drawOutage(random: Random): Scenario['outage'] {
  if (random.chance(0.6)) return { from: 0, to: 0 };
  const from = random.integer(0, 30);
  return { from, to: from + random.integer(5, 150) };
}

function drawWish(random: Random, amount: number, isManual: boolean): Wish {
  const part = random.chance(0.4) ? null : random.integer(1, amount + 1);
  return random.weighted<Wish>([
    [isManual ? 4 : 0.5, { ask: 'capture', amount: part }],
    [isManual ? 3 : 6, { ask: 'refund', amount: part, respondAsync: random.chance(0.3) }],
    [isManual ? 1 : 3, { ask: 'reverse' }],
    [isManual ? 3 : 1, { ask: 'cancel' }],
    [1, { ask: 'repeat' }],
  ]);
}

function drawFates(random: Random): Scenario['fates'] {
  const badness = random.pick([0, 0.5, 2]);
  const weight = () => (random.chance(0.5) ? badness * random.next() : 0);
  return {
    sql: [
      [10, 'done'],
      [weight() / 4, 'not_sent'],
      [weight() / 4, 'answer_lost'],
    ],
    processor: [
      [4, 'done'],
      [weight(), 'not_sent'],
      [weight(), 'answer_lost'],
      [weight(), 'late'],
      [weight(), 'refused'],
      [weight(), 'garbled'],
      [weight(), 'stored_failure'],
    ],
  };
}
