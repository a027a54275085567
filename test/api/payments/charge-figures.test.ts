import assert from 'node:assert/strict';
import { newId } from '#db/new-id.ts';
import { readFigureLag, rollUpCharges } from '#db/payments/charge-figures.ts';
import type { ChargeResource } from '#domain/charges.ts';
import type { EventResource } from '#domain/events.ts';
import { firstIdAt, formatId } from '#domain/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';

interface Figures {
  step: string;
  from: string;
  to: string;
  up_to_sequence: number;
  data: {
    at: string;
    currency: string;
    authorized: { count: number; amount: number };
    succeeded: { count: number; amount: number };
    failed: { count: number; declined: number; by: Record<string, number> };
    cancelled: { count: number; amount: number };
  }[];
}

let env: Environment;

async function read(merchant: Merchant, query = ''): Promise<Figures> {
  const { status, body, text } = await merchant.get<Figures>(`/v1/figures/charges${query}`);
  assert.equal(status, 200, text);
  return body;
}

const sum = (figures: Figures, pick: (figure: Figures['data'][number]) => number) =>
  figures.data.reduce((total, figure) => total + pick(figure), 0);

/** Events of charges that succeeded at these times, without charges. The first one has this sequence. */
async function insertEvents(
  db: Environment['db'],
  accountId: string,
  first: number,
  times: readonly number[],
) {
  const rows = times.map((at, n) => ({
    id: formatId('event', firstIdAt('event', at).slice(4, 14) + newId('event').slice(14)),
    account_id: accountId,
    sequence: first + n,
    type: 'charge.succeeded',
    resource_id: newId('charge'),
    object: { currency: 'EUR', amount: 500, amount_captured: 250 },
    created_at: new Date(),
  }));
  const sequence = first + times.length - 1;
  await db('account_sequences').where({ account_id: accountId }).update({ sequence });
  await db('events').insert(rows);
}

describe('GET /v1/figures/charges', () => {
  before(async function () {
    this.timeout(120_000);
    env = await environment();
  });

  it('counts what the events of the account tell', async () => {
    const merchant = await createMerchant();
    const held = await merchant.charge({ capture_method: 'manual' });
    await Promise.all([
      merchant.charge(),
      merchant.charge({ amount: 2500, currency: 'JPY' }),
      merchant.charge({ payment_method: 'tok_insufficient_funds' }),
      merchant.charge({ payment_method: 'tok_lost_card' }),
      merchant.charge({ payment_method: 'tok_lost_card' }),
      merchant.send('POST', `/v1/charges/${held.body.id}:cancel`),
    ]);
    const events = await eventually('all events', async () => {
      const { body } = await merchant.get<{ data: EventResource[] }>('/v1/events?limit=100');
      return body.data.length === 7 && body.data;
    });
    await rollUpCharges(env.db);
    for (const step of ['1m', '1h', '1d']) {
      const figures = await read(merchant, `?step=${step}`);
      assert.equal(figures.up_to_sequence, 7);
      const told = (currency: string, type: string) =>
        events.filter(
          (event) =>
            event.type === type && (event.data.object as unknown as ChargeResource).currency === currency,
        );
      for (const currency of ['EUR', 'JPY']) {
        const own = { ...figures, data: figures.data.filter((figure) => figure.currency === currency) };
        assert.equal(
          sum(own, ({ succeeded }) => succeeded.count),
          told(currency, 'charge.succeeded').length,
        );
        assert.equal(
          sum(own, ({ authorized }) => authorized.count),
          told(currency, 'charge.authorized').length,
        );
        assert.equal(
          sum(own, ({ cancelled }) => cancelled.count),
          told(currency, 'charge.cancelled').length,
        );
        assert.equal(
          sum(own, ({ failed }) => failed.declined),
          told(currency, 'charge.failed').length,
        );
      }
      assert.equal(
        sum(figures, ({ failed }) => failed.by['lost_card'] ?? 0),
        2,
      );
      assert.equal(
        sum(figures, ({ succeeded }) => succeeded.amount),
        3500,
      );
      assert.equal(
        sum(figures, ({ cancelled }) => cancelled.amount),
        1000,
      );
      const stepMs = { '1m': 60_000, '1h': 3_600_000, '1d': 86_400_000 }[step] ?? 1;
      assert.ok(figures.data.every(({ at }) => Date.parse(at) % stepMs === 0));
    }
  });

  it('counts each event once, after crashes and at once', async () => {
    const merchant = await createMerchant();
    const first = Date.now() - 5 * 60_000;
    const times = Array.from({ length: 620 }, (_, n) => first + n);
    await insertEvents(env.db, merchant.accountId, 1, times);
    const crashed = env.db.transaction(async (transaction) => {
      assert.ok((await rollUpCharges(transaction)) >= 620);
      throw new Error('the process ends before the commit');
    });
    await assert.rejects(crashed, /before the commit/);
    await Promise.all([rollUpCharges(env.db), rollUpCharges(env.db), rollUpCharges(env.db)]);
    const figures = await eventually('all are counted', async () => {
      await rollUpCharges(env.db);
      const seen = await read(merchant, '?step=1m');
      return seen.up_to_sequence === 620 && seen;
    });
    assert.equal(
      sum(figures, ({ succeeded }) => succeeded.count),
      620,
    );
    assert.equal(
      sum(figures, ({ succeeded }) => succeeded.amount),
      620 * 250,
    );
  });

  it('counts a late commit in its own minute', async () => {
    const merchant = await createMerchant();
    const { accountId } = merchant;
    const late = Date.now() - 10 * 60_000;
    const transaction = await env.db.transaction();
    await insertEvents(transaction, accountId, 1, [late]);
    // Nobody else sees the event yet, so nobody has counted it.
    assert.ok((await readFigureLag(transaction)) >= 10 * 60_000 - 1_000);
    await rollUpCharges(env.db);
    assert.equal((await read(merchant)).up_to_sequence, 0);
    await transaction.commit();
    await insertEvents(env.db, accountId, 2, [Date.now()]);
    await rollUpCharges(env.db);
    const { data, up_to_sequence: last } = await read(merchant, '?step=1m');
    assert.equal(last, 2);
    assert.equal(data[0]?.at, new Date(Math.floor(late / 60_000) * 60_000).toISOString());
    assert.deepEqual(
      data.map(({ succeeded }) => succeeded),
      [
        { count: 1, amount: 250 },
        { count: 1, amount: 250 },
      ],
    );
  });

  it('keeps minutes for 48 h, and hours for 400 days', async () => {
    const merchant = await createMerchant();
    const hour = Math.floor((Date.now() - 50 * 3_600_000) / 3_600_000) * 3_600_000;
    const times = [1, 2, 3].map((minute) => hour + minute * 60_000);
    await insertEvents(env.db, merchant.accountId, 1, times);
    await rollUpCharges(env.db);
    const range = `?step=1h&from=${new Date(hour).toISOString()}`;
    const earlier = await read(merchant, range);
    assert.deepEqual(earlier.data[0]?.succeeded, { count: 3, amount: 750 });
    const old = { account_id: merchant.accountId, step: 'hour', at: new Date(Date.now() - 401 * 86_400_000) };
    await env
      .db('charge_figures')
      .insert({ ...old, currency: 'EUR', outcome: 'succeeded', count: 1, amount: 1 });
    await runMaintenance(env, 'retention');
    assert.deepEqual((await read(merchant, range)).data, earlier.data);
    const steps = await env.db('charge_figures').where({ account_id: merchant.accountId }).pluck('step');
    assert.deepEqual(steps, ['hour']);
  });

  it('refuses ranges it has no figures for', async () => {
    const merchant = await createMerchant();
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    for (const query of [
      `?step=1m&from=${ago(49)}&to=${ago(48)}`,
      `?step=1m&from=${ago(25)}`,
      `?from=${ago(1)}&to=${ago(2)}`,
      '?step=2h',
    ]) {
      const { status, body } = await merchant.get(`/v1/figures/charges${query}`);
      assert.deepEqual([status, body.code], [400, 'invalid_parameter'], query);
    }
  });

  it('shows an account its own figures alone', async () => {
    const [merchant, stranger] = [await createMerchant(), await createMerchant()];
    await merchant.charge();
    await rollUpCharges(env.db);
    assert.equal((await read(merchant)).data.length, 1);
    assert.deepEqual([(await read(stranger)).data, (await read(stranger)).up_to_sequence], [[], 0]);
  });
});
