import { setTimeout as sleep } from 'node:timers/promises';
import { AddressBudgets } from '#http/address-budgets.ts';
import { KeyBudgets } from '#http/key-budgets.ts';
import { ProblemError } from '#domain/problems.ts';
import { TurnedAway } from './load-shedding.ts';

/** How many seconds of its rate may be used at once. */
const burstSeconds = 4;

/** The part of the rate that one address may use. */
const addressPart = 1 / 2;

/** An IPv6 /48 may use three quarters: one network leaves a part to others, and one address in it does so too. */
const wider = { 56: 5 / 4, 48: 3 / 2 };

/** The longest wait of a request for its turn, in milliseconds. */
const maxWaitMs = 1_000;

/**
 * A budget of requests that anybody may make, such as those for the documents: for each address, and for all of them
 * together, so that they take a small part of the CPU. Beyond the rate they wait, one after the other. A request that would
 * wait for too long is refused.
 */
export class PublicBudget {
  readonly #ofAll: KeyBudgets;
  readonly #ofAddress: AddressBudgets;

  /** @param perSecond requests of all addresses. */
  constructor(perSecond: number) {
    const budget = (rate: number) => ({ perSecond: rate, burst: rate * burstSeconds });
    this.#ofAll = new KeyBudgets(budget(perSecond));
    this.#ofAddress = new AddressBudgets(budget(perSecond * addressPart), wider);
  }

  /**
   * Waits until the budget has room.
   *
   * @param cost how many requests it counts as.
   * @throws {ProblemError} `rate_limited`: the address has used its part. `service_unavailable`: all have.
   */
  async pay(address: string, cost = 1): Promise<void> {
    const waits = {
      ofAll: this.#ofAll.waitMs('all', cost),
      ofAddress: this.#ofAddress.waitMs(address, cost),
    };
    const waitMs = Math.max(waits.ofAll, waits.ofAddress);
    if (waitMs > maxWaitMs) {
      const headers = { 'Retry-After': String(Math.ceil(waitMs / 1_000)) };
      if (waits.ofAddress > maxWaitMs) throw new ProblemError('rate_limited', { headers });
      throw new TurnedAway('service_unavailable', { headers });
    }
    this.#ofAll.spend('all', cost);
    this.#ofAddress.spend(address, cost);
    if (waitMs > 0) await sleep(waitMs, undefined, { ref: false });
  }
}
