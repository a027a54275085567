import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Part } from '#local/stack.ts';
import { startChargingApi } from '../../support/stack/charging-api.ts';
import { hastyWindow } from '../../support/durations.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import {
  createMerchant,
  type ChargeBody,
  type HttpAnswer,
  type Merchant,
} from '../../support/resources/merchant.ts';
import { assertChargedOnce } from '../../support/resources/outcomes.ts';
import type { Proxy } from '../../support/stack/outside/proxy.ts';
import { untilAnswered } from '../../support/stack/persistent.ts';
import { sendNotification, storedNotifications } from '../../support/resources/processor-news.ts';
import { loseTemporalStore, restore, startTemporalProxy } from '../../support/stack/stages.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';
import { toStatusAndCode } from '../../support/status-and-code.ts';

/** What still works while a part is away, what does not, and how it comes back. */

let env: Environment;
let merchant: Merchant;
let key: string;
/** Its way to Temporal, which can fail. */
let link: Proxy;
/** An API over this link whose callers wait for a short time. */
let hasty: { part: Part; url: string };

const isReplay = ({ headers }: HttpAnswer) => headers.get('idempotent-replayed') === 'true';
const claims = () => env.db('idempotency_keys').where({ account_id: merchant.accountId, key });
const unavailable = [503, 'service_unavailable'];

/** The answer, which must come within `ms`. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const start = Date.now();
  const value = await answer;
  assert.ok(Date.now() - start < ms, `answered after ${Date.now() - start} ms`);
  return value;
}

describe('Without', () => {
  before(async () => {
    env = await environment();
    link = await startTemporalProxy(env);
    hasty = await startChargingApi(env, 'eager', { ...hastyWindow, TEMPORAL_ADDRESS: link.address });
  });
  beforeEach(async () => {
    merchant = await createMerchant();
    key = randomUUID();
  });
  afterEach(() => restore(env));
  after(async () => {
    await hasty.part.stop();
    await link.close();
  });

  describe('Temporal', () => {
    it('reads and replays answer; new writes are clean 503s', async () => {
      const first = await merchant.charge({}, { key });
      const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
      const other = await createMerchant();
      const [chargeKey, captureKey] = [randomUUID(), randomUUID()];
      const charge = () => other.charge({}, { key: chargeKey });
      const capture = () =>
        merchant.send<ChargeBody>('POST', `/v1/charges/${id}:capture`, {}, { key: captureKey });
      await env.stack.part('temporal').kill();

      const replay = await within(5_000, merchant.charge({}, { key }));
      assert.deepEqual([replay.status, isReplay(replay), replay.text], [201, true, first.text]);
      const read = await within(5_000, merchant.get(`/v1/charges/${first.body.id}`));
      assert.deepEqual([read.status, read.body], [200, first.body]);
      assert.equal((await within(5_000, merchant.get('/v1/charges'))).status, 200);

      const refused = await within(5_000, charge());
      assert.deepEqual(toStatusAndCode(refused), unavailable);
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
      assert.deepEqual(toStatusAndCode(await within(5_000, capture())), unavailable);
      assert.deepEqual(await env.db('idempotency_keys').whereIn('key', [chargeKey, captureKey]), []);

      await env.stack.part('temporal').start();
      await assertChargedOnce(env, other, await charge());
      assert.equal((await capture()).status, 200);
    });

    it('that answers, a charge waits only its window', async () => {
      link.holdRequests();
      try {
        const answer = await within(8_000, merchant.charge({}, { key, url: hasty.url }));
        assert.deepEqual(toStatusAndCode(answer), unavailable);
        assert.deepEqual(await claims(), []);
      } finally {
        link.open();
      }
      await assertChargedOnce(env, merchant, await merchant.charge({}, { key }));
    });

    it('and then with an empty one, everything goes on', async () => {
      const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
      await loseTemporalStore(env);
      assert.equal((await merchant.charge({})).status, 201);
      const captured = await merchant.send<ChargeBody>('POST', `/v1/charges/${id}:capture`, {}, { key });
      assert.deepEqual([captured.status, captured.body.status], [200, 'succeeded'], captured.text);
      await assertInvariants(env, { accountIds: [merchant.accountId] });
    });

    it('the processor’s notification is kept, and settles its charge', async () => {
      const { id } = (await merchant.charge({ payment_method: 'tok_async_silent' })).body;
      await env.stageFault({ route: 'lookups', key: id, mode: 'unavailable', when: 'before', times: 10_000 });
      const [{ workflow_id }] = await env.db('charges').where({ id });
      /** So many signals are in the history, and the last question began and ended after the last of them. */
      const isAskedFor = async (signals: number) => {
        const { events } = await env.temporal.workflow.getHandle(workflow_id).fetchHistory();
        const all = events ?? [];
        const signalled = all.flatMap((event, at) =>
          event.workflowExecutionSignaledEventAttributes ? [at] : [],
        );
        const began = all.findLastIndex((event) => event.activityTaskScheduledEventAttributes);
        const ended = all.findLastIndex((event) => event.activityTaskCompletedEventAttributes);
        return signalled.length === signals && (signalled.at(-1) ?? Infinity) < began && began < ended;
      };
      // Each answer that says nothing doubles the wait: from 1 s to more than two minutes.
      for (let n = 1; n <= 8; n += 1) {
        assert.equal((await sendNotification(env, id)).status, 204);
        await eventually('it is asked for', () => isAskedFor(n));
      }
      await env.clearFaults();

      await env.stack.part('temporal').kill();
      assert.equal((await within(8_000, sendNotification(env, id, `last of ${id}`))).status, 204);
      await env.stack.part('temporal').start();
      assert.equal((await merchant.get(`/v1/charges/${id}`)).body.status, 'pending');
      await eventually('the sweep has it asked for', async () => {
        await runMaintenance(env, 'sweep');
        return (await merchant.get(`/v1/charges/${id}`)).body.status === 'succeeded';
      });
      const stored = await storedNotifications(env, id);
      assert.ok(stored.every(({ delivered_at }) => delivered_at));
    });

    it('during a restart, a charge is only slower', async () => {
      await env.stack.part('temporal').kill();
      const since = Date.now();
      const sent = merchant.charge({}, { key });
      await eventually('the key is claimed', async () => (await claims()).length === 1);
      await env.stack.part('temporal').start();
      const tookMs = Date.now() - since;
      const answer = await sent;
      // A restart that takes this long is an outage, of which the caller hears.
      if (tookMs > 1_000 && answer.status === 503) {
        assert.deepEqual(toStatusAndCode(answer), unavailable);
        return assertChargedOnce(env, merchant, await merchant.charge({}, { key }));
      }
      await assertChargedOnce(env, merchant, answer);
    });
  });

  describe('a worker', () => {
    it('reads and replays answer as ever', async () => {
      const first = await merchant.charge({}, { key });
      await env.stack.part('worker').kill();
      assert.equal((await within(5_000, merchant.charge({}, { key }))).text, first.text);
      assert.equal((await within(5_000, merchant.get(`/v1/charges/${first.body.id}`))).status, 200);
    });
  });

  describe('Postgres', () => {
    it('every request is a 503 until it is back', async () => {
      const { id } = (await merchant.charge()).body;
      await env.stack.part('postgres').kill();
      for (const answer of [
        await within(8_000, merchant.get(`/v1/charges/${id}`)),
        await within(8_000, merchant.get('/v1/charges')),
        await within(8_000, merchant.charge({}, { key })),
      ]) {
        assert.deepEqual(toStatusAndCode(answer), unavailable);
        assert.equal(answer.headers.get('retry-after'), '1');
      }
      await env.stack.part('postgres').start();
      assert.equal((await merchant.get(`/v1/charges/${id}`)).status, 200);
      assert.equal((await merchant.charge({}, { key })).status, 201);
    });

    it('with a full disk, charges are clean 503s', async () => {
      // As Postgres says it, for this merchant only.
      await env.db.raw(`create function fill_disk() returns trigger language plpgsql as $$
        begin raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`);
      await env.db.raw(`create trigger fill_disk before insert on idempotency_keys for each row
        when (new.account_id = '${merchant.accountId}') execute function fill_disk()`);
      try {
        assert.deepEqual(toStatusAndCode(await merchant.charge({}, { key })), unavailable);
      } finally {
        await env.db.raw('drop function fill_disk cascade');
      }
      await assertChargedOnce(env, merchant, await merchant.charge({}, { key }));
    });

    it('during a charge, the retry gets the true answer', async () => {
      const sent = merchant.charge({ payment_method: 'tok_slow' }, { key });
      const { resource_id: id } = await eventually('it has begun', async () => {
        const [claim] = await claims().whereNotNull('begun_at');
        return claim;
      });
      await eventually('the money is taken', async () => (await env.books(id)).length === 1);
      await env.stack.part('postgres').kill();
      await env.stack.part('postgres').start();
      const first = await sent;
      const answer = await untilAnswered('the retry', () =>
        merchant.charge({ payment_method: 'tok_slow' }, { key }),
      );
      if (first.status < 500) assert.equal(first.text, answer.text);
      await assertChargedOnce(env, merchant, answer);
    });

    it('at the window’s end, the outcome stays unknown', async () => {
      const sent = merchant.charge({ payment_method: 'tok_slow' }, { key, url: hasty.url });
      await eventually('it has begun', async () => (await claims().whereNotNull('begun_at')).length === 1);
      await env.stack.part('postgres').kill();
      assert.deepEqual(toStatusAndCode(await within(15_000, sent)), [503, 'outcome_unknown']);
      await env.stack.part('postgres').start();
      const retry = () => merchant.charge({ payment_method: 'tok_slow' }, { key });
      await assertChargedOnce(env, merchant, await untilAnswered('the retry', retry));
    });
  });

  describe('the processor', () => {
    it('a charge is a 503, and goes on afterwards', async () => {
      await env.stack.part('processor').kill();
      const answer = await within(8_000, merchant.charge({}, { key, url: hasty.url }));
      assert.deepEqual(toStatusAndCode(answer), [503, 'processor_unavailable']);
      const [pending] = await env.db('charges').where('account_id', merchant.accountId);
      assert.equal(pending.status, 'pending');
      await env.stack.part('processor').start();
      const retry = await merchant.charge({}, { key });
      assert.equal(retry.body.id, pending.id);
      await assertChargedOnce(env, merchant, retry);
    });

    it('a capture gets 503, then takes the money later', async () => {
      const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
      const capture = (url?: string) =>
        merchant.send<ChargeBody>('POST', `/v1/charges/${id}:capture`, {}, { key, ...(url && { url }) });
      await env.stack.part('processor').kill();
      assert.deepEqual(toStatusAndCode(await capture(hasty.url)), [503, 'processor_unavailable']);
      await env.stack.part('processor').start();
      assert.equal((await capture()).status, 200);
      assert.deepEqual(
        (await env.books(id)).map(({ kind }) => kind),
        ['authorization', 'capture'],
      );
    });
  });

  describe('an API', () => {
    it('another one serves the same keys and tokens', async () => {
      const first = await merchant.charge({}, { key });
      await env.stack.part('api').kill();
      const replay = await merchant.charge({}, { key, url: hasty.url });
      assert.deepEqual([isReplay(replay), replay.text], [true, first.text]);
      assert.equal((await merchant.charge({}, { url: hasty.url })).status, 201);
    });
  });
});
