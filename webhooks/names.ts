import { Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';

/**
 * Finds the addresses of merchants' hosts, whose name servers may be slow on purpose. `dns.lookup` takes one of the few
 * threads of the process for as long as that server likes, and cannot be given up; these lookups hold a socket, end
 * within 2 s, and are few. The hosts file is not read: what stands in it is no public address.
 */

/** All addresses of a name, or an error with `code` as `dns.lookup` has it. */
export type ResolveAll = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface NameOptions {
  /** Name servers, with a port perhaps. (Default: those of this machine) */
  servers?: readonly string[];
}

const withinMs = 2_000;

/** Two questions of each name server, the second when the first was lost. */
const oneTry = { timeout: 900, tries: 2 };

/** A name that was not found is not asked for again for so long: attempts and retries would each wait for it. */
const notFoundForMs = 5_000;
const maxNotFound = 10_000;

/** Names that are asked for at once. */
const maxUnderWay = 256;

/** RFC 6761 §6.3: it is never asked for. */
const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

class NameNotFound extends Error implements NodeJS.ErrnoException {
  override readonly name = 'NameNotFound';
  readonly code: string;

  /** @param code `ENOTFOUND`: it has no address. `EAI_AGAIN`: that is not known now. */
  constructor(hostname: string, code: 'ENOTFOUND' | 'EAI_AGAIN') {
    super(`${hostname} has no address that could be found`);
    this.code = code;
  }
}

/** Lookups of one name at the same time share the answer. */
export function createNameResolver(options: NameOptions = {}): ResolveAll {
  const underWay = new Map<string, Promise<LookupAddress[]>>();
  const notFound = new Map<string, { error: NameNotFound; until: number }>();

  function find(hostname: string): Promise<LookupAddress[]> {
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return Promise.resolve(loopback);
    const known = notFound.get(hostname);
    if (known && known.until > performance.now()) return Promise.reject(known.error);
    notFound.delete(hostname);
    const shared = underWay.get(hostname);
    if (shared) return shared;
    if (underWay.size >= maxUnderWay) return Promise.reject(new NameNotFound(hostname, 'EAI_AGAIN'));
    const asked = ask(hostname, options.servers).finally(() => underWay.delete(hostname));
    underWay.set(hostname, asked);
    asked.catch((error: NameNotFound) => remember(hostname, error));
    return asked;
  }

  function remember(hostname: string, error: NameNotFound): void {
    const [oldest] = notFound.keys();
    if (notFound.size >= maxNotFound && oldest !== undefined) notFound.delete(oldest);
    notFound.set(hostname, { error, until: performance.now() + notFoundForMs });
  }

  async function answer(hostname: string, done: Parameters<ResolveAll>[1]): Promise<void> {
    const found = await find(hostname).catch((error: NodeJS.ErrnoException) => error);
    if (Array.isArray(found)) done(null, found);
    else done(found, []);
  }

  return (hostname, done) => void answer(hostname, done);
}

/**
 * Makes a resolver for each name, so that giving up one disturbs no other, and a changed configuration is noticed. IPv4 comes
 * first: it is what receivers are sure to have.
 *
 * @throws {NameNotFound}
 */
async function ask(hostname: string, servers?: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new Resolver(oneTry);
  if (servers) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), withinMs);
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length > 0) return addresses;
    const hasNone = [four, six].every((answer) => answer.status === 'fulfilled' || saysNone(answer.reason));
    throw new NameNotFound(hostname, hasNone ? 'ENOTFOUND' : 'EAI_AGAIN');
  } finally {
    clearTimeout(timer);
  }
}

/** Returns whether the name servers answered so: silence says nothing about a name. */
function saysNone(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
