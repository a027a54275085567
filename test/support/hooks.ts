import assert from 'node:assert/strict';
import { runningEnvironment, stopEnvironment } from './stack/environment.ts';
import { findLeaks } from './stack/leaks.ts';

export const mochaHooks = {
  /** What a run wrote holds no secret, whichever tests it had; then nothing of it stays. */
  async afterAll(this: Mocha.Context) {
    this.timeout(300_000);
    try {
      const env = await runningEnvironment();
      if (env) assert.deepEqual(await findLeaks(env), [], 'no secret in any log or history');
    } finally {
      await stopEnvironment();
    }
  },
};
