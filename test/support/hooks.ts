import { stopEnvironment } from './environment.ts';

export const mochaHooks = {
  async afterAll(this: Mocha.Context) {
    this.timeout(30_000);
    await stopEnvironment();
  },
};
