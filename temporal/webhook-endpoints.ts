/** Ids, amounts and codes only: all of this ends up in a history that operators read. */

export interface WebhookEndpointInput {
  endpointId: string;
  /** For how long there was nothing to do, so far. (Default: 0) */
  idleMs?: number;
}

/** The workflow `webhookEndpoint`. */
export type WebhookEndpointWorkflow = (input: WebhookEndpointInput) => Promise<void>;
