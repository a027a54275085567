import type { ChargeWorkflow } from '#temporal/charges.ts';
import type { RefundWorkflow } from '#temporal/refunds.ts';
import type { WebhookEndpointWorkflow } from '#temporal/webhook-endpoints.ts';
import { charge } from './charges.ts';
import { refund } from './refunds.ts';
import { webhookEndpoint } from './webhook-endpoints.ts';

/** The workflows that a worker runs. */
export { charge, refund, webhookEndpoint };
export { reconcile, retention, sweep } from './maintenance.ts';

/** Temporal runs it for every other type of workflow: each kind of operation has a type of its own. */
// oxlint-disable-next-line import/no-default-export -- Temporal's name of it
export { operation as default } from './operations.ts';

/** Checks the workflows that others start against their types in `temporal/`. */
({ charge, refund, webhookEndpoint }) satisfies {
  charge: ChargeWorkflow;
  refund: RefundWorkflow;
  webhookEndpoint: WebhookEndpointWorkflow;
};
