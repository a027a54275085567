import { listAddressBlocks, type Wider } from './address-blocks.ts';

/** What the /56 and the /48 of an IPv6 address may hold open together, in times of what one address may. */
const wider: Wider = { 56: 2, 48: 4 };

/** How many connections each remote address has open, with a bound for each. */
export class AddressPlaces {
  readonly #perAddress: number;
  readonly #taken = new Map<string, number>();

  constructor(perAddress: number) {
    this.#perAddress = perAddress;
  }

  /** Takes a place. The returned function leaves it; `null`: the address, or a block around it, has all of its places. */
  enter(address: string): (() => void) | null {
    const blocks = listAddressBlocks(address);
    const isFull = blocks.some(
      ([block, width]) => this.#count(block) >= this.#perAddress * (width === 64 ? 1 : wider[width]),
    );
    if (isFull) return null;
    for (const [block] of blocks) this.#taken.set(block, this.#count(block) + 1);
    return () => {
      for (const [block] of blocks) this.#leave(block);
    };
  }

  #count(block: string): number {
    return this.#taken.get(block) ?? 0;
  }

  #leave(block: string): void {
    const left = this.#count(block) - 1;
    if (left > 0) this.#taken.set(block, left);
    else this.#taken.delete(block);
  }
}
