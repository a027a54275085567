import type { Account } from '#db/access/accounts.ts';
import { countOpenOperations } from '#db/operations/operation-queue.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';

/** Seconds until it is worth asking again: operations end by minutes and not by seconds. */
const retryAfter = '10';

/**
 * Lets an account submit one more operation while it has few enough that are not done. Asked before the key is claimed, so
 * that a refusal leaves nothing behind. What is submitted in the same moment is not counted yet, so that the bound is
 * passed by as many requests as are under way at once, at most.
 *
 * @throws {ProblemError} `too_many_open_operations`
 */
export async function requireRoom(
  { db, config }: Pick<ApiDeps, 'db' | 'config'>,
  account: Pick<Account, 'id' | 'maxOpenOperations'>,
): Promise<void> {
  const most = account.maxOpenOperations ?? config.maxOpenOperations;
  if ((await countOpenOperations(db, account.id, most)) < most) return;
  throw new ProblemError('too_many_open_operations', {
    detail: `At most ${most} operations of an account may be open. Wait until some are done, or cancel them.`,
    headers: { 'Retry-After': retryAfter },
  });
}
