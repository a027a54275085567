import { setTimeout as sleep } from 'node:timers/promises';
import { journeys } from './journeys.ts';
import type { Merchant } from './merchants.ts';
import type { Random } from '../random.ts';
import type { Receivers } from './receipts.ts';

export interface Load {
  /** Journeys begun so far, and those that ended in an error of our own. */
  readonly begun: number;
  readonly underWay: number;
  failures: string[];
  /** Resolves when nothing is under way any more. */
  ended: Promise<unknown>;
}

/** Clients who, until `closing` is aborted, go on one journey after the other, `rate` a second altogether while they keep up. */
export function startLoad(
  merchants: readonly Merchant[],
  receivers: Receivers,
  random: Random,
  { rate, clients }: { rate: number; clients: number },
  closing: AbortSignal,
): Load {
  let begun = 0;
  let underWay = 0;
  const isClosing = () => closing.aborted;
  const failures: string[] = [];
  const beganAt = Date.now();

  async function live(own: Random): Promise<void> {
    while (!isClosing()) {
      const turn = begun++;
      const dueIn = beganAt + (turn * 1_000) / rate - Date.now();
      if (dueIn > 0) await sleep(dueIn);
      if (isClosing()) return;
      const [, name, journey] = own.weighted(journeys.map((entry) => [entry[0], entry] as const));
      underWay += 1;
      try {
        await journey({ merchant: own.pick(merchants), random: own, receivers, isClosing });
      } catch (error) {
        failures.push(`${name}: ${(error as Error).stack ?? String(error)}`);
      }
      underWay -= 1;
    }
  }

  const living = Array.from({ length: clients }, (_, n) => live(random.fork(`client ${n}`)));
  return {
    get begun() {
      return begun;
    },
    get underWay() {
      return underWay;
    },
    failures,
    ended: Promise.all(living),
  };
}
