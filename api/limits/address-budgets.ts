import { isIPv4, isIPv6 } from 'node:net';

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

  /**
   * Attempts under way at the same time may overdraw; the debt is waited for, and is never more than a minute's budget:
   * whoever shares the address waits two minutes at most.
   */
  spend(address: string): void {
    const block = blockOf(address);
    const left = Math.max(this.#leftOf(block) - 1, -this.#perMinute);
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

/**
 * Who is meant by an address of `X-Forwarded-For` or of a socket: the address without its port, as some proxies write it;
 * of IPv6 its /64, since who has one address has all of that (RFC 6177). What is no address is one of its own.
 */
export function blockOf(given: string): string {
  const address = withoutPort(given.trim().toLowerCase());
  const mapped = address.startsWith('::ffff:') ? address.slice(7) : address;
  if (isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return 'unknown';
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  // An IPv4 address at its end stands for two groups.
  const length = left.length + right.length + (address.includes('.') ? 1 : 0);
  const zeros = Array.from({ length: Math.max(0, 8 - length) }, () => '0');
  const network = [...left, ...zeros, ...right].slice(0, 4);
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

/** `192.0.2.1:5678`, `[2001:db8::1]:5678` and `[2001:db8::1]` name a port, or could. */
function withoutPort(text: string): string {
  if (text.startsWith('[')) return text.slice(1).split(']')[0] ?? '';
  const [host = '', port, ...rest] = text.split(':');
  return port !== undefined && rest.length === 0 ? host : text;
}
