import assert from 'node:assert/strict';
import { readFigureLag, rollUpCharges } from '#db/payments/charge-figures.ts';
import type { ChargeResource } from '#domain/charges.ts';
import type { EventResource } from '#domain/events.ts';
import { eventually } from '../../support/eventually.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { countCharges, seedEventsAt, seedTold } from '../../support/resources/seed-events.ts';
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

describe('GET /v1/figures/charges', () => {
  before(async () => {
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
    await countCharges(env, merchant.accountId);
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

  it('tells what became of each charge, and why', async () => {
    const merchant = await createMerchant();
    const minute = Math.floor(Date.now() / 60_000 - 3) * 60_000;
    const charge = { currency: 'EUR', amount: 500, amount_captured: 250, failure: null };
    const failed = (failure: object | null) => ({
      at: minute,
      type: 'charge.failed',
      object: { ...charge, failure },
    });
    await seedTold(env.db, merchant.accountId, 1, [
      { at: minute, type: 'charge.authorized', object: charge },
      { at: minute, type: 'charge.cancelled', object: charge },
      failed({ code: 'card_declined', decline_code: 'lost_card' }),
      failed({ code: 'card_declined', decline_code: null }),
      failed({ code: 'refused', decline_code: null }),
      failed(null),
      { at: minute, type: 'charge.requires_action', object: charge },
      { at: minute, type: 'refund.processed', object: charge },
      // A minute's last millisecond, the first one of the next, another currency, and sums beyond the doubles.
      { at: minute + 59_999, type: 'charge.succeeded', object: charge },
      { at: minute + 60_000, type: 'charge.succeeded', object: charge },
      { at: minute, type: 'charge.succeeded', object: { ...charge, currency: 'JPY' } },
      { at: minute, type: 'charge.authorized', object: { ...charge, currency: 'USD', amount: 2 ** 53 - 1 } },
      { at: minute, type: 'charge.authorized', object: { ...charge, currency: 'USD', amount: 2 } },
    ]);
    await countCharges(env, merchant.accountId);
    const { data, up_to_sequence: last } = await read(merchant, '?step=1m');
    assert.equal(last, 13);
    const none = { count: 0, amount: 0 };
    const quiet = { failed: { count: 0, declined: 0, by: {} }, cancelled: none, authorized: none };
    const at = new Date(minute).toISOString();
    const succeeded = { count: 1, amount: 250 };
    assert.deepEqual(data, [
      {
        at,
        currency: 'EUR',
        authorized: { count: 1, amount: 500 },
        succeeded,
        failed: {
          count: 4,
          declined: 2,
          by: { generic_decline: 1, lost_card: 1, refused: 1, unknown: 1 },
        },
        cancelled: { count: 1, amount: 500 },
      },
      { ...quiet, at, currency: 'JPY', succeeded },
      { ...quiet, at, currency: 'USD', succeeded: none, authorized: { count: 2, amount: 2 ** 53 - 1 } },
      { ...quiet, at: new Date(minute + 60_000).toISOString(), currency: 'EUR', succeeded },
    ]);
    const [sums] = await env
      .db('charge_figures')
      .where({ account_id: merchant.accountId, currency: 'USD' })
      .pluck<string[]>('amount');
    assert.equal(BigInt(sums ?? 0), 2n ** 53n + 1n);
  });

  it('counts each event once, after crashes and at once', async () => {
    const merchant = await createMerchant();
    const first = Date.now() - 5 * 60_000;
    const times = Array.from({ length: 620 }, (_, n) => first + n);
    await env.db('charge_figure_marks').insert({ account_id: merchant.accountId });
    const crashed = env.db.transaction(async (transaction) => {
      // It holds the mark before there are events. So no worker counts them first.
      await transaction('charge_figure_marks').where({ account_id: merchant.accountId }).forUpdate();
      await seedEventsAt(env.db, merchant.accountId, 1, times);
      assert.ok((await rollUpCharges(transaction)) >= 620);
      throw new Error('the process ends before the commit');
    });
    await assert.rejects(crashed, /before the commit/);
    await Promise.all([rollUpCharges(env.db), rollUpCharges(env.db), rollUpCharges(env.db)]);
    await countCharges(env, merchant.accountId);
    const figures = await read(merchant, '?step=1m');
    assert.equal(figures.up_to_sequence, 620);
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
    await seedEventsAt(transaction, accountId, 1, [late]);
    // Nobody else sees the event yet, so nobody has counted it.
    assert.ok((await readFigureLag(transaction)) >= 10 * 60_000 - 1_000);
    await rollUpCharges(env.db);
    assert.equal((await read(merchant)).up_to_sequence, 0);
    await transaction.commit();
    await seedEventsAt(env.db, accountId, 2, [Date.now()]);
    await countCharges(env, accountId);
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

  it('passes an event that tells no currency', async () => {
    const merchant = await createMerchant();
    const told = [{ at: Date.now(), type: 'charge.succeeded', object: {} }];
    await seedTold(env.db, merchant.accountId, 1, told);
    await countCharges(env, merchant.accountId);
    assert.equal((await read(merchant)).up_to_sequence, 1);
  });

  it('counts others while one account fails', async () => {
    const [failing, other] = [await createMerchant(), await createMerchant()];
    await env.db.raw(
      `alter table charge_figures add constraint refused_by_a_test
       check (account_id <> '${failing.accountId}') not valid`,
    );
    try {
      for (const { accountId } of [failing, other]) await seedEventsAt(env.db, accountId, 1, [Date.now()]);
      const error = await eventually('both were met', () =>
        rollUpCharges(env.db).then(
          () => null,
          (reason: unknown) => reason,
        ),
      );
      assert.ok(error instanceof AggregateError);
      assert.deepEqual(
        error.errors.map(({ message }: Error) => message),
        [`the charges of ${failing.accountId} cannot be counted`],
      );
      await eventually('the other is counted', async () => (await read(other)).up_to_sequence === 1);
      assert.equal((await read(failing)).up_to_sequence, 0);
    } finally {
      await env.db.raw('alter table charge_figures drop constraint refused_by_a_test');
    }
    await countCharges(env, failing.accountId);
    assert.equal((await read(failing)).up_to_sequence, 1);
  });

  it('keeps minutes for 48 h, and hours for 400 days', async () => {
    const merchant = await createMerchant();
    const hour = Math.floor((Date.now() - 50 * 3_600_000) / 3_600_000) * 3_600_000;
    const times = [1, 2, 3].map((minute) => hour + minute * 60_000);
    await seedEventsAt(env.db, merchant.accountId, 1, times);
    await countCharges(env, merchant.accountId);
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
    await countCharges(env, merchant.accountId);
    assert.equal((await read(merchant)).data.length, 1);
    assert.deepEqual([(await read(stranger)).data, (await read(stranger)).up_to_sequence], [[], 0]);
  });
});
