import { randomUUID } from 'node:crypto';
import { dashboardPrefix } from './ledger.ts';
import { sendRefund } from './refunds.ts';
import type { Reply } from './replies.ts';
import type { Sandbox } from './sandbox.ts';

/** What somebody does at the processor itself, in its dashboard: nothing of it has a key that was sent to it. */

/** Handles POST /dashboard/refunds. */
export function refundInDashboard(
  sandbox: Sandbox,
  { charge_key, amount }: { charge_key: string; amount: number },
): Reply {
  const key = `${dashboardPrefix}${randomUUID()}`;
  const reply = sendRefund(sandbox, { key, charge_key, amount }, { isPending: false, isForgotten: false });
  const refund = sandbox.ledger.refunds.get(key);
  if (refund) sandbox.tellOfDashboard(refund);
  return reply;
}
