import { findAccount } from '#db/access/accounts.ts';
import type { OpenPayment } from '#db/open-resources.ts';
import { isId } from '#domain/ids.ts';
import { chargeStart, refundStart, type ClaimStart } from '#temporal/client/starts.ts';
import type { ActivityDeps } from '../deps.ts';

type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

export type StartDeps = Pick<ActivityDeps, 'db' | 'client' | 'consoleUrl'>;

/**
 * Finds how the workflow of a charge or a refund is started again, with the row's own ids. Returns `null` if the
 * account is gone.
 */
export async function findPaymentStart(
  { db }: StartDeps,
  row: Optional<OpenPayment, 'processorId'>,
): Promise<ClaimStart | null> {
  const account = await findAccount(db, row.accountId);
  if (!account) return null;
  return isId('refund', row.id) ? refundStart(row, account) : chargeStart(row, account);
}
