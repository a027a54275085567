import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { eventually } from '../../eventually.ts';

/**
 * One address for several API processes, as a load balancer of TCP connections is: each new connection goes to the
 * next process that said of itself that it is ready, and stays with it.
 */
export interface Balancer {
  url: string;
  /** How many connections each process was given, by its URL. */
  given: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** As often as a probe may be late before a process that stops closes its door. */
const probeEveryMs = 100;

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

/** Waits until a process says that it is ready, as whoever restarts several does before the next one. */
export async function untilReady(url: string): Promise<void> {
  await eventually(`${url} is ready`, () => isReady(url));
}

export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const ready = new Set<string>();
  const given = new Map(urls.map((url) => [url, 0]));
  const sockets = new Set<Socket>();
  let turn = 0;

  const probe = async (url: string) => {
    if (await isReady(url)) ready.add(url);
    else ready.delete(url);
  };
  const probeAll = () => Promise.all(urls.map(probe));
  await probeAll();
  const timer = setInterval(() => void probeAll(), probeEveryMs);

  const server = createServer((near) => {
    const choice = [...ready].toSorted();
    const url = choice[turn++ % choice.length];
    if (!url) return void near.resetAndDestroy();
    given.set(url, (given.get(url) ?? 0) + 1);
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      // What broke on one side breaks on the other: nothing is hidden from the client.
      one.on('error', () => other.resetAndDestroy());
      one.on('close', () => sockets.delete(one));
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    given,
    close: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
