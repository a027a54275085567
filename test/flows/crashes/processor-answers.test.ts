import assert from 'node:assert/strict';
import { readLines, row, runBatch } from '../../support/resources/charge-batches.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { scrape } from '../../support/metrics.ts';
import { restore } from '../../support/stack/stages.ts';

/** What the processor must not say, and what Postgres does not store: a fault each, seen and bounded. */

let env: Environment;
let merchant: Merchant;

async function prepare(this: Mocha.Context) {
  env = await environment();
}

async function end() {
  await restore(env);
  await assertInvariants(env, { accountIds: [merchant.accountId] });
}

const reads = (id: string, status: string) =>
  eventually(`${id} reads ${status}`, async () => {
    const { body } = await merchant.get(`/v1/charges/${id}`);
    return body.status === status && body;
  });

async function onlyCharge(): Promise<string> {
  const [charge] = await env.db('charges').where('account_id', merchant.accountId).select('id');
  return charge.id;
}

const scrapeBoth = () => scrape(env.stack.metricsUrls.api, env.stack.metricsUrls.worker);

const findFaults = async (call: string) =>
  (await scrapeBoth()).sum('payments_processor_call_seconds_count', {
    call,
    outcome: 'processor_invalid_response',
  });

describe('An answer of the processor with an amount that cannot be', () => {
  before(prepare);
  beforeEach(async () => {
    merchant = await createMerchant();
  });
  afterEach(end);

  for (const amount of [0, -1, 10.5, 1001]) {
    it(`of ${amount} is a fault of authorizing with capture`, async () => {
      const before = await findFaults('authorize');
      const fault = { mode: 'wrong_amount', when: 'after', amount_captured: amount } as const;
      await env.stageFault({ ...fault, route: 'charges', times: 1 });
      await env.stageFault({ ...fault, route: 'lookups', times: 1 });
      await merchant.charge();
      const charge = await reads(await onlyCharge(), 'succeeded');
      assert.equal(charge.amount_captured, 1000);
      assert.equal(await findFaults('authorize'), before + 1);
    });

    it(`of ${amount} is a fault of a capture`, async () => {
      const before = await findFaults('capture');
      const { body } = await merchant.charge({ capture_method: 'manual' });
      const fault = { mode: 'wrong_amount', when: 'after', amount_captured: amount } as const;
      await env.stageFault({ ...fault, route: 'captures', times: 1 });
      await merchant.send('POST', `/v1/charges/${body.id}:capture`, {});
      const charge = await reads(body.id, 'succeeded');
      assert.equal(charge.amount_captured, 1000);
      assert.equal(await findFaults('capture'), before + 1);
    });
  }

  it('ends in a void when no other answer comes', async () => {
    merchant = await createMerchant({ unknown_timeout_ms: 1_000 });
    const fault = { mode: 'wrong_amount', when: 'after', amount_captured: 0, times: 10_000 } as const;
    await env.stageFault({ ...fault, route: 'charges' });
    await env.stageFault({ ...fault, route: 'lookups' });
    const before = await findFaults('findCharge');
    await merchant.charge();
    const charge = await reads(await onlyCharge(), 'failed');
    assert.equal(charge.failure?.code, 'processor_timeout');
    assert.ok((await findFaults('findCharge')) > before);
    assert.deepEqual(
      (await env.books(charge.id)).map(({ kind, amount }) => [kind, amount]),
      [
        ['capture', 1000],
        ['void', 1000],
      ],
    );
  });
});

describe('An outcome that Postgres refuses to store', () => {
  const constraint = 'refused_by_a_test';

  before(prepare);
  before(async () => {
    await env.db.raw(
      `alter table charges add constraint ${constraint} check (description <> 'refused' or status <> 'succeeded')`,
    );
  });
  after(() => env.db.raw(`alter table charges drop constraint ${constraint}`));
  beforeEach(async () => {
    merchant = await createMerchant({ unknown_timeout_ms: 1_000 });
  });
  afterEach(end);

  const refusals = async () => (await scrapeBoth()).sum('payments_statements_refused_total', { constraint });

  it('is counted as a fault, and voids the charge', async () => {
    const before = await refusals();
    await merchant.charge({ description: 'refused' });
    const charge = await reads(await onlyCharge(), 'failed');
    assert.equal(charge.failure?.code, 'processor_timeout');
    assert.ok((await refusals()) > before);
    assert.deepEqual(
      (await env.books(charge.id)).map(({ kind }) => kind),
      ['capture', 'void'],
    );
  });

  it('of one row does not delay the other rows', async () => {
    const done = await runBatch(merchant, [row(), row({ description: 'refused' }), row()]);
    const lines = await readLines(merchant, done);
    assert.deepEqual(
      lines.map(({ status, error }) => [status, error?.code]),
      [
        [201, undefined],
        [502, 'processor_invalid_response'],
        [201, undefined],
      ],
    );
    await reads(lines[1]!.charge!.id, 'failed');
  });
});
