import { endRun } from './end-run.ts';

export const mochaHooks = {
  /** Where mocha runs by itself, on files that were named. */
  async afterAll(this: Mocha.Context) {
    await endRun();
  },
};
