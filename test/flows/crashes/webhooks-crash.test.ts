import assert from 'node:assert/strict';
import type { PartName } from '#local/stack.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { accept, refuse, startReceiver, type Receiver } from '../../support/stack/outside/receiver.ts';
import { restore } from '../../support/stack/stages.ts';
import { deliveriesTo, subscribe, type Subscription } from '../../support/resources/subscriptions.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';

const merchantCount = 4;
const eventsEach = 100;
const inFlightEach = 2;

describe('Deliveries, whatever is killed meanwhile', () => {
  let env: Environment;
  let receiver: Receiver;
  before(async () => {
    env = await environment();
    receiver = await startReceiver();
  });
  after(() => receiver.close());
  afterEach(() => restore(env));

  it(`of ${merchantCount * eventsEach} events are delivered or dead-lettered, never invented`, async () => {
    const merchants = await Promise.all(
      Array.from({ length: merchantCount }, () =>
        createMerchant({
          webhook_retry_schedule_ms: Array(8).fill(100),
          rate_limit_rps: 10_000,
          rate_limit_burst: 10_000,
        }),
      ),
    );
    const endpoints = new Map<Merchant, Subscription[]>();
    for (const merchant of merchants) {
      const made = await Promise.all([subscribe(merchant, receiver), subscribe(merchant, receiver)]);
      for (const { path } of made) receiver.answer(failAtRandom, path);
      endpoints.set(merchant, made);
    }
    const progress = { made: 0 };
    const making = Promise.all(merchants.map((merchant) => makeEvents(merchant, progress)));
    await killInTurns(['worker', 'api', 'temporal', 'worker'], progress);
    await making;
    await Promise.all(
      [...endpoints].flatMap(([merchant, theirs]) => theirs.map((one) => assertAllOver(merchant, one))),
    );
  });

  function failAtRandom(...[received, response]: Parameters<typeof accept>): void {
    if (Math.random() < 0.2) return refuse(Math.random() < 0.5 ? 500 : 503)(received, response);
    if (Math.random() < 0.05) return void response.destroy();
    accept(received, response);
  }

  /** Each one in turn, once some more events were made; the last ones perhaps while the rest is delivered. */
  async function killInTurns(parts: PartName[], progress: { made: number }): Promise<void> {
    const all = merchantCount * eventsEach;
    for (const name of parts) {
      const wanted = Math.min(all, progress.made + all / 10);
      await eventually('events go on', () => progress.made >= wanted);
      const part = env.stack.part(name);
      await part.kill();
      await part.start();
    }
  }

  /** Customers, since each is one request: sent again under its key until it is answered. */
  async function makeEvents(merchant: Merchant, progress: { made: number }): Promise<void> {
    const left = Array.from({ length: eventsEach }, (_, n) => n);
    const makeSome = async () => {
      for (let n = left.pop(); n !== undefined; n = left.pop()) {
        const [body, key] = [{ name: `No ${n}` }, `customer-${n}`];
        const isMade = async () =>
          (await merchant.send('POST', '/v1/customers', body, { key })).status === 201;
        await eventually('it is answered', isMade);
        progress.made += 1;
      }
    };
    await Promise.all(Array.from({ length: inFlightEach }, makeSome));
  }

  /** What was made and what arrived are the same, whatever is not a dead letter. */
  async function assertAllOver(merchant: Merchant, endpoint: Subscription): Promise<void> {
    const events = new Set(
      (await env.db('events').where({ account_id: merchant.accountId })).map(({ id }) => String(id)),
    );
    assert.equal(events.size, eventsEach);
    const rows = await eventually('all of its deliveries are over', async () => {
      const all = await deliveriesTo(env, endpoint);
      if (all.every((row) => row.next_attempt_at === null)) return all;
      // What a signal was lost for, the sweep finds half a minute later: as if that was over.
      await env.db('webhook_endpoints').where({ id: endpoint.id }).update({ last_turn_at: null });
      await runMaintenance(env, 'sweep');
      return false;
    });
    assert.deepEqual(new Set(rows.map((row) => row.event_id)), events);
    assert.equal(rows.length, eventsEach);
    const arrived = new Set(endpoint.received().map(({ id }) => id));
    for (const { event_id: id, status } of rows) {
      assert.ok(status === 'delivered' ? arrived.has(id) : status === 'dead_letter', `${id} is ${status}`);
    }
    for (const id of arrived) assert.ok(events.has(id), `${id} never happened`);
  }
});
