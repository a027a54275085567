import type { ChargeWorkflow } from '#temporal/charges.ts';
import type { OperationWorkflow } from '#temporal/operations.ts';
import type { RefundWorkflow } from '#temporal/refunds.ts';
import type { WebhookEndpointWorkflow } from '#temporal/webhook-endpoints.ts';
import { charge } from './charges.ts';
import { chargeBatch, replayDeliveries, runExport } from './operations.ts';
import { refund } from './refunds.ts';
import { webhookEndpoint } from './webhook-endpoints.ts';

/** The workflows that a worker runs. */
export { charge, chargeBatch, refund, replayDeliveries, runExport as export, webhookEndpoint };
export { reconcile, retention, sweep } from './maintenance.ts';

/** Checks the workflows that others start against their types in `temporal/`. */
({ charge, refund, webhookEndpoint, chargeBatch, replayDeliveries, export: runExport }) satisfies {
  charge: ChargeWorkflow;
  refund: RefundWorkflow;
  webhookEndpoint: WebhookEndpointWorkflow;
  chargeBatch: OperationWorkflow;
  replayDeliveries: OperationWorkflow;
  export: OperationWorkflow;
};
