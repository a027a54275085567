import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../support/stack/environment.ts';

/** What is still to come, of each kind. */
export type Unrest = Record<string, number>;

/**
 * Waits until everything that was begun has come to its end, but for authorizations that may wait for days.
 *
 * @returns what has not after `withinMs`; empty: all has.
 */
export async function untilAtRest(
  env: Environment,
  accountIds: string[],
  withinMs: number,
  log: (line: string) => void,
): Promise<Unrest> {
  const deadline = Date.now() + withinMs;
  for (let told = 0; ;) {
    const unrest = await findUnrest(env, accountIds);
    if (Object.keys(unrest).length === 0 || Date.now() > deadline) return unrest;
    if (Date.now() - told > 5_000) {
      log(`waiting for ${describe(unrest)}`);
      told = Date.now();
    }
    await sleep(500);
  }
}

export function describe(unrest: Unrest): string {
  return Object.entries(unrest)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}

async function findUnrest({ db }: Environment, accountIds: string[]): Promise<Unrest> {
  const { rows } = await db.raw<{ rows: { kind: string; count: number }[] }>(
    `select * from (
       select 'charges pending' as kind, count(*)::int from charges
         where status in ('pending', 'requires_action') and account_id = any(:accountIds)
       union all
       select 'authorizations to expire', count(*)::int from charges c join accounts a on a.id = c.account_id
         where c.status = 'requires_capture' and a.authorization_ttl_ms < 600000 and a.id = any(:accountIds)
       union all
       select 'refunds open', count(*)::int from refunds
         where status in ('pending', 'processed') and account_id = any(:accountIds)
       union all
       select 'operations open', count(*)::int from operations
         where status in ('queued', 'running', 'cancelling') and account_id = any(:accountIds)
       union all
       select 'claims that can begin no more', count(*)::int from idempotency_keys
         where begun_at is null and account_id = any(:accountIds)
       union all
       select 'deliveries open', count(*)::int from webhook_deliveries
         where status in ('pending', 'retrying') and account_id = any(:accountIds)
       union all
       select 'notifications not delivered', count(*)::int from processor_notifications n
         where n.delivered_at is null and (
           exists (select from charges c where c.id = n.key and c.account_id = any(:accountIds))
           or exists (select from refunds r where r.id = n.key and r.account_id = any(:accountIds)))
     ) as open where count > 0`,
    { accountIds },
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}
