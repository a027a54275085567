import { keepSchedules } from '#temporal/client/schedules.ts';
import { createLogger } from '#telemetry/log.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';

describe('The Schedules of maintenance', () => {
  let env: Environment;
  let stop: () => void;
  /** No worker serves it. */
  const taskQueue = 'schedules-test';
  const names = ['sweep', 'retention', 'reconcile'];
  const handles = () =>
    names.map((name) => env.temporal.schedule.getHandle(`maintenance/${name}/${taskQueue}`));

  before(async () => {
    env = await environment();
    stop = keepSchedules(env.temporal, taskQueue, createLogger('worker', 'silent'), 200);
  });
  after(async () => {
    stop();
    await Promise.all(handles().map((handle) => handle.delete()));
  });

  const allExist = () =>
    eventually('all exist', () => Promise.all(handles().map((handle) => handle.describe())));

  it('are made anew when Temporal has lost them', async () => {
    await allExist();
    await Promise.all(handles().map((handle) => handle.delete()));
    await allExist();
  });
});
