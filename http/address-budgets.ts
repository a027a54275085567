import { listAddressBlocks, type Wider } from './address-blocks.ts';
import { KeyBudgets, type Budget } from './key-budgets.ts';

/**
 * A token bucket for each remote address, in the memory of this process. An IPv6 address takes from the bucket of its
 * /64, and from the larger ones of its /56 and its /48: who has a whole /48 has no budget for each /64 of it.
 */
export class AddressBudgets {
  readonly #blocks: KeyBudgets;
  readonly #wider: Wider;

  constructor(budget: Budget, wider: Wider = { 56: 4, 48: 16 }) {
    this.#blocks = new KeyBudgets(budget);
    this.#wider = wider;
  }

  /** Returns the milliseconds until the address may spend `cost` tokens; 0 if it may now. */
  waitMs(address: string, cost = 1): number {
    const waits = this.#list(address).map(([block, part]) => this.#blocks.waitMs(block, cost * part));
    return Math.max(...waits);
  }

  /** Spends tokens. Concurrent callers may overdraw, by one bucket at most. */
  spend(address: string, cost = 1): void {
    for (const [block, part] of this.#list(address)) this.#blocks.spend(block, cost * part);
  }

  /** Lists the blocks of an address, and which part of a token each of them pays: a larger bucket pays less. */
  #list(address: string): [block: string, part: number][] {
    return listAddressBlocks(address).map(([block, width]) => [
      block,
      width === 64 ? 1 : 1 / this.#wider[width],
    ]);
  }
}
