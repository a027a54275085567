import type { Charge, Refund } from '#client/src/index.ts';

/** Who or what a payment waits for, and what comes next, in words. */

/** Returns sentences; none for a charge that has ended. */
export function describeNext(charge: Charge): string[] {
  const { status, cancel_requested_at: cancelled } = charge;
  if (cancelled !== null && (status === 'pending' || status === 'requires_action'))
    return ['A cancel was asked for. The payment reads cancelled once nothing can be taken any more.'];
  if (status === 'pending') {
    return [
      'The outcome is not known yet. Nobody has to do anything: the processor is asked for it again and again, under the key of this payment.',
      'If the processor does not tell it in the time that the account allows (10 minutes, unless set otherwise), the payment is voided and reads failed. What was taken is given back.',
      'Do not take the payment a second time before the outcome is known.',
    ];
  }
  if (status === 'requires_action') {
    const until = charge.next_action?.expires_at;
    return [
      `The buyer has to confirm the payment at the bank${until === undefined ? '' : `, until ${until}`}. Without it, the payment fails.`,
    ];
  }
  if (status === 'requires_capture') {
    return [
      `The money is reserved. A capture takes it, a cancel gives it back. Without either it is given back${charge.expires_at === null ? '' : ` at ${charge.expires_at}`}.`,
    ];
  }
  return [];
}

/** Returns sentences; none for a refund that has ended. */
export function describeRefundNext({ status, reversible_until: until }: Refund): string[] {
  if (status === 'pending')
    return [
      'The outcome is not known yet. The processor is asked for it again and again, under the same key.',
    ];
  if (status === 'processed')
    return [`The processor has taken the refund. It can be undone until ${until}, and settles after that.`];
  return [];
}

/** Returns what of a charge can still go back, in minor units. */
export function findRefundable({
  status,
  amount_captured: captured,
  amount_refunded: refunded,
  amount_returned: returned,
}: Charge): number {
  return status === 'succeeded' ? Math.max(0, captured - refunded - returned) : 0;
}
