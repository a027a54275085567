import { isIPv4, isIPv6 } from 'node:net';

/** The lengths of the blocks that an IPv6 address counts for. One site has a /64, a /56 or a /48 (RFC 6177). */
const widths = [64, 56, 48] as const;
export type Width = (typeof widths)[number];

/** How many times what one address may have its wider blocks of IPv6 may have. */
export type Wider = Readonly<Record<Exclude<Width, 64>, number>>;

/**
 * Returns the block of an address from `X-Forwarded-For` or a socket. For IPv4 it is the address without a port, for
 * IPv6 its block of this width. Any other text is the block `unknown`.
 */
export function toAddressBlock(given: string, width: Width = 64): string {
  const network = readNetwork(given);
  return typeof network === 'string' ? network : nameBlock(network, width);
}

/** Returns all blocks that an address counts for. Those of IPv4, and unknown ones, count as a /64 does. */
export function listAddressBlocks(given: string): [block: string, width: Width][] {
  const network = readNetwork(given);
  if (typeof network === 'string') return [[network, 64]];
  return widths.map((width) => [nameBlock(network, width), width]);
}

/** Returns the first 64 bits of an IPv6 address as four groups, or the name of another address. */
function readNetwork(given: string): number[] | string {
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
  return [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16));
}

function nameBlock([a = 0, b = 0, c = 0, d = 0]: number[], width: Width): string {
  const kept = { 64: [a, b, c, d], 56: [a, b, c, d & 0xff00], 48: [a, b, c] }[width];
  return `${kept.map((group) => group.toString(16)).join(':')}::/${width}`;
}

/** Returns the address of `192.0.2.1:5678`, `[2001:db8::1]:5678` and `[2001:db8::1]`. */
function withoutPort(text: string): string {
  if (text.startsWith('[')) return text.slice(1).split(']')[0] ?? '';
  const [host = '', port, ...rest] = text.split(':');
  return port !== undefined && rest.length === 0 ? host : text;
}
