import { DefaultLogger, Runtime } from '@temporalio/worker';

let isQuiet = false;

/** Before the first replay: one that fails is an answer here, and nothing to log; Ctrl-C stays mocha's. */
export function quietTemporal(): void {
  if (isQuiet) return;
  isQuiet = true;
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
  });
}
