import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { createChannel, type Channel } from './channel.ts';
import { connectToAny } from './connect.ts';

/** How long an attempt may take: a receiver acknowledges first, and works afterwards (`docs/webhooks.md`, "Retries"). */
export const attemptTimeoutMs = 15_000;

export interface SenderOptions {
  guard: AddressGuard;
  /** Bounds a whole attempt: name, connection, headers and the last byte of the answer. (Default: 15 s) */
  timeoutMs?: number;
  /** The authority of receivers' certificates. (Default: those that Node trusts) */
  ca?: string;
}

export interface Sender {
  /** @param connections the attempts that it carries at once at most. */
  open(url: string, connections: number): Channel;
}

/** Sends by POST, over HTTPS with certificates verified, to addresses that the guard lets through. */
export function createSender({ guard, timeoutMs = attemptTimeoutMs, ca }: SenderOptions): Sender {
  const connect = guardedConnector(guard, { timeout: timeoutMs, ...(ca !== undefined && { ca }) });
  return {
    open(url, connections) {
      const target = new URL(url);
      // A dot at the end says that the name is whole, as ours all are. TLS and most receivers know the name without it.
      target.hostname = target.hostname.replace(/\.$/, '');
      const { origin, pathname, search } = target;
      return createChannel({ origin, path: pathname + search, connections, timeoutMs, connect });
    },
  };
}

/** Connects to the addresses of a host that the guard lets through. TLS begins on the connection that was first. */
function guardedConnector(
  guard: AddressGuard,
  options: { timeout: number; ca?: string },
): buildConnector.connector {
  const secure = buildConnector(options);
  return (target, done) => {
    try {
      guard.checkHost(target.hostname);
    } catch (error) {
      return done(error as Error, null);
    }
    const isSecure = target.protocol === 'https:';
    const to = { port: Number(target.port) || (isSecure ? 443 : 80), timeoutMs: options.timeout };
    const connect = (addresses: Parameters<typeof connectToAny>[0]) =>
      connectToAny(addresses, to, (error, socket) => {
        if (!socket) done(error ?? new Error('No connection'), null);
        else if (isSecure) secure({ ...target, httpSocket: socket }, done);
        else done(null, socket);
      });
    const family = isIP(target.hostname);
    if (family !== 0) return connect([{ address: target.hostname, family }]);
    guard.lookup(target.hostname, { all: true }, (error, addresses) => {
      if (error) done(error, null);
      else connect(addresses as Exclude<typeof addresses, string>);
    });
  };
}
