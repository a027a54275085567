import ipaddr from 'ipaddr.js';

/**
 * The addresses that a merchant's URL may lead to. An address that is not known to be public is refused: the lists of
 * special addresses grow, and a gap in them must not open a way in.
 */

/** The only part of IPv6 that is given out for the public (RFC 4291 §2.4, IANA). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Public by number and private by use: the metadata and DHCP service that every Azure machine reaches there.
 * Those of other clouds lie in link-local and unique-local ranges.
 */
const privateInUse = new Set(['168.63.129.16']);

/** How far an address may reach. `loopback` is for development, where a setting allows it. */
export type Reach = 'public' | 'loopback' | 'refused';

/**
 * Classifies an address as `dns.lookup` and `URL` give it. Forms that carry an IPv4 address (mapped, NAT64, 6to4, Teredo)
 * are refused whatever they carry: no receiver needs one.
 */
export function classifyAddress(address: string): Reach {
  // A zone ('fe80::1%eth0') belongs to link-local addresses only, and the library's opinion of others may change.
  if (!ipaddr.isValid(address) || address.includes('%')) return 'refused';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast' || privateInUse.has(parsed.toString())) return 'refused';
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast) ? 'public' : 'refused';
}
