import { describeViolation } from '../support/invariants/violations.ts';
import { findViolations } from '../support/invariants/invariants.ts';
import { readFacts } from '../support/invariants/facts.ts';
import type { Environment } from '../support/stack/environment.ts';
import { findClaim } from '#db/writes/idempotency-keys.ts';
import type { World, Rig } from './world.ts';

/** Returns what is wrong with a world that has come to rest: the invariants, and what callers were told. */
export async function findFaults(world: World, { database, clock }: Rig): Promise<string[]> {
  const { ledger } = world;
  const { accountId, runs, callers } = world.merchant;
  const temporal = { workflow: { getHandle: () => { throw new Error('A row is open') } } }; // prettier-ignore
  const env = { db: database.pool, allBooks: () => Promise.resolve(ledger.books), temporal };
  const facts = await readFacts(env as unknown as Environment, [accountId]);
  const found = findViolations({ ...facts, now: new Date(clock.nowMs) }).map(describeViolation);
  for (const { label, end } of runs) if (end?.startsWith('failed')) found.push(`${label} ${end}`);
  for (const { request, told, claimId } of callers) {
    if (told === null) found.push(`${request.name} was never answered`);
    const claim = claimId ? await findClaim(database.db, claimId) : null;
    const { answer } = claim ?? {};
    const now = answer ? `${answer.status} ${answer.body.toString('base64')}` : 'nothing happened';
    if (told !== null && told !== now) found.push(`${request.name} was told ${told}, and now reads ${now}`);
  }
  return found.map((fault) => world.trace.name(fault));
}
