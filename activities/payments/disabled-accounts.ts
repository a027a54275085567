import { ApplicationFailure } from '@temporalio/common';
import { isAccountActive } from '#db/access/accounts.ts';
import type { Database } from '#db/knex.ts';

/**
 * Asked before something is sent again that the processor has never seen: it moves money as the first time would. What
 * was seen is asked for whatever becomes of the account.
 *
 * @throws {ApplicationFailure} `account_disabled`, retryable: it is sent once the account is enabled.
 */
export async function requireActive(db: Database, accountId: string): Promise<void> {
  if (await isAccountActive(db, accountId)) return;
  throw ApplicationFailure.retryable('The account is disabled: nothing is sent for it', 'account_disabled');
}
