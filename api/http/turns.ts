import { setImmediate as turn } from 'node:timers/promises';

/** The longest time without a pause, in milliseconds. */
const sliceMs = 5;

/** Pauses if a pause is due, so that the process serves others. Await it between pieces of long work. */
export type Turns = () => Promise<void> | null;

export function createTurns(): Turns {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return null;
    return turn().then(() => void (since = performance.now()));
  };
}
