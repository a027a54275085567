import { buildConnector, Pool } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { Exchange, type SendResult } from './exchange.ts';

/** A receiver acknowledges, and works afterwards: contract, Events, Acknowledgement. */
export const attemptTimeoutMs = 15_000;

export interface SenderOptions {
  guard: AddressGuard;
  /** Bounds a whole attempt: name, connection, headers and the last byte of the answer. (Default: 15 s) */
  timeoutMs?: number;
  /** The authority of receivers' certificates. (Default: those that Node trusts) */
  ca?: string;
}

/** Connections to one endpoint, shared with no other: one that is slow fills only its own. */
export interface Channel {
  /** Makes one attempt. Never throws, never repeats it, and follows no redirect. */
  post(headers: Record<string, string>, body: Buffer): Promise<SendResult>;
  /** Gives up attempts under way. */
  close(): void;
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
      const { origin, pathname, search } = new URL(url);
      // The exchange's own clock bounds the whole attempt; undici's would bound its parts, a second apart.
      const pool = new Pool(origin, { connect, connections, headersTimeout: 0, bodyTimeout: 0 });
      const path = pathname + search;
      return {
        post(headers, body) {
          const exchange = new Exchange(timeoutMs);
          pool.dispatch({ method: 'POST', path, headers, body }, exchange);
          return exchange.result;
        },
        close: () => void pool.destroy(),
      };
    },
  };
}

function guardedConnector(
  guard: AddressGuard,
  options: { timeout: number; ca?: string },
): buildConnector.connector {
  const connect = buildConnector({ lookup: guard.lookup, ...options });
  return (target, done) => {
    try {
      guard.checkHost(target.hostname);
    } catch (error) {
      return done(error as Error, null);
    }
    connect(target, done);
  };
}
