import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Answers on their way to readers: when one has left the process, and what becomes of readers that take none. */

/** The longest time in which a reader takes nothing, in milliseconds. A piece of a large answer has 64 KiB. */
export const stalledAfterMs = 20_000;

const lookMs = 2_000;

/** What to call when a connection is lost, for each answer on it. */
const ends = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `done` once the answer was sent, or cannot be sent any more. An answer that waits behind another one of its
 * connection has no `close` of its own when the connection is lost.
 */
export function whenSent({ socket }: IncomingMessage, res: ServerResponse, done: () => void): void {
  if (socket.destroyed || res.closed) return done();
  const answers = ends.get(socket) ?? watchClose(socket);
  const end = () => {
    if (answers.delete(end)) done();
  };
  answers.add(end);
  res.once('close', end);
}

function watchClose(socket: Socket): Set<() => void> {
  const answers = new Set<() => void>();
  ends.set(socket, answers);
  socket.once('close', () => {
    for (const end of answers) end();
  });
  return answers;
}

/** Closes connections whose readers have taken nothing of an answer for so long: the answer waits in memory. */
export function cutStalledReaders(server: Server, afterMs = stalledAfterMs): void {
  const open = new Set<Socket>();
  const add = (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  server.on('connection', add);
  // The socket under TLS shows nothing of what waits.
  server.on('secureConnection', add);
  const stalls = new WeakMap<Socket, { mark: string; since: number }>();
  const look = () => {
    const now = performance.now();
    for (const socket of open) {
      const mark = readMark(socket);
      const last = stalls.get(socket);
      if (mark === null) stalls.delete(socket);
      else if (last?.mark !== mark) stalls.set(socket, { mark, since: now });
      else if (now - last.since >= afterMs) socket.destroy();
    }
  };
  const timer = setInterval(look, Math.min(lookMs, afterMs / 2)).unref();
  server.once('close', () => clearInterval(timer));
}

/** The handle of a socket, which the types leave out: what the system has not taken yet. */
interface Handle {
  writeQueueSize?: number;
}

/** Returns a text that changes when the reader takes bytes; `null` if none wait. */
function readMark(socket: Socket): string | null {
  if (socket.writableLength === 0) return null;
  const { writeQueueSize = 0 } = (socket as unknown as { _handle: Handle | null })._handle ?? {};
  return `${socket.bytesWritten - socket.writableLength} ${writeQueueSize}`;
}
