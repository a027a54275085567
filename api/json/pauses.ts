/** The longest time without a pause, in milliseconds. */
const sliceMs = 2;

/** Pauses if a pause is due, so that the process serves others. Await it between pieces of long work. */
export type Pauses = () => Promise<void> | null;

/** Long works that wait for their next slice, the oldest first. */
const waiting: (() => void)[] = [];

export function createPauses(): Pauses {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return null;
    return new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(resumeOne);
    }).then(() => void (since = performance.now()));
  };
}

/** Resumes one work in each turn of the event loop: ten of them hold up everybody else no longer than one does. */
function resumeOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeOne);
}
