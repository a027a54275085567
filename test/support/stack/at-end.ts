/** Steps that stop what a run of the tests started, the oldest first. */
const steps: (() => Promise<void>)[] = [];

/** Has `step` called once, when the last test of this process is over. */
export function atEnd(step: () => Promise<void>): void {
  steps.push(step);
}

/** Takes every step, the newest first, and all of them even when one fails. @throws the first error. */
export async function endAll(): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps.splice(0).toReversed()) await step().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
