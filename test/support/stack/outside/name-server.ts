import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns';
import { once } from 'node:events';
import type { ResolveAll } from '#webhooks/names.ts';

/** A name server of the test's own, which answers every question for an IPv4 address with what the test says. */
export interface NameServer {
  /** From now on; without addresses, a name has none. Given several lists, each is one answer, the last for good. */
  answer(...lists: string[][]): void;
  /** Asks this server, over the network, as the guard asks that of the machine. */
  resolve: ResolveAll;
  /** From now on it says nothing at all, until it is told what to answer. */
  keepSilent(): void;
  /** Where it listens. */
  readonly address: string;
  /** How often it was asked. */
  readonly asked: number;
  close(): void;
}

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4');
  let lists: string[][] = [[]];
  let asked = 0;
  let isSilent = false;
  socket.on('message', (question, peer) => {
    asked += 1;
    if (isSilent) return;
    const addresses = lists.length > 1 ? lists.shift()! : lists[0]!;
    socket.send(answerTo(question, addresses), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    answer: (...given) => {
      lists = given;
      isSilent = false;
    },
    keepSilent: () => {
      isSilent = true;
    },
    address: `127.0.0.1:${socket.address().port}`,
    resolve: (hostname, done) =>
      resolver.resolve4(hostname, (error, found) =>
        done(
          error,
          (found ?? []).map((address) => ({ address, family: 4 })),
        ),
      ),
    get asked() {
      return asked;
    },
    close: () => socket.close(),
  };
}

/** RFC 1035 §4.1: header, the question again, and an A record for each address, which points to the question's name. */
function answerTo(question: Buffer, addresses: string[]): Buffer {
  const header = Buffer.alloc(12);
  question.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x81_80, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const asked = question.subarray(12, question.indexOf(0, 12) + 5);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, asked, ...records]);
}
