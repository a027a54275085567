/**
 * A token bucket for every remote address, in the memory of this process: how many failures it may still have.
 * Full buckets are not kept, and the number of the others is bounded: the one that failed least recently makes room.
 */
export class AddressBudgets {
  readonly #perMinute: number;
  readonly #maxAddresses: number;
  readonly #budgets = new Map<string, { left: number; at: number }>();

  /** @param perMinute failures that may be had at once, and that become possible again in a minute. */
  constructor(perMinute: number, maxAddresses = 10_000) {
    this.#perMinute = perMinute;
    this.#maxAddresses = maxAddresses;
  }

  /** Milliseconds until the address may fail again; 0: it may now. */
  waitMs(address: string): number {
    if (this.#budgets.size === 0) return 0;
    const left = this.#leftOf(blockOf(address));
    return left >= 1 ? 0 : ((1 - left) / this.#perMinute) * 60_000;
  }

  /** Attempts under way at the same time may overdraw; the debt is waited for. */
  spend(address: string): void {
    const block = blockOf(address);
    const left = this.#leftOf(block) - 1;
    this.#budgets.delete(block);
    this.#makeRoom();
    this.#budgets.set(block, { left, at: performance.now() });
  }

  #leftOf(block: string): number {
    const budget = this.#budgets.get(block);
    if (!budget) return this.#perMinute;
    const inflow = ((performance.now() - budget.at) / 60_000) * this.#perMinute;
    if (budget.left + inflow < this.#perMinute) return budget.left + inflow;
    this.#budgets.delete(block);
    return this.#perMinute;
  }

  #makeRoom(): void {
    if (this.#budgets.size < this.#maxAddresses) return;
    for (const oldest of this.#budgets.keys()) {
      this.#budgets.delete(oldest);
      return;
    }
  }
}

/** Who has one IPv6 address has its whole /64 (RFC 6177), and one budget. */
export function blockOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
