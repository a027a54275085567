import { isIPv4, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';

const minuteMs = 60_000;

/**
 * A token bucket for each remote address, in the memory of this process: how many failures it may still have. If there
 * are too many addresses, the one that failed least recently is forgotten.
 */
export class AddressBudgets {
  readonly #msPerFailure: number;
  /** When the bucket of an address will be full again. */
  readonly #fullAt: LRUCache<string, number>;

  /** @param perMinute failures that are allowed at once, and that are allowed again after a minute. */
  constructor(perMinute: number, maxAddresses = 10_000) {
    this.#msPerFailure = minuteMs / perMinute;
    this.#fullAt = new LRUCache({ max: maxAddresses });
  }

  /** Returns the milliseconds until the address may fail again; 0 if it may now. */
  waitMs(address: string): number {
    if (this.#fullAt.size === 0) return 0;
    const fullAt = this.#fullAt.peek(toAddressBlock(address)) ?? 0;
    return Math.max(0, fullAt - performance.now() - (minuteMs - this.#msPerFailure));
  }

  /**
   * Counts a failure. Concurrent attempts may overdraw. The debt is at most the budget of a minute, so those who share
   * the address wait for two minutes at most.
   */
  spend(address: string): void {
    const block = toAddressBlock(address);
    const now = performance.now();
    const fullAt = Math.max(now, this.#fullAt.peek(block) ?? 0) + this.#msPerFailure;
    this.#fullAt.set(block, Math.min(fullAt, now + 2 * minuteMs));
  }
}

/**
 * Returns the block of an address from `X-Forwarded-For` or a socket. For IPv4 it is the address without a port. For
 * IPv6 it is the /64, since a site has all of that (RFC 6177). Any other text is the block `unknown`.
 */
export function toAddressBlock(given: string): string {
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

/** Returns the address of `192.0.2.1:5678`, `[2001:db8::1]:5678` and `[2001:db8::1]`. */
function withoutPort(text: string): string {
  if (text.startsWith('[')) return text.slice(1).split(']')[0] ?? '';
  const [host = '', port, ...rest] = text.split(':');
  return port !== undefined && rest.length === 0 ? host : text;
}
