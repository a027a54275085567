/** Everything the worker may run. */
export { chargeBatch } from './charge-batches.ts';
export { charge } from './charges.ts';
export { runExport as export } from './exports.ts';
export { reconcile, retention, sweep } from './maintenance.ts';
export { refund } from './refunds.ts';
export { webhookEndpoint } from './webhook-endpoints.ts';
export { replayDeliveries } from './webhook-replays.ts';
