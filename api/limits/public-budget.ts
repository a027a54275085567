import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { toAddressBlock } from '#http/address-budgets.ts';
import { ProblemError } from '#domain/problems.ts';
import { TurnedAway } from './load-shedding.ts';

/** How many seconds of its rate may be used at once. */
const burstSeconds = 4;

/** The part of the rate that one address may use. */
const addressPart = 1 / 2;

/** How long a request waits for its turn, and a refused one for its refusal. In milliseconds. */
const maxWaitMs = 1_000;

const maxAddresses = 10_000;

/**
 * A budget of requests that anybody may make, such as those for the documents: for each address, and for all of them
 * together, so that they take a small part of the CPU. Beyond the rate they wait, one after the other. A request that would
 * wait for too long is refused, after a wait as well: a caller that asks again at once gets no more by it.
 */
export class PublicBudget {
  readonly #perSecond: number;
  /** When the bucket of all would be full again, and those of addresses. */
  #fullAt = 0;
  readonly #fullAtOf = new LRUCache<string, number>({ max: maxAddresses });

  /** @param perSecond requests of all addresses. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /**
   * Waits until the budget has room.
   *
   * @param cost how many requests it counts as.
   * @throws {ProblemError} `rate_limited`: the address has used its part. `service_unavailable`: all have.
   */
  async pay(address: string, cost = 1): Promise<void> {
    const block = toAddressBlock(address);
    const now = performance.now();
    const ofAll = this.#plan(now, this.#fullAt, cost, this.#perSecond);
    const ofAddress = this.#plan(now, this.#fullAtOf.get(block) ?? 0, cost, this.#perSecond * addressPart);
    const waitMs = Math.max(ofAll.waitMs, ofAddress.waitMs);
    if (waitMs > maxWaitMs) {
      await sleep(maxWaitMs, undefined, { ref: false });
      const headers = { 'Retry-After': String(Math.ceil(waitMs / 1_000)) };
      if (ofAddress.waitMs > maxWaitMs) throw new ProblemError('rate_limited', { headers });
      throw new TurnedAway('service_unavailable', { headers });
    }
    this.#fullAt = ofAll.fullAt;
    this.#fullAtOf.set(block, ofAddress.fullAt);
    if (waitMs > 0) await sleep(waitMs, undefined, { ref: false });
  }

  #plan(now: number, fullAt: number, cost: number, rate: number): { fullAt: number; waitMs: number } {
    const next = Math.max(now, fullAt) + (cost / rate) * 1_000;
    return { fullAt: next, waitMs: Math.max(0, next - now - burstSeconds * 1_000) };
  }
}
