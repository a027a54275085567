import assert from 'node:assert/strict';
import { endAll } from './stack/at-end.ts';
import { runningEnvironment } from './stack/environment.ts';
import { findLeaks } from './stack/leaks.ts';

/** Ends a process's tests: what they wrote must hold no secret, and nothing that they started stays. */
export async function endRun(): Promise<void> {
  try {
    const env = await runningEnvironment();
    if (env) assert.deepEqual(await findLeaks(env), [], 'no secret in any log or history');
  } finally {
    await endAll();
  }
}
