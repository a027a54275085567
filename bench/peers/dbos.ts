import { randomUUID } from 'node:crypto';
import { sampleCharge } from '../rig/sample-charge.ts';
import { loadPackage } from './modules.ts';
import { serve } from './route.ts';
import { connections, openSteps, type Charge, type ChargeRequest } from './steps.ts';

/** The process of DBOS: its workflow of three steps, named by the idempotency key, behind the bare route. */

/** As much of `@dbos-inc/dbos-sdk` as is used here. */
interface DbosSdk {
  DBOS: {
    workflowID?: string;
    setConfig(config: object): void;
    launch(): Promise<void>;
    registerWorkflow<Args extends unknown[], Result>(
      run: (...args: Args) => Promise<Result>,
      options: { name: string },
    ): (...args: Args) => Promise<Result>;
    runStep<Result>(step: () => Promise<Result>, options: { name: string }): Promise<Result>;
    startWorkflow<Args extends unknown[], Result>(
      workflow: (...args: Args) => Promise<Result>,
      options: { workflowID: string },
    ): (...args: Args) => Promise<{ getResult(): Promise<Result> }>;
  };
}

const { DBOS } = loadPackage('@dbos-inc/dbos-sdk') as DbosSdk;
const steps = await openSteps();

const workflow = DBOS.registerWorkflow(
  async (request: ChargeRequest) => {
    const key = DBOS.workflowID!;
    const id = await DBOS.runStep(() => steps.claim(key, request), { name: 'claim' });
    const outcome = await DBOS.runStep(() => steps.call(id, request), { name: 'call' });
    return DBOS.runStep(() => steps.settle(id, outcome), { name: 'settle' });
  },
  { name: 'charge' },
);

async function charge(key: string, request: ChargeRequest): Promise<Charge> {
  const handle = await DBOS.startWorkflow(workflow, { workflowID: key })(request);
  return handle.getResult();
}

DBOS.setConfig({
  name: 'charges',
  applicationVersion: '1',
  systemDatabaseUrl: process.env['DATABASE_URL'],
  systemDatabasePoolSize: connections,
  logLevel: 'error',
});
await DBOS.launch();
await serve({
  charge,
  countCalls: steps.countCalls,
  drive: async () => void (await charge(randomUUID(), sampleCharge)),
});
