import { isIP, type LookupFunction } from 'node:net';
import { classifyAddress } from './addresses.ts';
import { createNameResolver, type ResolveAll } from './names.ts';

/**
 * Keeps merchants from having this service talk to what only it can reach: checked when a URL is registered, and
 * again at each connection, of the very address that is connected to. So a name that answers otherwise the second
 * time (DNS rebinding) gains nothing.
 */

/** Why a URL is refused. `unresolvable`: its name has no address now, so nothing is known of it. */
export type UrlRefusal = 'https_required' | 'address_refused' | 'unresolvable';

/** An address that may not be connected to; `code` is what an attempt's record says. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'address_refused';
}

export interface AddressGuardOptions {
  /** Lets plain http and loopback addresses through, for development. (Default: false) */
  allowLoopback?: boolean;
  /** (Default: asks the name servers of this machine) */
  resolve?: ResolveAll;
}

export interface AddressGuard {
  /** Checks a URL at registration. It is checked again at each connection. */
  findRefusal(url: URL): Promise<UrlRefusal | null>;
  /** @throws {AddressRefused} Node looks up names only, so an address that stands in the URL is checked by this. */
  checkHost(hostname: string): void;
  /** For `net.connect` and `tls.connect`: finds addresses, each of which may be connected to. */
  lookup: LookupFunction;
}

export function createAddressGuard(options: AddressGuardOptions = {}): AddressGuard {
  const { allowLoopback = false, resolve = createNameResolver() } = options;

  const isAllowed = (address: string) => {
    const reach = classifyAddress(address);
    return reach === 'public' || (allowLoopback && reach === 'loopback');
  };

  function checkHost(hostname: string): void {
    const host = withoutBrackets(hostname);
    if (isIP(host) !== 0 && !isAllowed(host)) throw new AddressRefused(`${host} may not be connected to`);
  }

  const lookup: LookupFunction = (hostname, { all }, done) => {
    resolve(hostname, (error, addresses) => {
      if (error) return done(error, '');
      // One bad address among good ones is an attack or a mistake: none of them is tried.
      if (addresses.length === 0 || addresses.some(({ address }) => !isAllowed(address)))
        return done(new AddressRefused(`${hostname} has an address that may not be connected to`), '');
      const [first] = addresses;
      return all ? done(null, addresses) : done(null, first!.address, first!.family);
    });
  };

  async function resolveAddresses(hostname: string): Promise<string[] | null> {
    const host = withoutBrackets(hostname);
    if (isIP(host) !== 0) return [host];
    return new Promise((done) => {
      resolve(host, (error, addresses) => done(error ? null : addresses.map(({ address }) => address)));
    });
  }

  async function findRefusal(url: URL): Promise<UrlRefusal | null> {
    const isPlain = url.protocol === 'http:' && allowLoopback;
    if (url.protocol !== 'https:' && !isPlain) return 'https_required';
    const addresses = await resolveAddresses(url.hostname);
    if (addresses === null || addresses.length === 0) return 'unresolvable';
    if (!addresses.every(isAllowed)) return 'address_refused';
    return isPlain && !addresses.every((address) => classifyAddress(address) === 'loopback')
      ? 'https_required'
      : null;
  }

  return { findRefusal, checkHost, lookup };
}

/** Removes the brackets of an IPv6 address in a URL (RFC 3986 §3.2.2). */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
