import { createServer, connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * A TCP proxy between two parts of the stack, to stage what networks do: a cut, a black hole, an answer lost.
 */
export interface Proxy {
  /** `127.0.0.1:port`. */
  address: string;
  port: number;
  /** From now on nothing passes to the target; what was on its way stays there. */
  holdRequests(): void;
  /** From now on nothing passes back; requests still arrive. */
  holdAnswers(): void;
  /** From now on everything takes so much longer, either way; 0: no longer. */
  delay(ms: number): void;
  /** Lets everything pass again, what was held first. */
  open(): void;
  /** Resets every connection, and refuses new ones until {@link Proxy.open}. */
  cut(): void;
  /** Connections that are open now. */
  readonly connections: number;
  close(): Promise<void>;
}

export async function startProxy(target: { host: string; port: number }): Promise<Proxy> {
  const pairs = new Set<{ near: Socket; far: Socket }>();
  let hold: 'requests' | 'answers' | null = null;
  let refusing = false;
  let delayMs = 0;

  const server = createServer((near) => {
    if (refusing) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target);
    const pair = { near, far };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', end).on('close', end);
    near.on('data', later(far));
    far.on('data', later(near));
    apply(pair);
  });

  /** Passes on what comes, in the order in which it came, also when the delay changes meanwhile. */
  function later(to: Socket): (chunk: Buffer) => void {
    const waiting: Buffer[] = [];
    let lastAt = 0;
    return (chunk) => {
      if (delayMs === 0 && waiting.length === 0) {
        to.write(chunk);
        return;
      }
      waiting.push(chunk);
      lastAt = Math.max(lastAt, Date.now() + delayMs);
      setTimeout(() => to.write(waiting.shift()!), lastAt - Date.now());
    };
  }

  function apply({ near, far }: { near: Socket; far: Socket }): void {
    if (hold === 'requests') near.pause();
    else near.resume();
    if (hold === 'answers') far.pause();
    else far.resume();
  }

  function setHold(next: typeof hold): void {
    hold = next;
    for (const pair of pairs) apply(pair);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    port,
    holdRequests: () => setHold('requests'),
    holdAnswers: () => setHold('answers'),
    delay(ms) {
      delayMs = ms;
    },
    get connections() {
      return pairs.size;
    },
    open() {
      refusing = false;
      setHold(null);
    },
    cut() {
      refusing = true;
      for (const { near, far } of pairs) {
        near.resetAndDestroy();
        far.destroy();
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const { near, far } of pairs) {
          near.destroy();
          far.destroy();
        }
      }),
  };
}
