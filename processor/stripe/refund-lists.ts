import type { SentCharge } from '../port.ts';
import type { StripeClient, Within } from './client.ts';
import { findInPages } from './lists.ts';
import * as objects from './objects.ts';

/** What our refund of a whole charge is called in Stripe's metadata: a void of what was taken. */
export function voidKey({ key }: Pick<SentCharge, 'key'>): string {
  return `${key}:void`;
}

/**
 * Finds our refunds of an intent under `key`, newest first. Others are none of ours: those of the Dashboard, and the one
 * that Stripe makes by itself of what a partial capture leaves.
 */
export function findRefunds(
  stripe: StripeClient,
  intentId: string,
  key: string,
  within: Within,
): Promise<objects.Refund[]> {
  const list = { path: '/v1/refunds', query: { payment_intent: intentId }, item: objects.refund };
  return findInPages(stripe, list, ({ metadata }) => metadata?.['refund'] === key, within);
}

/** Whether a refund gives the money back, now or later. */
export function givesBack({ status }: objects.Refund): boolean {
  return status !== 'failed' && status !== 'canceled';
}

export function isVoided(refunds: readonly objects.Refund[]): boolean {
  return refunds.some(givesBack);
}
