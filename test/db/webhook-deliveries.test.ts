import assert from 'node:assert/strict';
import { createDatabase, type Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import {
  cancelDeliveries,
  findWebhookDelivery,
  listWebhookDeliveries,
  searchWebhookDeliveries,
} from '#db/webhooks/webhook-deliveries.ts';
import { findWebhookEndpoint } from '#db/webhooks/webhook-endpoints.ts';
import { idTime } from '#domain/ids.ts';
import { deliveryStatuses, type DeliveryStatus } from '#domain/webhook-deliveries.ts';
import { createTestDatabase } from '../support/stack/app.ts';
import { eventually } from '../support/eventually.ts';

/** In a database of its own, where nobody delivers anything. */
describe('The deliveries of an endpoint', () => {
  let db: Database;
  let drop: () => Promise<void>;
  let account: string;
  let endpointId: string;
  before(async () => {
    const database = await createTestDatabase();
    drop = () => database.drop();
    db = createDatabase(database.url, 5);
  });
  after(async () => {
    await db.destroy();
    await drop();
  });
  beforeEach(async () => {
    account = newId('account');
    await db('accounts').insert({ id: account, name: 'Test' });
    endpointId = newId('webhookEndpoint');
    await db('webhook_endpoints').insert({
      id: endpointId,
      account_id: account,
      url: 'https://shop.example/',
      events: ['*'],
      api_version: '2026-11-01',
      created_at: new Date(),
      updated_at: new Date(),
    });
  });

  /** `each` of every status, in turn; oldest first. */
  async function insertDeliveries(each: number): Promise<{ id: string; status: DeliveryStatus }[]> {
    const rows = Array.from({ length: each * 5 }, (_, i) => {
      const status = deliveryStatuses[i % 5] ?? 'pending';
      const isOpen = status === 'pending' || status === 'retrying';
      return {
        id: newId('webhookDelivery'),
        status,
        sequence: i,
        next_attempt_at: isOpen ? new Date() : null,
      };
    });
    const common = {
      account_id: account,
      endpoint_id: endpointId,
      event_id: newId('event'),
      type: 'charge.failed',
    };
    await db('webhook_deliveries').insert(rows.map((row) => ({ ...row, ...common })));
    return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  async function list(status?: DeliveryStatus, page = { limit: 100, after: null as string | null }) {
    const endpoint = await findWebhookEndpoint(db, account, endpointId);
    assert.ok(endpoint);
    return listWebhookDeliveries(db, [endpoint], status ? { statuses: [status] } : {}, page);
  }

  const toIds = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const newestFirst = (rows: { id: string }[]) => toIds(rows).toReversed();
  const isOpen = ({ status }: { status: string }) => status === 'pending' || status === 'retrying';

  it('are listed newest first across all statuses', async () => {
    const rows = await insertDeliveries(6);
    assert.deepEqual(toIds(await list()), newestFirst(rows));
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await list(undefined, { limit: 7, after });
      seen.push(...toIds(page));
      after = page.at(-1)?.id ?? null;
      if (page.length < 7) break;
    }
    assert.deepEqual(seen, newestFirst(rows));
  });

  for (const status of deliveryStatuses) {
    it(`are listed newest first by status ${status}`, async () => {
      const rows = await insertDeliveries(3);
      assert.deepEqual(toIds(await list(status)), newestFirst(rows.filter((row) => row.status === status)));
    });
  }

  it('of a rare type are looked for piece by piece', async () => {
    const rows = await insertDeliveries(20);
    const rare = rows[3]?.id ?? '';
    await db('webhook_deliveries').where({ id: rare }).update({ type: 'refund.failed' });
    const endpoint = await findWebhookEndpoint(db, account, endpointId);
    assert.ok(endpoint);
    const found: string[] = [];
    let pages = 0;
    for (let after: string | null = null; ;) {
      const page = { limit: 10, after };
      const search = await searchWebhookDeliveries(db, [endpoint], { types: ['refund.failed'] }, page, 5);
      found.push(...toIds(search.rows));
      pages += 1;
      if (search.scannedTo === null) break;
      after = search.scannedTo;
    }
    assert.deepEqual(found, [rare]);
    assert.ok(pages >= 4, `${pages} pages of 5 rows of each status`);
  });

  it('read as cancelled once the endpoint is disabled', async () => {
    const rows = await insertDeliveries(3);
    await db('webhook_endpoints')
      .where({ id: endpointId })
      .update({ status: 'disabled', disabled_reason: 'failing' });
    const cancelled = rows.filter((row) => row.status === 'cancelled' || isOpen(row));
    assert.deepEqual(toIds(await list('cancelled')), newestFirst(cancelled));
    assert.deepEqual([await list('pending'), await list('retrying')], [[], []]);
    assert.equal((await list()).filter(isOpen).length, 0);
    const one = await findWebhookDelivery(db, account, rows.find(isOpen)?.id ?? '');
    assert.deepEqual([one?.status, one?.nextAttemptAt], ['cancelled', null]);
  });

  it('that a disabled endpoint left open stay cancelled', async () => {
    const rows = await insertDeliveries(2);
    const bound = newId('webhookDelivery');
    await db('webhook_endpoints').where({ id: endpointId }).update({ cancelled_before: bound });
    const old = new Set(toIds(rows).filter((id) => id < bound));
    // Within one millisecond, ids are in no order, and the clock of a machine is set back by some now and then.
    await eventually('some milliseconds are over', () => Date.now() > idTime(bound) + 20);
    const later = await insertDeliveries(1);
    const all = [...rows, ...later];
    const expected = all.filter((row) => row.status === 'cancelled' || (isOpen(row) && old.has(row.id)));
    assert.deepEqual(new Set(toIds(await list('cancelled'))), new Set(toIds(expected)));
    const open = [...(await list('pending')), ...(await list('retrying'))];
    assert.deepEqual(
      new Set(toIds(open)),
      new Set(toIds(all.filter((row) => isOpen(row) && !old.has(row.id)))),
    );
  });

  it('are cancelled in batches until none is left', async () => {
    await insertDeliveries(10);
    await db('webhook_endpoints')
      .where({ id: endpointId })
      .update({ status: 'disabled', disabled_reason: 'requested', cancelled_before: '~' });
    const open = async () =>
      Number(
        (
          await db('webhook_deliveries')
            .where({ endpoint_id: endpointId })
            .whereNotNull('next_attempt_at')
            .count()
        )[0]?.['count'],
      );
    const left: number[] = [];
    for (let isDone = false; !isDone; left.push(await open()))
      isDone = await cancelDeliveries(db, endpointId, 4);
    assert.equal(left.at(-1), 0);
    assert.ok(left.length > 2, `in ${left.length} batches: ${left.join(', ')}`);
    assert.equal((await findWebhookEndpoint(db, account, endpointId))?.cancelledBefore, null);
  });

  it('are not cancelled while the endpoint takes them', async () => {
    const rows = await insertDeliveries(2);
    assert.equal(await cancelDeliveries(db, endpointId, 100), true);
    assert.equal((await list('pending')).length, rows.filter(({ status }) => status === 'pending').length);
  });
});
