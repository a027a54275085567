// In pairs: two APIs and two workers must look like one of each.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type HttpAnswer, type Merchant } from '../support/resources/merchant.ts';
import { chargeWorkflowId } from '../support/resources/runs.ts';
import { toStatusAndCode } from '../support/status-and-code.ts';

/** What `docs/guides/keys-and-retries.md` promises of a key, one by one. */

let env: Environment;
let merchant: Merchant;

const isReplay = ({ headers }: HttpAnswer) => headers.get('idempotent-replayed') === 'true';
const capture = (from: Merchant, id: string, key: string | null, body: object = {}) =>
  from.send('POST', `/v1/charges/${id}:capture`, body, { key });

describe('Idempotency-Key', () => {
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  describe('rule 1: the client names each operation', () => {
    it('answers 400 to a write without its key', async () => {
      const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
      for (const answer of [await merchant.charge({}, { key: null }), await capture(merchant, id, null)]) {
        assert.deepEqual(toStatusAndCode(answer), [400, 'idempotency_key_required']);
      }
    });

    for (const key of ['with space', '"half', 'é', 'k'.repeat(256), '""']) {
      it(`answers 400 to the key ${key.length > 20 ? `of ${key.length} characters` : key}`, async () => {
        assert.deepEqual(toStatusAndCode(await merchant.charge({}, { key })), [
          400,
          'idempotency_key_invalid',
        ]);
      });
    }

    it('takes "abc" and abc for one key', async () => {
      const key = randomUUID();
      const first = await merchant.charge({}, { key });
      const second = await merchant.charge({}, { key: `"${key}"` });
      assert.deepEqual([second.text, isReplay(second)], [first.text, true]);
    });

    it('takes keys that differ in case for two', async () => {
      const key = randomUUID();
      const first = await merchant.charge({}, { key: key.toLowerCase() });
      const second = await merchant.charge({}, { key: key.toUpperCase() });
      assert.notEqual(first.body.id, second.body.id);
    });

    for (const key of ['~'.repeat(255), `/%2F?#&=${randomUUID()}`, `~${'0'.repeat(64)}`, 'k'.repeat(100)]) {
      const name = key.length > 64 ? `of ${key.length} characters ${key[0]}` : key.slice(0, 9);
      it(`charges under the key ${name}`, async () => {
        const own = await createMerchant();
        const first = await own.charge({}, { key });
        assert.equal(first.status, 201, first.text);
        assert.equal((await own.charge({}, { key })).text, first.text);
        const id = chargeWorkflowId(own, key);
        assert.ok(id.length < 255, id);
        // The answer may come before Temporal has recorded the end of the run.
        await eventually('its workflow has ended', async () => {
          const { status } = await env.temporal.workflow.getHandle(id).describe();
          return status.name === 'COMPLETED';
        });
      });
    }
  });

  describe('rules 2 and 3: the answer is stored with the effect, and replayed', () => {
    it('repeats status, body and Location exactly, and says so', async () => {
      const key = randomUUID();
      const first = await merchant.charge({}, { key });
      const replay = await merchant.charge({}, { key });
      assert.deepEqual([first.status, isReplay(first)], [201, false]);
      assert.deepEqual([replay.status, isReplay(replay), replay.text], [201, true, first.text]);
      for (const name of ['location', 'content-type', 'api-version']) {
        assert.equal(replay.headers.get(name), first.headers.get(name), name);
      }
      assert.equal((await env.books(first.body.id)).length, 1);
    });

    it('repeats a decline, with the first request’s trace', async () => {
      const key = randomUUID();
      const first = await merchant.charge({ payment_method: 'tok_declined' }, { key });
      const replay = await merchant.charge({ payment_method: 'tok_declined' }, { key });
      assert.deepEqual([replay.status, isReplay(replay), replay.text], [402, true, first.text]);
      assert.notEqual(replay.headers.get('trace-id'), first.body.trace_id);
      assert.deepEqual(await eventTypes(first.body.charge ?? ''), ['charge.failed']);
    });

    it('repeats a 202 after the outcome is known', async () => {
      const key = randomUUID();
      const options = { key, headers: { prefer: 'respond-async' } };
      const first = await merchant.charge({}, options);
      await eventually('the charge succeeds', async () => {
        const { body } = await merchant.get(`/v1/charges/${first.body.id}`);
        return body.status === 'succeeded';
      });
      const replay = await merchant.charge({}, { key });
      assert.deepEqual([replay.status, isReplay(replay), replay.text], [202, true, first.text]);
    });

    it('repeats a capture after the charge has moved on', async () => {
      const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
      const key = randomUUID();
      const first = await capture(merchant, id, key, { amount: 300 });
      await capture(merchant, id, randomUUID());
      const replay = await capture(merchant, id, key, { amount: 300 });
      assert.deepEqual([replay.status, isReplay(replay), replay.text], [200, true, first.text]);
    });
  });

  describe('rule 4: another request under a used key is refused', () => {
    it('answers another body with 422, keeps the first answer', async () => {
      const key = randomUUID();
      const first = await merchant.charge({}, { key });
      for (const change of [
        { amount: 1001 },
        { description: 'Another' },
        { payment_method: 'tok_declined' },
      ]) {
        assert.deepEqual(toStatusAndCode(await merchant.charge(change, { key })), [
          422,
          'idempotency_key_reused',
        ]);
      }
      assert.equal((await merchant.charge({}, { key })).text, first.text);
      assert.equal((await env.books(first.body.id)).length, 1);
    });

    it('answers 422 even while the first request runs', async () => {
      const key = randomUUID();
      const first = merchant.charge({ payment_method: 'tok_slow' }, { key });
      await eventually('the first holds the key', async () => (await findClaims(merchant, key)).length === 1);
      assert.deepEqual(toStatusAndCode(await merchant.charge({}, { key })), [422, 'idempotency_key_reused']);
      assert.equal((await first).status, 201);
    });

    it('ignores the order of members and number spellings', async () => {
      const key = randomUUID();
      const bodies = [
        '{"amount":1000,"currency":"EUR","payment_method":"tok_visa","metadata":{"a":"1","b":"2"}}',
        '{ "metadata": {"b":"2","a":"1"}, "payment_method": "tok_visa", "currency": "EUR", "amount": 1e3 }',
        '{"currency":"EUR","amount":10000e-1,"payment_method":"tok_vis\\u0061","metadata":{"a":"1","b":"2"}}',
      ];
      const answers = [];
      for (const body of bodies) answers.push(await merchant.send('POST', '/v1/charges', body, { key }));
      assert.deepEqual(answers.map(isReplay), [false, true, true]);
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    });

    it('counts the concrete path of the request', async () => {
      const [one, two] = [
        (await merchant.charge({ capture_method: 'manual' })).body.id,
        (await merchant.charge({ capture_method: 'manual' })).body.id,
      ];
      const key = randomUUID();
      assert.equal((await capture(merchant, one, key)).status, 200);
      assert.deepEqual(toStatusAndCode(await capture(merchant, two, key)), [422, 'idempotency_key_reused']);
      assert.equal((await merchant.get(`/v1/charges/${two}`)).body.status, 'requires_capture');
    });
  });

  describe('rule 5: of concurrent requests one executes', () => {
    it('makes one charge and equal answers for 50 requests', async () => {
      const own = await createMerchant();
      const key = randomUUID();
      const answers = await Promise.all(Array.from({ length: 50 }, () => own.charge({}, { key })));
      assert.deepEqual(
        answers.map(({ status }) => status),
        answers.map(() => 201),
      );
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      assert.equal(answers.filter((answer) => !isReplay(answer)).length, 1);
      const { id } = answers[0]!.body;
      assert.deepEqual(
        (await env.books(id)).map(({ kind, amount }) => [kind, amount]),
        [['capture', 1000]],
      );
      assert.equal((await env.db('charges').where('account_id', own.accountId)).length, 1);
      assert.equal((await env.db('events').where('account_id', own.accountId)).length, 1);
    });

    it('lets a twin wait for the first one’s outcome', async () => {
      const key = randomUUID();
      const first = merchant.charge({ payment_method: 'tok_slow' }, { key });
      await eventually('the first holds the key', async () => (await findClaims(merchant, key)).length === 1);
      const twin = await merchant.charge({ payment_method: 'tok_slow' }, { key });
      assert.deepEqual([twin.status, isReplay(twin), twin.text], [201, true, (await first).text]);
    });

    it('captures once for twenty parallel requests under one key', async () => {
      const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
      const key = randomUUID();
      const answers = await Promise.all(Array.from({ length: 20 }, () => capture(merchant, id, key)));
      assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
      assert.equal(answers[0]!.status, 200, answers[0]!.text);
      const kinds = (await env.books(id)).map(({ kind }) => kind);
      assert.deepEqual(kinds, ['authorization', 'capture']);
    });
  });

  describe('rule 6: only terminal outcomes are stored', () => {
    const valid = { amount: 1000, currency: 'EUR', payment_method: 'tok_visa' };
    const unstored: [status: number, what: string, send: (key: string) => Promise<HttpAnswer>][] = [
      [
        400,
        'a body that cannot be read',
        (key) => merchant.send('POST', '/v1/charges', '{"amount":', { key }),
      ],
      [
        400,
        'a member twice',
        (key) => merchant.send('POST', '/v1/charges', '{"amount":1,"amount":1}', { key }),
      ],
      [401, 'no token', (key) => merchant.charge({}, { key, headers: { authorization: 'Bearer nonsense' } })],
      [404, 'no such charge', (key) => capture(merchant, 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D', key)],
      [404, 'no such route', (key) => merchant.send('POST', '/v1/charge', valid, { key })],
      [415, 'no JSON', (key) => merchant.charge({}, { key, headers: { 'content-type': 'text/plain' } })],
      [422, 'an amount of zero', (key) => merchant.charge({ amount: 0 }, { key })],
      [422, 'an unknown currency', (key) => merchant.charge({ currency: 'XXY' }, { key })],
      [422, 'an unknown member', (key) => merchant.charge({ colour: 'red' }, { key })],
    ];
    for (const [status, what, send] of unstored) {
      it(`stores no ${status} for ${what}: the key stays usable`, async () => {
        const key = randomUUID();
        assert.equal((await send(key)).status, status);
        assert.deepEqual(await findClaims(merchant, key), []);
        const answer = await merchant.charge({}, { key });
        assert.deepEqual([answer.status, isReplay(answer)], [201, false], answer.text);
      });
    }

    it('stores no 403, and no charge', async () => {
      const reader = await createMerchant({}, ['charges:read']);
      const key = randomUUID();
      assert.equal((await reader.charge({}, { key })).status, 403);
      assert.deepEqual(await findClaims(reader, key), []);
      assert.deepEqual(await env.db('charges').where('account_id', reader.accountId), []);
    });
  });

  describe('rule 7: exactly one effect', () => {
    it('has one charge and one event after any repeats', async () => {
      const own = await createMerchant();
      const key = randomUUID();
      for (let i = 0; i < 5; i += 1) await Promise.all([own.charge({}, { key }), own.charge({}, { key })]);
      const charges = await env.db('charges').where('account_id', own.accountId);
      assert.equal(charges.length, 1);
      assert.equal((await env.books(charges[0].id)).length, 1);
      assert.deepEqual(await eventTypes(charges[0].id), ['charge.succeeded']);
    });
  });

  describe('rule 8: a key belongs to one account and one kind of write', () => {
    it('is another key in another account', async () => {
      const other = await createMerchant();
      const key = randomUUID();
      const [mine, theirs] = [await merchant.charge({}, { key }), await other.charge({ amount: 5 }, { key })];
      assert.deepEqual([theirs.status, isReplay(theirs)], [201, false]);
      assert.notEqual(theirs.body.id, mine.body.id);
    });

    it('is another key on another endpoint', async () => {
      const key = randomUUID();
      const { id } = (await merchant.charge({ capture_method: 'manual' }, { key })).body;
      const captured = await capture(merchant, id, key);
      assert.deepEqual([captured.status, isReplay(captured)], [200, false], captured.text);
    });

    it('means nothing on a read', async () => {
      const key = randomUUID();
      const { id } = (await merchant.charge({}, { key })).body;
      const answer = await merchant.get(`/v1/charges/${id}`, { headers: { 'idempotency-key': key } });
      assert.deepEqual([answer.status, isReplay(answer)], [200, false]);
    });
  });
});

function findClaims(of: Merchant, key: string) {
  return env.db('idempotency_keys').where({ account_id: of.accountId, key });
}

async function eventTypes(chargeId: string): Promise<string[]> {
  const events = await env.db('events').where('resource_id', chargeId).orderBy('sequence');
  return events.map(({ type }) => type);
}
