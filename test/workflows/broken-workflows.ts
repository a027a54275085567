import { sleep } from '@temporalio/workflow';
import { operation } from '#workflows/operations.ts';
import { charge as soundCharge } from '#workflows/charges.ts';
import * as maintenance from '#workflows/maintenance.ts';
import type { ChargeInput, ChargeResult } from '#temporal/charges.ts';
import type { OperationInput, OperationProgress } from '#temporal/operations.ts';
import type { RefundInput, RefundResult } from '#temporal/refunds.ts';
import type { WebhookEndpointInput } from '#temporal/webhook-endpoints.ts';
import { refund as soundRefund } from '#workflows/refunds.ts';
import { webhookEndpoint as soundWebhookEndpoint } from '#workflows/webhook-endpoints.ts';

/** The workflows with a step that their recorded runs did not take: what replaying must not let through. */

export async function charge(input: ChargeInput): Promise<ChargeResult> {
  await sleep('1 second');
  return soundCharge(input);
}

export async function refund(input: RefundInput): Promise<RefundResult> {
  await sleep('1 second');
  return soundRefund(input);
}

/** Of every kind. */
// oxlint-disable-next-line import/no-default-export -- Temporal's name of it
export default async function brokenOperation(input: OperationInput): Promise<OperationProgress> {
  await sleep('1 second');
  return operation(input);
}

export async function webhookEndpoint(input: WebhookEndpointInput): Promise<void> {
  await sleep('1 second');
  return soundWebhookEndpoint(input);
}

const broken =
  <Result>(sound: () => Promise<Result>) =>
  async (): Promise<Result> => {
    await sleep('1 second');
    return sound();
  };

export const sweep = broken(maintenance.sweep);
export const retention = broken(maintenance.retention);
export const reconcile = broken(maintenance.reconcile);
