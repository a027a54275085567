import { ApplicationFailure } from '@temporalio/common';
import { isAccountActive } from '#db/access/accounts.ts';
import type { Database } from '#db/knex.ts';

/**
 * Requires an active account before a request is sent again that the processor has never seen: it moves money as the first
 * one would. A request that was seen is asked for in any case.
 *
 * @throws {ApplicationFailure} `account_disabled`, retryable: the request is sent once the account is enabled.
 */
export async function requireActive(db: Database, accountId: string): Promise<void> {
  if (await isAccountActive(db, accountId)) return;
  throw ApplicationFailure.retryable('The account is disabled: nothing is sent for it', 'account_disabled');
}
