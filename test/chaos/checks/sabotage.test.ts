import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { whenFree } from '#db/lock-waits.ts';
import { outliveRetention } from '../../support/resources/claims.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { findChaosViolations } from './checker.ts';
import type { Evidence } from './evidence.ts';
import { startTrial, type Trial } from './trial.ts';

describe('The checker of a chaos run finds by its number what is wrong with the service:', () => {
  let env: Environment;
  let trial: Trial;
  before(async () => {
    env = await environment();
  });
  beforeEach(async () => {
    trial = await startTrial(env);
  });
  afterEach(() => trial.close());

  const listBrokenInvariants = (evidence: Evidence) =>
    new Set(findChaosViolations(evidence).map(({ invariant }) => invariant));

  /** A trigger that breaks the service for one account, until the test is over. */
  async function sabotage(
    table: string,
    accountId: string,
    statement: string,
    during: () => Promise<unknown>,
  ) {
    const name = `sabotage_${randomUUID().replaceAll('-', '')}`;
    await env.db.raw(`create function ${name}() returns trigger language plpgsql as $$
      begin ${statement} end $$`);
    await alterTable(`create trigger ${name} before insert on ${table} for each row
      when (new.account_id = '${accountId}') execute function ${name}()`);
    try {
      await during();
    } finally {
      await alterTable(`drop trigger ${name} on ${table}`);
      await env.db.raw(`drop function ${name}`);
    }
  }

  /** Waits only briefly for a table in use, and again: the worker's statements take locks of partitions in another order. */
  function alterTable(sql: string): Promise<void> {
    return whenFree(30_000, () =>
      env.db.transaction(async (trx) => {
        await trx.raw(`set local lock_timeout = '250ms'`);
        await trx.raw(sql);
      }),
    );
  }

  it('a key that is no longer unique: invariant 1', async () => {
    const { merchants, pay, evidence } = trial;
    const key = randomUUID();
    const { accountId } = merchants[0];
    const differ = `new.key := new.key || '#' || new.claim_id; return new;`;
    await sabotage('idempotency_keys', accountId, differ, async () => {
      await pay(merchants[0], key);
      await pay(merchants[0], key);
    });
    const found = findChaosViolations(await evidence());
    assert.ok(found.some(({ invariant, what }) => invariant === 1 && what.startsWith('holds money under')));
    assert.ok(found.some(({ invariant, of }) => invariant === 1 && of.endsWith(key)));
  });

  it('a settle that forgets the event: invariant 3', async () => {
    const { merchants, pay, evidence } = trial;
    await sabotage('events', merchants[0].accountId, 'return null;', () => pay(merchants[0]));
    assert.deepEqual([...listBrokenInvariants(await evidence())], [3]);
  });

  it('a delivery deleted too early: invariants 3 and 5', async () => {
    const { merchants, pay, evidence } = trial;
    await sabotage('webhook_deliveries', merchants[0].accountId, 'return null;', () => pay(merchants[0]));
    assert.deepEqual([...listBrokenInvariants(await evidence())], [3, 5]);
  });

  it('an answer that was deleted: invariant 3', async () => {
    const { merchants, pay, evidence } = trial;
    const { key } = await pay(merchants[0]);
    await outliveRetention(env, merchants[0], key!);
    assert.deepEqual([...listBrokenInvariants(await evidence())], [3]);
  });
});
