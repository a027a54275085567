import assert from 'node:assert/strict';
import type { RowResource } from '#domain/operations/charge-batches.ts';
import type { ChargeResource } from '#domain/charges.ts';
import { workflowId } from '#temporal/client/ids.ts';
import { environment } from '../stack/environment.ts';
import { download, untilDone, type OperationBody } from './exports.ts';
import type { HttpAnswer, Merchant, SendOptions } from './merchant.ts';

/** A line of a result, as the current version reads. */
export interface Line extends RowResource {
  charge: ChargeResource | null;
}

/** A row that succeeds, unless `body` says otherwise. */
export function row(body: Record<string, unknown> = {}): Record<string, unknown> {
  return { amount: 1000, currency: 'EUR', payment_method: 'tok_visa', ...body };
}

/** So many rows, each of another amount. */
export function rows(count: number, body: Record<string, unknown> = {}): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, i) => row({ amount: 100 + i, ...body }));
}

export function submitBatch(
  merchant: Merchant,
  charges: unknown,
  options?: SendOptions,
): Promise<HttpAnswer<OperationBody>> {
  return merchant.send('POST', '/v1/charge-batches', { charges }, options);
}

/** Submits a batch and waits for its end. */
export async function runBatch(
  merchant: Merchant,
  charges: unknown[],
  options?: SendOptions,
): Promise<OperationBody> {
  const { status, body, text } = await submitBatch(merchant, charges, options);
  assert.equal(status, 202, text);
  return untilDone(merchant, body.id);
}

/** The lines of a batch that has ended, whether it succeeded or was cancelled. */
export async function readLines(merchant: Merchant, done: OperationBody): Promise<Line[]> {
  const href = done.response?.href ?? (await signedLink(merchant, done));
  const answer = await download(merchant, href);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** What a cancelled one had done is linked by its error, without a signature. */
async function signedLink(merchant: Merchant, { error }: OperationBody): Promise<string> {
  const { stack } = await environment();
  const redirect = await download(merchant, stack.apiUrl + String(error?.result));
  assert.equal(redirect.status, 303);
  return stack.apiUrl + String(redirect.headers.get('location'));
}

export function batchWorkflowId(merchant: Merchant, key: string): string {
  return workflowId('charge_batch', merchant.accountId, key);
}
