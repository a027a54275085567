import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';
import { formatId, type IdKind } from '#domain/ids.ts';
import { currentTimeMs } from './clock.ts';

/** Returns a new id, made of the time and 80 random bits of the system. */
export function newId(kind: IdKind): string {
  return formatId(kind, ulid(currentTimeMs(), random));
}

/** Random bytes for the next ids. A system call for each of an id's 16 characters would cost too much. */
const stock = Buffer.alloc(4096);
let used = stock.length;

/** Returns a number from 0 to below 1, in 256 even steps. Eight steps make one of 32 characters. No byte is used twice. */
function random(): number {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  const byte = stock[used] as number;
  stock[used++] = 0;
  return byte / 256;
}
