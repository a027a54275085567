import { setImmediate as turn } from 'node:timers/promises';

/** Longest that work on one request goes on while others wait. */
const sliceMs = 5;

/** To be called between the pieces of long work, and awaited: it lets others have their turn once that is due. */
export type Turns = () => Promise<void> | null;

export function createTurns(): Turns {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return null;
    return turn().then(() => void (since = performance.now()));
  };
}
