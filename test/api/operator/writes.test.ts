import assert from 'node:assert/strict';
import type { Answer } from '#client/src/index.ts';
import { newId } from '#db/new-id.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { signInOperator, type Operator } from '../../support/resources/access/operators.ts';

const reason = 'Ticket 4711 of the tests';

/** Against the real stack: what an operator asks for is done by the workers. */
describe('What operators do', () => {
  let env: Environment;
  let operator: Operator;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    operator = await signInOperator({ url: env.stack.apiUrl, db: env.db });
    merchant = await createMerchant();
  });

  const entries = async (action: string) => {
    const { body } = await operator.get<{ data: Record<string, unknown>[] }>(
      `/operator/audit-entries?actor=${operator.memberId}`,
    );
    return body.data.filter((entry) => entry['action'] === action);
  };

  describe('about a charge that the processor does not answer', () => {
    let id: string;
    let asked: Answer<Record<string, unknown>>;
    before(async () => {
      const { body } = await merchant.charge(
        { payment_method: 'tok_silent' },
        { headers: { prefer: 'respond-async' } },
      );
      ({ id } = body);
    });

    it('begins at its cause: the step that fails', async () => {
      const path = `/operator/unknown-outcomes?account=${merchant.accountId}`;
      const shown = await eventually('it is shown as unknown', async () => {
        const { body } = await operator.get<{ data: Record<string, unknown>[] }>(path);
        return body.data.find((row) => row['id'] === id && row['fault'] !== null);
      });
      assert.equal(shown['fault'], 'processor_timeout');
      const run = await eventually('its workflow retries', async () => {
        const { body } = await operator.get<{
          run: { pending: { type: string; last_failure: string | null }[] } | null;
        }>(`/operator/resources/${id}`);
        return body.run?.pending.find(({ last_failure: failure }) => failure !== null);
      });
      assert.equal(run.type, 'resolveCharge');
    });

    it('has its workflow told, as by a notification', async () => {
      asked = await operator.post(`/operator/unknown-outcomes/${id}:ask`, { reason });
      assert.deepEqual([asked.status, asked.body], [200, { id, object: 'question', asked: true }]);
      const { body } = await operator.get<{ workflow: string }>(`/operator/resources/${id}`);
      await eventually('the signal is in its history', async () => {
        const { events } = await env.temporal.workflow.getHandle(body.workflow).fetchHistory();
        return (events ?? []).some(
          ({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName === 'wake',
        );
      });
    });

    it('is in the audit, with who and why', async () => {
      const [entry] = await entries('operator.unknown-outcomes.ask');
      assert.deepEqual([entry?.['resource'], entry?.['status'], entry?.['reason']], [id, 200, reason]);
    });
  });

  it('asks nothing about an outcome that is known', async () => {
    const { body: charge } = await merchant.charge();
    const { body } = await operator.post(`/operator/unknown-outcomes/${charge.id}:ask`, { reason });
    assert.equal(body['asked'], false);
    const { status } = await operator.post(`/operator/unknown-outcomes/${newId('charge')}:ask`, { reason });
    assert.equal(status, 404);
  });

  it('needs a reason, and does nothing without one', async () => {
    const path = `/operator/accounts/${merchant.accountId}:disable`;
    const { status, body } = await operator.post(path, { reason: ' ' });
    assert.deepEqual([status, body['code']], [422, 'validation_failed']);
    assert.equal((await operator.get(`/operator/accounts/${merchant.accountId}`)).body['status'], 'active');
  });

  it('disables an account, and enables it again', async () => {
    const path = `/operator/accounts/${merchant.accountId}`;
    assert.equal((await operator.post(`${path}:disable`, { reason })).body['status'], 'disabled');
    await eventually(
      'its requests are refused',
      async () => (await merchant.get('/v1/charges')).status === 403,
    );
    assert.equal((await operator.post(`${path}:enable`, { reason })).body['status'], 'active');
    await eventually(
      'its requests are taken',
      async () => (await merchant.get('/v1/charges')).status === 200,
    );
    const [entry] = await entries('operator.accounts.disable');
    assert.deepEqual([entry?.['account'], entry?.['reason']], [merchant.accountId, reason]);
  });

  it('shows the queues as the workers see them', async () => {
    const queues = await eventually('a worker has written its figures', async () => {
      const { body } = await operator.get<{ data: { name: string }[] }>('/operator/queues');
      return body.data.length > 0 && body.data.map(({ name }) => name);
    });
    assert.deepEqual(queues, ['charges', 'operations', 'deliveries']);
  });

  it('sweeps now', async () => {
    const { status, body } = await operator.post<{ workflow: string }>('/operator/sweeps', { reason });
    assert.equal(status, 200);
    const result = (await env.temporal.workflow.getHandle(body.workflow).result()) as Record<string, number>;
    assert.equal(typeof result['chargesRestarted'], 'number');
    const overview = await eventually('the check is shown', async () => {
      const answer = await operator.get<{ checks: { sweep: { complete: boolean } | null } }>(
        '/operator/overview',
      );
      return answer.body.checks.sweep;
    });
    assert.equal(overview.complete, true);
  });

  async function readDifferences(run: string): Promise<Record<string, unknown>[]> {
    const found: Record<string, unknown>[] = [];
    for (let after: string | null = ''; after !== null;) {
      const query: string = after && `&starting_after=${encodeURIComponent(after)}`;
      const { body } = await operator.get<{ data: Record<string, unknown>[]; next_cursor: string | null }>(
        `${run}/differences?limit=100${query}`,
      );
      found.push(...body.data);
      after = body.next_cursor;
    }
    return found;
  }

  it('reconciles once for a key, and keeps what differs', async () => {
    const { body: charge } = await merchant.charge({ amount: 700 });
    const key = charge.id;
    const setCaptured = (amount: number) =>
      env.db('charges').where({ id: key }).update({ amount_captured: amount });
    await setCaptured(699);
    const body = { reason, repair: false };
    const first = await operator.post<{ id: string }>('/operator/reconciliations', body, key);
    const again = await operator.post<{ id: string }>('/operator/reconciliations', body, key);
    assert.deepEqual([first.status, again.status, again.body.id], [202, 202, first.body.id]);
    const path = first.headers.get('location') ?? '';
    await eventually('it has ended', async () => (await operator.get(path)).body['status'] === 'succeeded');
    // Tests before it may have left more than a page of them.
    const differences = await readDifferences(path);
    const found = differences.find(({ resource }) => resource === key);
    await setCaptured(700);
    assert.deepEqual([found?.['code'], found?.['repaired']], ['captured_amount_differs', false]);
  });
});
