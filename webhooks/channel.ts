import type { Socket } from 'node:net';
import { Client, type buildConnector } from 'undici';
import { Exchange, type SendResult } from './exchange.ts';

/** Connections to one endpoint, shared with no other: one that is slow fills only its own. */
export interface Channel {
  /** Makes one attempt. Never throws, repeats it only if its connection was closed before, and follows no redirect. */
  post(headers: Record<string, string>, body: Buffer): Promise<SendResult>;
  /** Gives up attempts under way. */
  close(): void;
}

/** One connection, which is opened anew when it was closed. */
interface Lane {
  client: Client;
  socket: Socket | null;
}

interface ChannelOptions {
  origin: string;
  path: string;
  connections: number;
  timeoutMs: number;
  connect: buildConnector.connector;
}

/** Opens the channel. It connects with its first attempt. */
export function createChannel({ origin, path, connections, timeoutMs, connect }: ChannelOptions): Channel {
  const lanes = new Set<Lane>();
  const idle: Lane[] = [];
  const waiting: ((lane: Lane) => void)[] = [];

  function openLane(): Lane {
    const lane: Lane = { socket: null, client: null as unknown as Client };
    const connectLane: buildConnector.connector = (target, done) =>
      connect(target, (...[error, socket]: Parameters<buildConnector.Callback>) => {
        lane.socket = socket;
        if (error) done(error, null);
        else done(null, socket);
      });
    // The exchange's own clock bounds the whole attempt; undici's would bound its parts, a second apart.
    lane.client = new Client(origin, { connect: connectLane, headersTimeout: 0, bodyTimeout: 0 });
    lanes.add(lane);
    return lane;
  }

  function takeLane(): Lane | Promise<Lane> {
    const lane = idle.pop() ?? (lanes.size < connections ? openLane() : null);
    return lane ?? new Promise((resolve) => waiting.push(resolve));
  }

  function leaveLane(lane: Lane): void {
    const next = waiting.shift();
    if (next) next(lane);
    else idle.push(lane);
  }

  async function send(exchange: Exchange, headers: Record<string, string>, body: Buffer): Promise<void> {
    const lane = await takeLane();
    const dispatch = () => {
      const { socket } = lane;
      const isReused = socket !== null && !socket.destroyed;
      // A receiver may close an idle connection while a request is on its way to it: that says nothing about the receiver.
      exchange.onLost = () => {
        if (isReused && lane.socket === socket) setImmediate(dispatch);
        return isReused && lane.socket === socket;
      };
      lane.client.dispatch({ method: 'POST', path, headers, body }, exchange);
    };
    if (exchange.isOver) return leaveLane(lane);
    exchange.onEnd = () => leaveLane(lane);
    dispatch();
  }

  return {
    post(headers, body) {
      const exchange = new Exchange(timeoutMs);
      void send(exchange, headers, body);
      return exchange.result;
    },
    close() {
      for (const { client } of lanes) void client.destroy();
    },
  };
}
