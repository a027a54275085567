import type { LookupAddress } from 'node:dns';
import { connect, type Socket } from 'node:net';

/**
 * Connects to a host with several addresses, as RFC 8305 has it: the next address is tried beside those before it, and the
 * first connection wins. So neither an address that does not answer nor a slow network makes an attempt fail.
 */

/** How long an address is tried alone, in milliseconds. */
const aloneMs = 250;

/** A merchant's name may have any number of addresses; each of them may cost a connection. */
const mostAddresses = 6;

/** Has the code that undici gives a connection that came too late. */
class ConnectTimeout extends Error implements NodeJS.ErrnoException {
  override readonly name = 'ConnectTimeout';
  readonly code = 'UND_ERR_CONNECT_TIMEOUT';
}

/** Calls `done` once, with a connection or with why there is none. */
export function connectToAny(
  addresses: readonly LookupAddress[],
  { port, timeoutMs }: { port: number; timeoutMs: number },
  done: (error: Error | null, socket: Socket | null) => void,
): void {
  const left = interleave(addresses).slice(0, mostAddresses);
  const sockets = new Set<Socket>();
  const errors: Error[] = [];
  let isOver = false;
  let next: NodeJS.Timeout;

  const finish = (error: Error | null, winner: Socket | null) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(next);
    clearTimeout(last);
    for (const socket of sockets) if (socket !== winner) socket.destroy();
    done(error, winner);
  };

  const tryNext = () => {
    clearTimeout(next);
    const address = left.shift();
    if (!address || isOver) return;
    const socket = connect({ host: address.address, port, family: address.family });
    sockets.add(socket);
    socket.setNoDelay(true).setKeepAlive(true, 60_000);
    // It stays: an error of a connection that lost the race tells nobody anything.
    socket.on('error', (error) => {
      sockets.delete(socket);
      errors.push(error);
      if (left.length > 0) tryNext();
      else if (sockets.size === 0) finish(errors.length > 1 ? new AggregateError(errors) : error, null);
    });
    socket.once('connect', () => finish(null, socket));
    next = setTimeout(tryNext, aloneMs);
  };

  const last = setTimeout(() => finish(new ConnectTimeout('No address answered in time'), null), timeoutMs);
  tryNext();
}

/** Returns the addresses with the families in turn: one of them may not work here at all. */
function interleave(addresses: readonly LookupAddress[]): LookupAddress[] {
  const [first] = addresses;
  const same = addresses.filter(({ family }) => family === first?.family);
  const other = addresses.filter(({ family }) => family !== first?.family);
  return Array.from({ length: Math.max(same.length, other.length) }, (_, n) => [same[n], other[n]])
    .flat()
    .filter((address) => address !== undefined);
}
