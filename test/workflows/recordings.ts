import type { Activities } from '#activities/index.ts';
import type { charges } from '#activities/payments/charges.ts';
import type { refunds } from '#activities/payments/refunds.ts';
import { retentionTasks, sweepTasks } from '#temporal/maintenance.ts';
import { chargeBatchPaths } from './charge-batch-paths.ts';
import { chargePaths } from './charge-paths.ts';
import { exportPaths } from './export-paths.ts';
import { reconcilePaths, retentionPaths, sweepPaths } from './maintenance-paths.ts';
import { refundPaths } from './refund-paths.ts';
import type { Drive } from './taken-path.ts';
import { webhookEndpointPaths } from './webhook-endpoint-paths.ts';
import { webhookReplayPaths } from './webhook-replay-paths.ts';

/** What of a workflow is recorded. */
export interface Recording {
  /** Every way it can take, by the name of the file that the history is kept in. */
  paths: Record<string, Drive>;
  /** Every activity it can take; each is taken on some path. */
  steps: string[];
  /** The member that every history names, in its input or its result. */
  named: RegExp;
}

/** The steps of every operation. */
type Shared = 'acceptOperation' | 'failOperation' | 'startNext';

/** A step that is new must be listed here, and so recorded. */
const listSteps = <Steps>(steps: Record<keyof Steps, true>) => Object.keys(steps);

/** By the workflow's type, which is the folder of its histories. */
export const recordings: Record<string, Recording> = {
  charge: {
    paths: chargePaths,
    steps: listSteps<typeof charges>({
      authorizeCharge: true,
      acceptCharge: true,
      resolveCharge: true,
      captureCharge: true,
      resolveCapture: true,
      voidCharge: true,
    }),
    named: /"chargeId":"ch_/,
  },
  refund: {
    paths: refundPaths,
    steps: listSteps<typeof refunds>({
      refundCharge: true,
      acceptRefund: true,
      resolveRefund: true,
      reverseRefund: true,
      resolveReversal: true,
      settleRefund: true,
    }),
    named: /"refundId":"re_/,
  },
  webhookEndpoint: {
    paths: webhookEndpointPaths,
    steps: listSteps<Pick<Activities, 'deliverDue'>>({ deliverDue: true }),
    named: /"endpointId":"we_/,
  },
  chargeBatch: {
    paths: chargeBatchPaths,
    steps: listSteps<Pick<Activities, 'chargeRows' | Shared>>({
      acceptOperation: true,
      chargeRows: true,
      failOperation: true,
      startNext: true,
    }),
    named: /"operationId":"op_/,
  },
  export: {
    paths: exportPaths,
    steps: listSteps<Pick<Activities, 'exportRows' | Shared>>({
      acceptOperation: true,
      exportRows: true,
      failOperation: true,
      startNext: true,
    }),
    named: /"operationId":"op_/,
  },
  replayDeliveries: {
    paths: webhookReplayPaths,
    steps: listSteps<Pick<Activities, 'replayEvents' | Shared>>({
      acceptOperation: true,
      replayEvents: true,
      failOperation: true,
      startNext: true,
    }),
    named: /"operationId":"op_/,
  },
  sweep: { paths: sweepPaths, steps: Object.keys(sweepTasks), named: /claimsDeleted/ },
  retention: { paths: retentionPaths, steps: Object.keys(retentionTasks), named: /keysDeleted/ },
  reconcile: { paths: reconcilePaths, steps: ['reconcileBooks'], named: /chargesCompared/ },
};
