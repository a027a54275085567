import assert from 'node:assert/strict';
import { beginReconciliation, endReconciliation } from '#db/operator/reconciliations.ts';
import { storeFigures } from '#db/operator/figures.ts';
import { newId } from '#db/new-id.ts';
import { addAnswer, addCall, noFigures } from '#domain/figures/service.ts';
import { firstIdAt } from '#domain/ids.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { openCharge, openOperation, openRefund } from '../../support/resources/maintenance-rows.ts';
import { signInOperator, type Operator } from '../../support/resources/access/operators.ts';
import { readPlan } from '../../support/plans.ts';
import { createDatabase } from '#db/knex.ts';

interface Page {
  data: Record<string, unknown>[];
  has_more: boolean;
  next_cursor: string | null;
}

const minuteMs = 60_000;
const ago = (ms: number) => new Date(Date.now() - ms);

/** In a database of its own, where nobody repairs what is planted. */
describe('What operators read of all accounts', () => {
  let api: TestApi;
  let operator: Operator;
  let accountId: string;
  before(async () => {
    api = await startApi();
    operator = await signInOperator(api);
    ({ accountId } = api.client);
  });
  after(() => api.stop());
  afterEach(() => api.db('charges').delete());

  const list = async (path: string): Promise<Record<string, unknown>[]> => {
    const { status, body, text } = await operator.get<Page>(path);
    assert.equal(status, 200, text);
    return body.data;
  };

  it('shows an unknown charge with what happens next', async () => {
    const at = ago(minuteMs);
    const columns = { created_at: at, sent_at: at, sends: 1, processor_fault: 'processor_timeout' };
    const id = await openCharge(api.db, accountId, columns);
    const read = await operator.get(`/operator/unknown-outcomes/${id}`);
    assert.deepEqual(read.body, {
      id,
      object: 'unknown_outcome',
      kind: 'charge',
      account: { id: accountId, name: 'Test' },
      amount: 500,
      currency: 'EUR',
      status: 'pending',
      fault: 'processor_timeout',
      next: { does: 'ask', until: new Date(at.getTime() + 10 * minuteMs).toISOString(), ends_in: 'void' },
      needs_person: false,
      workflow: id,
      created: at.toISOString(),
    });
    assert.deepEqual(await list(`/operator/unknown-outcomes?account=${accountId}&kind=charge`), [read.body]);
    assert.deepEqual(await list('/operator/unknown-outcomes?older_than=90&kind=charge'), []);
  });

  it('lists unknown charges and refunds together, oldest first', async () => {
    const old = { created_at: ago(41 * minuteMs) };
    await openRefund(api.db, accountId, {
      ...old,
      id: firstIdAt('refund', Date.now() - 41 * minuteMs),
    });
    await openCharge(api.db, accountId, { created_at: ago(minuteMs) });
    const first = await operator.get<Page>('/operator/unknown-outcomes?limit=1');
    const second = await operator.get<Page>(
      `/operator/unknown-outcomes?limit=1&starting_after=${first.body.next_cursor}`,
    );
    const shown = [...first.body.data, ...second.body.data].map((row) => [row['kind'], row['needs_person']]);
    assert.deepEqual(shown, [
      ['refund', true],
      ['charge', false],
    ]);
    assert.equal(second.body.has_more, false);
    const { body } = await operator.get<{ needs_person: { undecided: { count: number } } }>(
      '/operator/overview',
    );
    assert.equal(body.needs_person.undecided.count, 1);
  });

  it('leaves out a charge whose call is under way', async () => {
    await openCharge(api.db, accountId, { created_at: new Date() });
    assert.deepEqual(await list('/operator/unknown-outcomes'), []);
  });

  it('names what is odd about an operation', async () => {
    const still = {
      updated_at: ago(3 * minuteMs),
      started_at: ago(4 * minuteMs),
      created_at: ago(5 * minuteMs),
    };
    const stuck = await openOperation(api.db, accountId, still);
    const fine = await openOperation(api.db, accountId, { updated_at: new Date(), started_at: new Date() });
    const rows = await list('/operator/operations');
    assert.deepEqual(
      new Map(rows.map(({ id, concern, type }) => [id, [concern, type]])),
      new Map([
        [stuck, ['stuck', 'export']],
        [fine, [null, 'export']],
      ]),
    );
    const { body } = await operator.get<{ needs_person: { stuck_operations: { count: number } } }>(
      '/operator/overview',
    );
    assert.equal(body.needs_person.stuck_operations.count, 1);
    await api.db('operations').delete();
  });

  describe('of webhooks', () => {
    let endpointId: string;
    before(async () => {
      endpointId = newId('webhookEndpoint');
      await api.db('webhook_endpoints').insert({
        id: endpointId,
        account_id: accountId,
        url: 'https://shop.example/hooks',
        events: ['*'],
        api_version: '2026-11-01',
        created_at: new Date(),
        updated_at: new Date(),
        failing_since: ago(minuteMs),
        parked_until: new Date(Date.now() + minuteMs),
        last_failure: JSON.stringify({
          at: ago(0).toISOString(),
          status_code: 500,
          message: 'It answered 500.',
        }),
      });
    });

    const addDelivery = async (status: 'dead_letter' | 'pending'): Promise<string> => {
      const id = newId('webhookDelivery');
      await api.db('webhook_deliveries').insert({
        id,
        account_id: accountId,
        endpoint_id: endpointId,
        event_id: newId('event'),
        sequence: 1,
        type: 'charge.succeeded',
        status,
        attempts: status === 'pending' ? 0 : 12,
        next_attempt_at: status === 'pending' ? new Date() : null,
      });
      return id;
    };

    it('shows an endpoint that fails, without its address', async () => {
      await addDelivery('pending');
      const { body, text } = await operator.get<Page>('/operator/webhook-endpoints');
      const [shown] = body.data;
      assert.deepEqual([shown?.['id'], shown?.['status_code'], shown?.['waiting']], [endpointId, 500, 1]);
      assert.ok(!text.includes('shop.example'));
    });

    it('lists dead letters, newest first, also of one account', async () => {
      const first = await addDelivery('dead_letter');
      const second = await addDelivery('dead_letter');
      for (const path of [
        '/operator/webhook-deliveries',
        `/operator/webhook-deliveries?account=${accountId}`,
      ]) {
        const ids = (await list(path)).map(({ id }) => id);
        // Ids of one millisecond are in no order of time.
        assert.deepEqual(ids, [first, second].toSorted().toReversed());
      }
      const { body } = await operator.get<{ dead_letters: object }>('/operator/overview');
      assert.deepEqual(body.dead_letters, { count: 2, accounts: 1 });
    });
  });

  it('shows the differences of a reconciliation with their account', async () => {
    const charge = await openCharge(api.db, accountId, { created_at: new Date() });
    const unknown = newId('charge');
    const id = newId('reconciliation');
    await beginReconciliation(api.db, { id, runId: 'a run of the tests', repair: true });
    const counts = {
      chargesCompared: 3,
      refundsCompared: 1,
      movementsCompared: 4,
      unread: [],
      unexamined: 5,
    };
    const findings = [
      { code: 'captured_twice' as const, of: charge, detail: 'the ledger shows 2 captures', repaired: false },
      { code: 'charge_behind' as const, of: unknown, detail: 'reads pending', repaired: true },
    ];
    await endReconciliation(api.db, id, { ...counts, findings });
    const run = await operator.get(`/operator/reconciliations/${id}`);
    assert.deepEqual(
      [
        run.body['status'],
        run.body['differences'],
        run.body['repaired'],
        run.body['complete'],
        run.body['unexamined'],
      ],
      ['succeeded', 2, 1, false, 5],
    );
    const open = await list(`/operator/reconciliations/${id}/differences?repaired=false`);
    assert.deepEqual(open, [
      {
        object: 'reconciliation_difference',
        number: 1,
        code: 'captured_twice',
        resource: charge,
        detail: 'the ledger shows 2 captures',
        repaired: false,
        account: { id: accountId, name: 'Test' },
        amount: 500,
        currency: 'EUR',
        workflow: charge,
      },
    ]);
    const { body } = await operator.get<{ needs_person: { differences: number } }>('/operator/overview');
    assert.equal(body.needs_person.differences, 1);
  });

  it('adds the figures of processes up, minute by minute', async () => {
    const minute = new Date(Math.floor(Date.now() / minuteMs) * minuteMs);
    for (const [process, ms, ageSeconds] of [
      ['a', 90, 1],
      ['b', 450, 3],
    ] as const) {
      const figures = { ...noFigures(), queues: { charges: { tasks: 2, ageSeconds } } };
      addCall(figures, 'charge', ms, process === 'b');
      addAnswer(figures, 200, false);
      addAnswer(figures, 503, process === 'b');
      await storeFigures(api.db, { minute, process, figures });
    }
    const { body } = await operator.get<{ data: object[] }>('/operator/figures');
    const queues = [{ name: 'charges', tasks: 2, age_seconds: 3 }];
    const answers = { count: 4, failed: 1, shed: 1 };
    assert.deepEqual(body.data, [
      {
        at: minute.toISOString(),
        queues,
        calls: [{ name: 'charge', count: 2, faults: 1, p50_ms: 100, p95_ms: 500 }],
        answers,
      },
    ]);
    assert.deepEqual(await list('/operator/queues'), queues);
    const overview = await operator.get('/operator/overview');
    assert.deepEqual(overview.body['answers'], answers);
    const { status } = await operator.get(
      '/operator/figures?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
    );
    assert.equal(status, 400);
  });

  it('lists accounts by their status, and one by its id', async () => {
    const rows = await list('/operator/accounts?status=active');
    assert.ok(rows.some(({ id }) => id === accountId));
    assert.deepEqual(await list('/operator/accounts?status=disabled'), []);
    const { body } = await operator.get(`/operator/accounts/${accountId}`);
    assert.deepEqual([body['name'], body['status']], ['Test', 'active']);
  });

  it('finds whose a resource is without Temporal', async () => {
    const id = await openCharge(api.db, accountId, { created_at: new Date() });
    const { body } = await operator.get(`/operator/resources/${id}`);
    assert.deepEqual(
      [body['account'], body['workflow'], body['run']],
      [{ id: accountId, name: 'Test' }, id, null],
    );
    const { status } = await operator.get(`/operator/resources/${newId('refund')}`);
    assert.equal(status, 404);
  });

  it('is read along an index of what is open', async () => {
    const db = createDatabase(api.config.databaseUrl, 1);
    const { listUnknownOutcomes } = await import('#db/operator/unknown-outcomes.ts');
    const { listDeadLetters, listFailingEndpoints } = await import('#db/operator/webhooks.ts');
    const { listOpenOperations } = await import('#db/operator/operations.ts');
    const page = { limit: 10, after: null };
    await listUnknownOutcomes(db, { olderThanMs: 0 }, page);
    await listDeadLetters(db, undefined, page);
    await listFailingEndpoints(db, undefined, page);
    await listOpenOperations(db, { before: '~' }, page);
    for (const [statement, index] of [
      ['list-unknown-charges', 'charges_unknown'],
      ['list-unknown-refunds', 'refunds_unknown'],
      ['list-dead-letters-all', '_dead'],
      ['list-failing-endpoints', 'webhook_endpoints_failing'],
      ['list-open-operations', 'operations_open_order'],
    ] as const)
      assert.match(
        await readPlan(db, statement),
        new RegExp(`Index (?:Only )?Scan.* using \\w*${index}`),
        statement,
      );
    await db.destroy();
  });
});
