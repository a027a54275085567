import { setImmediate as nextTurn } from 'node:timers/promises';

/** The longest time without a pause, in milliseconds. */
const sliceMs = 5;

/** Pauses if a pause is due, so that the process serves others. Await it between pieces of long work. */
export type Pauses = () => Promise<void> | null;

export function createPauses(): Pauses {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return null;
    return nextTurn().then(() => void (since = performance.now()));
  };
}
