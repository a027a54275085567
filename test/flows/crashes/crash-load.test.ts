import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PartName } from '#local/stack.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import {
  createMerchant,
  type ChargeBody,
  type HttpAnswer,
  type Merchant,
} from '../../support/resources/merchant.ts';
import { createWebhookEndpoint } from '../../support/resources/webhook-endpoints.ts';
import { untilAnswered } from '../../support/stack/persistent.ts';
import { restore } from '../../support/stack/stages.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';

/** Clients who send again until they know, while one part after the other is killed and started again. */

let env: Environment;
let merchant: Merchant;

/** What a client does, to the end. Each step has a key of its own, the same at each try. */
const clients: Record<string, () => Promise<unknown>> = {
  async automatic() {
    const { status, body } = await charge({});
    assert.deepEqual([status, body.status], [201, 'succeeded']);
  },
  async manual() {
    const { body } = await charge({ capture_method: 'manual' });
    const key = randomUUID();
    const path = `/v1/charges/${body.id}:capture`;
    const captured = await untilAnswered('a capture', () =>
      merchant.send<ChargeBody>('POST', path, { amount: 400 }, { key }),
    );
    assert.deepEqual([captured.status, captured.body.amount_captured], [200, 400], captured.text);
  },
  async asynchronous() {
    const { status, body } = await charge({ payment_method: 'tok_async' });
    assert.ok(status === 202 || status === 201);
    await eventually(
      `${body.id} succeeds`,
      async () => (await merchant.get(`/v1/charges/${body.id}`)).body.status === 'succeeded',
    );
  },
  async declined() {
    const { status, body } = await charge({ payment_method: 'tok_declined' });
    assert.deepEqual([status, body.code], [402, 'card_declined']);
  },
};

async function charge(body: Record<string, unknown>): Promise<HttpAnswer<ChargeBody>> {
  const key = randomUUID();
  const answer = await untilAnswered('a charge', () => merchant.charge(body, { key }));
  const again = await untilAnswered('its replay', () => merchant.charge(body, { key }));
  assert.equal(again.text, answer.text);
  return answer;
}

describe('100 charges, and kill -9 in the middle of them', () => {
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
    // Invariant 3: each event has its deliveries, whatever was killed.
    await createWebhookEndpoint(merchant, { events: ['charge.*'] });
  });
  afterEach(() => restore(env));

  it('of each part: none is lost, none is doubled', async () => {
    let done = 0;
    const queue = Array.from({ length: 100 }, (_, index) => Object.values(clients)[index % 4]!);
    const work = async () => {
      for (let client = queue.pop(); client; client = queue.pop()) {
        await client();
        done += 1;
      }
    };
    const crash = async (name: PartName, after: number) => {
      await eventually(`${after} clients are done`, () => done >= after);
      await env.stack.part(name).kill();
      await env.stack.part(name).start();
    };
    const crashes = async () => {
      await crash('worker', 15);
      await crash('api', 40);
      await crash('temporal', 60);
      await crash('worker', 75);
    };
    await Promise.all([crashes(), ...Array.from({ length: 12 }, work)]);

    await runMaintenance(env, 'sweep');
    await assertInvariants(env, { accountIds: [merchant.accountId] });
    const rows = await env
      .db('charges')
      .select('status', 'capture_method', env.db.raw('count(*), sum(amount_captured)::bigint as captured'))
      .where('account_id', merchant.accountId)
      .groupBy('status', 'capture_method')
      .orderBy(['status', 'capture_method']);
    assert.deepEqual(
      rows.map((row) => [row.status, row.capture_method, row.count, row.captured]),
      [
        ['failed', 'automatic', 25, 0],
        ['succeeded', 'automatic', 50, 50_000],
        ['succeeded', 'manual', 25, 10_000],
      ],
    );
  });
});
