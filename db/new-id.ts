import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';
import { formatId, type IdKind } from '#domain/ids.ts';
import { currentTimeMs } from './clock.ts';

/** A fresh id: the time now and 80 bits from the system's random source, never counted up. */
export function newId(kind: IdKind): string {
  return formatId(kind, ulid(currentTimeMs(), random));
}

/** In stock: a system call for each of an id's 16 characters would cost more than the rest of a replay's work. */
const stock = Buffer.alloc(4096);
let used = stock.length;

/** From 0 on and below 1, in 256 even steps, of which 32 characters take eight each; no byte serves twice. */
function random(): number {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  const byte = stock[used] as number;
  stock[used++] = 0;
  return byte / 256;
}
