import assert from 'node:assert/strict';
import { settleRows } from '#db/operations/charge-batch-effects.ts';
import { buildChargeUpdate } from '#db/payments/charges.ts';
import { findCharge } from '#db/payments/charges.ts';
import { findClaimedRefund, saveRefund } from '#db/payments/refunds.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { commitEffect } from '#db/writes/effects.ts';
import { createTestDatabase } from '../support/stack/app.ts';
import { eventually } from '../support/eventually.ts';
import { openCharge, openOperation, openRefund } from '../support/resources/maintenance-rows.ts';

/**
 * The order in which effects lock rows. Two statements at once must wait for each other in one direction only, whatever
 * plan Postgres chose for each. The database is the test's own, so nobody else locks anything.
 */
describe('Effects that lock the same rows', () => {
  let url: string;
  let db: Database;
  let drop: () => Promise<void>;
  let account: string;
  before(async () => {
    const database = await createTestDatabase();
    ({ url } = database);
    drop = () => database.drop();
    db = createDatabase(url, 10);
  });
  after(async () => {
    await db.destroy();
    await drop();
  });
  beforeEach(async () => {
    account = newId('account');
    await db('accounts').insert({ id: account, name: 'Test' });
  });

  const event = (resourceId: string) => ({
    id: newId('event'),
    type: 'charge.updated' as const,
    resourceId,
    object: {},
  });

  /** Locks rows for as long as `work` takes. */
  async function whileHeld(
    table: string,
    row: Record<string, unknown>,
    work: () => Promise<void>,
  ): Promise<void> {
    const holder = await db.transaction();
    try {
      assert.equal((await holder(table).where(row).forUpdate()).length, 1);
      await work();
    } finally {
      await holder.commit();
    }
  }

  const untilBlocked = (count: number) =>
    eventually(`${count} statements wait for a lock`, async () => {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
      );
      return rows.length === count;
    });

  /** Fails the refund of a charge: its amount is released. */
  async function failRefund(refundId: string, on = db): Promise<boolean> {
    const held = await findClaimedRefund(db, refundId);
    assert.ok(held);
    const failed = {
      ...held.refund,
      status: 'failed' as const,
      failure: { code: 'declined' as const, message: 'x' },
    };
    return saveRefund(on, held.refund, failed, { event: event(refundId) });
  }

  async function describeCharge(chargeId: string, on = db): Promise<boolean> {
    const read = await findCharge(db, account, chargeId);
    assert.ok(read);
    const details = { description: 'other', metadata: {}, reference: null };
    return commitEffect(on, buildChargeUpdate(read, details, new Date()), { event: event(chargeId) });
  }

  /** Settles a row of a batch of its own. */
  async function settleRow(on = db): Promise<boolean> {
    const operationId = await openOperation(db, account, { type: 'charge_batch' });
    const id = await openCharge(db, account, { charge_batch_id: operationId });
    const read = await findCharge(db, account, id);
    assert.ok(read);
    const moved = { ...read, status: 'succeeded' as const, amountCaptured: 500, capturedAt: new Date() };
    const row = { row: 0, read, moved, effect: { event: event(id) }, status: 201, error: null };
    return (await settleRows(on, operationId, [row])).has(0);
  }

  it('let a refund fail while its charge is updated', async () => {
    const refund = await openRefund(db, account);
    const held = await findClaimedRefund(db, refund);
    assert.ok(held);
    let both: Promise<boolean>[] = [];
    await whileHeld('account_sequences', { account_id: account }, async () => {
      both = [failRefund(refund)];
      await untilBlocked(1);
      both.push(describeCharge(held.charge.id));
      await untilBlocked(2);
    });
    // The update finds that the charge has changed since it was read.
    assert.deepEqual(await Promise.all(both), [true, false]);
  });

  /** Opens a connection that plans as no other does. */
  async function openOtherwise(): Promise<Database> {
    const other = createDatabase(url, 1);
    await other.raw('set enable_nestloop = off; set enable_mergejoin = off; set enable_indexscan = off');
    await other.raw('set enable_bitmapscan = off');
    return other;
  }

  const wakers: [what: string, tell: (on: Database) => Promise<boolean>][] = [
    ['by one row', async (on) => describeCharge(await openCharge(db, account), on)],
    ['by rows of a batch', settleRow],
  ];
  for (const [what, tell] of wakers)
    it(`wake endpoints ${what} in order under any plan`, async () => {
      const ids = [1, 2, 3].map(() => newId('webhookEndpoint')).toSorted();
      const row = { account_id: account, url: 'https://shop.example/', events: ['*'] };
      const times = { api_version: '2026-11-01', created_at: new Date(), updated_at: new Date() };
      // The table has them in the opposite order.
      for (const id of ids.toReversed()) await db('webhook_endpoints').insert({ id, ...row, ...times });
      const other = await openOtherwise();
      try {
        let both: Promise<boolean>[] = [];
        await whileHeld('webhook_endpoints', { id: ids[1] }, async () => {
          both = [tell(db)];
          await untilBlocked(1);
          both.push(tell(other));
          await untilBlocked(2);
        });
        assert.deepEqual(await Promise.all(both), [true, true]);
      } finally {
        await other.destroy();
      }
    });
});
