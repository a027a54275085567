import assert from 'node:assert/strict';
import type { ActivityDeps } from '#activities/deps.ts';
import { createActivities } from '#activities/index.ts';

/** As open histories hold them: Temporal finds an activity by its name alone. */
const names = [
  'acceptCharge',
  'acceptOperation',
  'acceptRefund',
  'authorizeCharge',
  'captureCharge',
  'chargeRows',
  'countUndecidedRefunds',
  'deleteAbandonedUploads',
  'deleteExpiredKeys',
  'deleteExpiredOperations',
  'deleteExpiredResults',
  'deleteFromDefaults',
  'deleteLeftBatchRows',
  'deleteOldFaults',
  'deleteOldRecords',
  'deleteStaleClaims',
  'deliverDue',
  'dropOldPartitions',
  'exportRows',
  'failOperation',
  'preparePartitions',
  'reconcileBooks',
  'refundCharge',
  'repairOperations',
  'replayEvents',
  'resolveCapture',
  'resolveCharge',
  'resolveRefund',
  'resolveReversal',
  'restartLostPayments',
  'reverseRefund',
  'settleRefund',
  'startNext',
  'voidCharge',
  'wakeOverdueEndpoints',
  'wakePending',
  'writeBatchResults',
];

describe('The activities of a worker', () => {
  it('have the names that open histories hold', () => {
    assert.deepEqual(Object.keys(createActivities({} as ActivityDeps)).toSorted(), names);
  });
});
