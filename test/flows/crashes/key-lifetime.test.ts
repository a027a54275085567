import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IdempotencyKeyResource } from '#domain/idempotency-keys.ts';
import { hastyWindow, narrowWindow } from '../../support/durations.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import { createMerchant, type HttpAnswer, type Merchant } from '../../support/resources/merchant.ts';
import { chargeRuns } from '../../support/resources/runs.ts';
import { holdNewCharges, linkToTemporal, pastStartBy, restore } from '../../support/stack/stages.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';
import { toStatusAndCode } from '../../support/status-and-code.ts';

const hourMs = 3_600_000;

/** From when and until when a key is taken, and what holds it. */

let env: Environment;
let merchant: Merchant;

const isReplay = ({ headers }: HttpAnswer) => headers.get('idempotent-replayed') === 'true';
const findClaims = (key: string) => env.db('idempotency_keys').where({ account_id: merchant.accountId, key });
const ago = (hours: number) => env.db.raw(`clock_timestamp() - interval '${hours} hours'`);

/** Has the request of a key come so long ago, and its answer, and the end of its charge where there was one. */
async function age(key: string, hours: number, { answered = hours, ended = hours } = {}): Promise<void> {
  await findClaims(key).update({ created_at: ago(hours), answered_at: ago(answered) });
  await env
    .db('charges')
    .whereIn('id', findClaims(key).select('resource_id'))
    .whereNotNull('captured_at')
    .update({ captured_at: ago(ended) });
}

describe('A key', () => {
  before(async () => {
    env = await environment();
  });
  beforeEach(async () => {
    merchant = await createMerchant();
  });
  afterEach(() => restore(env));

  describe('with an answer', () => {
    it('is still taken after 23 hours', async () => {
      const key = randomUUID();
      const first = await merchant.charge({}, { key });
      await age(key, 23);
      await runMaintenance(env, 'retention');
      const replay = await merchant.charge({}, { key });
      assert.deepEqual([isReplay(replay), replay.text], [true, first.text]);
    });

    it('is free after 25 hours, for a second charge', async () => {
      const key = randomUUID();
      const first = await merchant.charge({}, { key });
      await age(key, 25);
      const { keysDeleted } = await runMaintenance(env, 'retention');
      assert.ok(keysDeleted >= 1);

      const second = await merchant.charge({}, { key });
      assert.deepEqual([second.status, isReplay(second)], [201, false]);
      assert.notEqual(second.body.id, first.body.id);
      for (const { id } of [first.body, second.body]) assert.equal((await env.books(id)).length, 1);
      const runs = await eventually('both runs are closed', async () => {
        const seen = await chargeRuns(env, merchant, key);
        return seen.length === 2 && seen.every(({ state }) => state === 'COMPLETED') && seen;
      });
      assert.notEqual(runs[0]!.claimId, runs[1]!.claimId);
    });

    for (const [late, times] of [
      ['its answer', { answered: 1 }],
      ['the end of its charge', { ended: 1 }],
    ] as const) {
      it(`stays taken for a day after ${late}`, async () => {
        const key = randomUUID();
        const first = await merchant.charge({}, { key });
        await age(key, 49, times);
        await runMaintenance(env, 'retention');
        const replay = await merchant.charge({}, { key });
        assert.deepEqual([isReplay(replay), replay.text], [true, first.text]);
        const { body } = await merchant.get<IdempotencyKeyResource>(`/v1/idempotency-keys/${key}`);
        const until = Date.parse(String(body.uses[0]?.until));
        const [claim] = await findClaims(key);
        assert.ok(Math.abs(until - Date.now() - 23 * hourMs) < 60_000, String(body.uses[0]?.until));
        assert.ok(Math.abs(claim.kept_until.getTime() - until) < 1_000, 'retention looks at it again then');
        await age(key, 49);
        await findClaims(key).update({ kept_until: ago(1) });
        await runMaintenance(env, 'retention');
        assert.deepEqual(await findClaims(key), []);
      });
    }

    it('stays taken as long as its charge is open', async () => {
      const [key, captureKey] = [randomUUID(), randomUUID()];
      const first = await merchant.charge({ capture_method: 'manual' }, { key });
      await age(key, 1_000);
      await runMaintenance(env, 'retention');
      const replay = await merchant.charge({ capture_method: 'manual' }, { key });
      assert.deepEqual([isReplay(replay), replay.text], [true, first.text]);
      assert.equal((await chargeRuns(env, merchant, key))[0]?.state, 'RUNNING');

      const path = `/v1/charges/${first.body.id}:capture`;
      assert.equal((await merchant.send('POST', path, {}, { key: captureKey })).status, 200);
      await runMaintenance(env, 'retention');
      assert.equal(
        (await findClaims(key)).length,
        1,
        'a key that had to stay is looked at again an hour later',
      );
      await age(key, 1_000, { ended: 25 });
      await findClaims(key).update({ kept_until: new Date(Date.now() - 1_000) });
      await runMaintenance(env, 'retention');
      assert.equal((await findClaims(key)).length, 0);
      assert.equal((await findClaims(captureKey)).length, 1);
      assert.equal((await merchant.charge({ capture_method: 'manual' }, { key })).status, 201);
    });
  });

  describe('whose request was lost before anything began', () => {
    const cases = ['swept', 'retried', 'captured', 'refused'] as const;
    type Case = (typeof cases)[number];
    const left = {} as Record<Case, { merchant: Merchant; key: string; id: string | undefined }>;
    const capture = ({ merchant, key, id }: (typeof left)[Case], url = env.stack.apiUrl) =>
      merchant.send('POST', `/v1/charges/${id}:capture`, {}, { key, url });

    /** Leaves claims behind that no workflow was started for: their API is killed in between. */
    before(async () => {
      const link = await linkToTemporal(env);
      const api = await link.addApi(narrowWindow);
      for (const name of cases) {
        const own = await createMerchant();
        const isCapture = name === 'captured' || name === 'refused';
        const id = isCapture ? (await own.charge({ capture_method: 'manual' })).body.id : undefined;
        left[name] = { merchant: own, key: randomUUID(), id };
      }
      link.proxy.holdRequests();
      const sent = cases.map((name) => {
        const { merchant: own, key, id } = left[name];
        const answer = id ? capture(left[name], api.url) : own.charge({}, { key, url: api.url });
        return answer.catch(() => 'lost');
      });
      const keys = Object.values(left).map(({ key }) => key);
      await eventually(
        'the keys are claimed',
        async () => (await env.db('idempotency_keys').whereIn('key', keys)).length === keys.length,
      );
      await api.part.kill();
      assert.deepEqual(await Promise.all(sent), Array(cases.length).fill('lost'));
    });

    it('is not free while its first request may begin', async () => {
      const { merchant: own, key } = left.retried;
      const reused = [422, 'idempotency_key_reused'];
      assert.deepEqual(toStatusAndCode(await own.charge({ amount: 77 }, { key })), reused);
    });

    it('is free once its first request cannot begin', async () => {
      const { key } = left.retried;
      merchant = left.retried.merchant;
      await pastStartBy(env, merchant, key);
      const answer = await merchant.charge({ amount: 77 }, { key });
      assert.deepEqual([answer.status, isReplay(answer)], [201, false], answer.text);
      assert.deepEqual(
        (await env.db('charges').where('account_id', merchant.accountId)).map(({ amount }) => amount),
        [77],
      );
    });

    const after: [what: string, name: Case, status: number][] = [
      ['a capture', 'captured', 200],
      ['a capture that is refused at once', 'refused', 409],
    ];
    for (const [what, name, status] of after) {
      it(`is taken over by a retry of ${what}`, async () => {
        const { key, id } = left[name];
        merchant = left[name].merchant;
        if (name === 'refused') await merchant.send('POST', `/v1/charges/${id}:cancel`);
        await pastStartBy(env, merchant, key);
        const answer = await capture(left[name]);
        assert.equal(answer.status, status, answer.text);
      });
    }

    // Last: the sweep would free the others, too.
    it('is freed by the sweep', async () => {
      const { key } = left.swept;
      merchant = left.swept.merchant;
      await pastStartBy(env, merchant, key);
      await eventually('a turn of the sweep deletes it', async () => {
        await runMaintenance(env, 'sweep');
        return (await findClaims(key)).length === 0;
      });
      assert.deepEqual(await chargeRuns(env, merchant, key), []);
      const answer = await merchant.charge({ amount: 77 }, { key });
      assert.deepEqual([answer.status, isReplay(answer)], [201, false]);
    });
  });

  describe('that was released', () => {
    it('gets no answer from an earlier claim’s run', async () => {
      const key = randomUUID();
      const others = [env.stack.part('worker'), env.stack.part('api')];
      const link = await linkToTemporal(env);
      const hasty = await link.addApi(hastyWindow);
      await Promise.all(others.map((part) => part.stop()));
      // The run starts, and nobody hears of it.
      link.proxy.holdAnswers();
      const first = await merchant.charge({}, { key, url: hasty.url });
      assert.deepEqual(toStatusAndCode(first), [503, 'service_unavailable']);
      assert.deepEqual(await findClaims(key), []);
      await eventually('its run is there', async () => (await chargeRuns(env, merchant, key)).length === 1);
      await hasty.part.kill();

      // It is about to begin, and waits.
      const held = await holdNewCharges(env);
      await Promise.all(others.map((part) => part.start()));
      await held.untilBlocked(1, { text: 'insert into charges' });
      const second = merchant.charge({ amount: 77 }, { key });
      await eventually('the key is claimed anew', async () => (await findClaims(key)).length === 1);
      await held.release();
      const answer = await second;
      assert.deepEqual([answer.status, answer.body.amount, isReplay(answer)], [201, 77, false], answer.text);
      assert.deepEqual(
        (await env.books(answer.body.id)).map(({ kind, amount }) => [kind, amount]),
        [['capture', 77]],
      );
      const runs = await eventually('both runs are closed', async () => {
        const seen = await chargeRuns(env, merchant, key);
        return seen.length === 2 && seen.every(({ state }) => state === 'COMPLETED') && seen;
      });
      assert.deepEqual(
        runs.map(({ result }) => result),
        ['not_started', 'succeeded'],
      );
      await assertInvariants(env, { accountIds: [merchant.accountId] });
    });
  });
});
