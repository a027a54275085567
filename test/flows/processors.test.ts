import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reconcile } from '#activities/maintenance/reconciliation.ts';
import { newId } from '#db/new-id.ts';
import { readConfig } from '#startup/config.ts';
import { openProcessors } from '#startup/processors.ts';
import { secret, startService, type Service } from '../sandbox/service.ts';
import { eventually } from '../support/eventually.ts';
import {
  createMerchant,
  type AccountSettings,
  type ChargeBody,
  type HttpAnswer,
  type Merchant,
} from '../support/resources/merchant.ts';
import { refundCharge } from '../support/resources/refunds.ts';
import { adminJson, runAdmin } from '../support/stack/admin.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { rememberSecret } from '../support/stack/leaks.ts';

/** Accounts whose charges go to the sandbox of the stack, and to another one that an operator registers. */

let env: Environment;
let other: Service;
let folder: string;
/** The id of the other one. */
let processor: string;
const services: Service[] = [];

const settings = () => ({ DATABASE_URL: env.stack.databaseUrl, SECRETS_KEY: env.stack.env['SECRETS_KEY'] });
const admin = <T = { id: string }>(...args: string[]) => adminJson<T>(settings(), args);

function keyFile(key: string): string {
  rememberSecret(key);
  const file = join(folder, randomUUID());
  writeFileSync(file, `${key}\n`);
  return file;
}

async function start(given: Record<string, string> = {}): Promise<Service> {
  const service = await startService(given);
  services.push(service);
  return service;
}

async function register(service: Service, ...options: string[]): Promise<string> {
  const file = keyFile(secret);
  const { id } = await admin(
    'processor',
    'create',
    '--kind',
    'sandbox',
    '--key-file',
    file,
    '--url',
    service.url,
    ...options,
  );
  return id;
}

/** For whoever charges until something has changed: a tenth of the work of a run. */
const inline = { charge_execution: 'inline' } as const;

/** A merchant whose new charges go to this processor. */
async function merchantAt(
  id: string,
  options: string[] = [],
  settings: AccountSettings = {},
): Promise<Merchant> {
  const merchant = await createMerchant(settings);
  await admin('account', 'use-processor', merchant.accountId, id, ...options);
  return merchant;
}

const processorOfRow = async (id: string): Promise<string | null> =>
  (await env.db('charges').where({ id }).first('processor_id')).processor_id;

/** Where the money of a charge moved: in the ledger of the stack's sandbox, and in that of the other. */
async function movements(id: string): Promise<{ builtIn: string[]; registered: string[] }> {
  const [here, there] = [await env.books(id), await other.books(id)];
  return { builtIn: here.map(({ kind }) => kind), registered: there.map(({ kind }) => kind) };
}

/** The pause of a sender between two charges, in milliseconds. */
const pauseMs = 60;

/** Sends charges until `isOver`, a few at once, each with its own key until it has its answer. */
async function chargeUntil(merchant: Merchant, isOver: () => boolean): Promise<HttpAnswer<ChargeBody>[]> {
  const answers: HttpAnswer<ChargeBody>[] = [];
  const send = async () => {
    while (!isOver()) {
      const key = randomUUID();
      const answer = await eventually('the charge has its answer', async () => {
        const given = await merchant.charge({}, { key });
        return given.status < 500 && given.status !== 409 && given;
      });
      answers.push(answer);
      await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: 4 }, send));
  return answers;
}

describe('Processors that accounts choose', () => {
  before(async () => {
    env = await environment();
    folder = mkdtempSync(join(tmpdir(), 'payments-keys-'));
    other = await start();
    processor = await register(other);
  });
  after(async () => {
    for (const service of services.splice(0)) await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('take the charges of their accounts', async () => {
    const [here, there] = [await createMerchant(), await merchantAt(processor)];
    const [first, second] = [(await here.charge()).body, (await there.charge()).body];
    assert.deepEqual(await movements(first.id), { builtIn: ['capture'], registered: [] });
    assert.deepEqual(await movements(second.id), { builtIn: [], registered: ['capture'] });
    assert.deepEqual([await processorOfRow(first.id), await processorOfRow(second.id)], [null, processor]);
  });

  it('take only the currencies they are given', async () => {
    const merchant = await merchantAt(processor, ['--currencies', 'USD']);
    const dollars = await merchant.charge({ currency: 'USD' });
    assert.equal(dollars.status, 201);
    const euros = await merchant.charge();
    assert.deepEqual([euros.status, euros.body.code], [422, 'processor_not_available']);
  });

  it('get back what they took after an account moved', async () => {
    const merchant = await merchantAt(processor, [], inline);
    const paid = (await merchant.charge()).body;
    const held = (await merchant.charge({ capture_method: 'manual' })).body;
    await admin('account', 'use-processor', merchant.accountId, 'built-in');
    await eventually('new charges go elsewhere', async () => {
      const { id } = (await merchant.charge()).body;
      return (await processorOfRow(id)) === null;
    });
    assert.equal((await refundCharge(merchant, paid.id, { amount: 400 })).status, 201);
    assert.equal(
      (await merchant.send('POST', `/v1/charges/${held.id}:capture`, { amount: 700 })).status,
      200,
    );
    assert.deepEqual(await movements(paid.id), { builtIn: [], registered: ['capture', 'refund'] });
    assert.deepEqual(await movements(held.id), { builtIn: [], registered: ['authorization', 'capture'] });
  });

  it('share an account’s charges while it moves, each once', async () => {
    const merchant = await createMerchant(inline);
    let isOver = false;
    const load = chargeUntil(merchant, () => isOver);
    const countAt = async (processorId: string | null) =>
      (await env.db('charges').where({ account_id: merchant.accountId, processor_id: processorId })).length;
    await eventually('some went to the built-in one', async () => (await countAt(null)) > 0);
    await admin('account', 'use-processor', merchant.accountId, processor);
    await eventually('some went to the other one', async () => (await countAt(processor)) >= 5);
    isOver = true;
    const charges = await load;
    assert.deepEqual([...new Set(charges.map(({ status }) => status))], [201]);
    const places = new Set<string>();
    for (const { body } of charges) {
      const { builtIn, registered } = await movements(body.id);
      assert.deepEqual([...builtIn, ...registered], ['capture'], body.id);
      const expected = (await processorOfRow(body.id)) === null ? builtIn : registered;
      assert.equal(expected.length, 1, `${body.id} is where its row says`);
      places.add(builtIn.length > 0 ? 'built-in' : 'other');
    }
    assert.equal(places.size, 2, 'both took some');
  });

  it('end what is open once they are disabled', async () => {
    const id = await register(other);
    const merchant = await merchantAt(id, [], inline);
    const held = (await merchant.charge({ capture_method: 'manual' })).body;
    const key = randomUUID();
    const paid = await merchant.charge({}, { key });
    await admin('processor', 'disable', id);
    const refused = await eventually('it takes no charge', async () => {
      const answer = await merchant.charge();
      return answer.status === 422 && answer;
    });
    assert.equal(refused.body.code, 'processor_not_available');
    assert.equal((await merchant.charge({}, { key })).text, paid.text, 'a key keeps its answer');
    assert.equal((await merchant.send('POST', `/v1/charges/${held.id}:capture`)).status, 200);
    await admin('processor', 'enable', id);
    await eventually('it takes charges again', async () => (await merchant.charge()).status === 201);
  });

  it('are told by the caller what they cannot do', async () => {
    const without = 'without=partialCaptures,reverseRefund,describeToken,voidsCaptures';
    const merchant = await merchantAt(await register(other, '--option', without));
    const held = (await merchant.charge({ capture_method: 'manual' })).body;
    const paid = (await merchant.charge()).body;
    const refund = (await refundCharge(merchant, paid.id)).body;
    const customer = await merchant.send<{ id: string }>('POST', '/v1/customers', { name: 'A' });
    // Its outcome comes soon: it is cancelled first.
    const pending = (await merchant.charge({ payment_method: 'tok_async_silent' })).body;
    const refused: [string, unknown][] = [
      [`/v1/charges/${pending.id}:cancel`, {}],
      [`/v1/charges/${held.id}:capture`, { amount: 400 }],
      [`/v1/refunds/${refund.id}:cancel`, {}],
      [`/v1/customers/${customer.body.id}:attach-payment-method`, { token: 'tok_visa' }],
    ];
    for (const [path, body] of refused) {
      const answer = await merchant.send('POST', path, body);
      assert.deepEqual([answer.status, answer.body.code], [422, 'processor_cannot'], answer.text);
    }
    assert.deepEqual((await movements(held.id)).registered, ['authorization']);
    assert.deepEqual((await movements(paid.id)).registered, ['capture', 'refund']);
    assert.equal((await merchant.send('POST', `/v1/charges/${held.id}:capture`)).status, 200);
  });

  it('refuse tokens that are not theirs', async () => {
    const merchant = await merchantAt(processor);
    const answer = await merchant.charge({ payment_method: 'pm_1MqLiJLkdIwHu7ixUEgbFdYI' });
    assert.deepEqual([answer.status, answer.body.code], [422, 'validation_failed'], answer.text);
  });

  it('notify under their own address and secret', async () => {
    const id = await register(other);
    const merchant = await merchantAt(id);
    const { id: charge } = (await merchant.charge({ payment_method: 'tok_async_silent' })).body;
    const own = `notifies-${randomUUID()}`;
    const notify = (by: string) => {
      const body = JSON.stringify({ id: randomUUID(), key: charge });
      const timestamp = Math.floor(Date.now() / 1_000);
      const signature = createHmac('sha256', by).update(`${timestamp}.${body}`).digest('hex');
      const headers = {
        'content-type': 'application/json',
        'processor-timestamp': String(timestamp),
        'processor-signature': `v1=${signature}`,
      };
      return fetch(`${env.stack.apiUrl}/processor/notifications/${id}`, { method: 'POST', headers, body });
    };
    assert.equal((await notify(own)).status, 401);
    await admin('processor', 'add-webhook-secret', id, '--secret-file', keyFile(own));
    await eventually('the new secret is known', async () => (await notify(own)).status === 204);
    assert.equal((await notify('another-secret')).status, 401);
    await eventually(
      'the charge is over',
      async () => (await merchant.get(`/v1/charges/${charge}`)).body.status === 'succeeded',
    );
  });

  it('are refused a key they do not take', async () => {
    const wrong = keyFile('a-key-that-nobody-knows');
    const args = ['processor', 'create', '--kind', 'sandbox', '--key-file', wrong, '--url', other.url];
    const { code, stderr } = await runAdmin(settings(), args);
    assert.deepEqual([code, stderr], [1, 'The sandbox refuses the secret.\n']);
    const rotation = await runAdmin(settings(), ['processor', 'rotate-key', processor, '--key-file', wrong]);
    assert.equal(rotation.code, 1);
  });

  it('are each compared with their own ledger', async () => {
    const key = newId('charge');
    const stray = { key, token: 'tok_visa', amount: 700, currency: 'EUR', capture: true };
    await other.call('POST', '/charges', stray);
    const merchant = await merchantAt(processor);
    const { id } = (await merchant.charge()).body;
    const config = readConfig({ ...env.stack.env, PROCESSOR_URL: env.stack.processorUrl });
    const processors = openProcessors({ db: env.db, config });
    try {
      const { secretsKey, publicUrl } = config;
      const deps = {
        db: env.db,
        client: env.temporal,
        processors,
        secretsKey,
        publicUrl,
      };
      const { findings } = await reconcile(deps, { repair: false, settleMs: 200 });
      const found = findings.filter(({ of }) => of === key || of === id);
      const detail = `the ledger holds 700, and there is no such charge of ${processor}`;
      assert.deepEqual(
        found.filter((one) => one.detail === detail),
        [{ code: 'charge_missing', of: key, detail, repaired: false }],
      );
      // Other processors of these tests share its ledger.
      assert.ok(found.every((one) => one.of !== id || !one.detail.includes(processor)));
    } finally {
      await processors.close();
      await other.call('POST', '/voids', { charge_key: key });
    }
  });
});

describe('A processor that fails', () => {
  before(async () => {
    env = await environment();
    folder = mkdtempSync(join(tmpdir(), 'payments-keys-'));
  });
  after(async () => {
    for (const service of services.splice(0)) await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const readyz = async () => {
    const answer = await fetch(`${env.stack.apiUrl}/readyz`);
    return {
      status: answer.status,
      body: (await answer.json()) as { processors?: { processor: string; state: string }[] },
    };
  };
  const stateShown = async (id: string) =>
    (await readyz()).body.processors?.find((one) => one.processor === id)?.state ?? 'up';

  it('does not hold up the charges of another', async () => {
    other = await start();
    const id = await register(other);
    const [here, there] = [await createMerchant(), await merchantAt(id)];
    assert.equal((await there.charge()).status, 201);
    await other.stageFault({ mode: 'timeout', when: 'before', times: 10_000 });
    const silent = Array.from({ length: 40 }, () => there.charge());
    await eventually('it counts as down', async () => (await stateShown(id)) === 'open');
    for (let n = 0; n < 5; n += 1) assert.equal((await here.charge()).status, 201);
    assert.equal((await readyz()).status, 200);
    await Promise.all(silent);
    // One call at a time asks whether it is back; the others are not made. Each process finds that out for itself.
    await eventually('calls are not made', async () => {
      const late = await Promise.all(Array.from({ length: 6 }, () => there.charge()));
      return late.filter(({ body }) => body.code === 'processor_unavailable').length >= 4;
    });
    await other.call('DELETE', '/faults');
    const isBack = async () => (await there.charge()).status === 201;
    await eventually('it takes charges again', isBack);
    // The pauses between two questions about a charge have grown meanwhile.
    const rows = await eventually('each is decided', async () => {
      const all = await env.db('charges').where({ account_id: there.accountId });
      return all.every(({ status }) => status === 'succeeded') && all;
    });
    for (const row of rows)
      assert.deepEqual(
        (await other.books(row.id)).map(({ kind }) => kind),
        ['capture'],
      );
  });

  it('begins nothing with a key that it refuses', async () => {
    const first = await start();
    const id = await register(first);
    const merchant = await merchantAt(id);
    const paid = randomUUID();
    assert.equal((await merchant.charge({}, { key: paid })).status, 201);
    const port = new URL(first.url).port;
    await first.stop();
    services.splice(services.indexOf(first), 1);
    const next = 'another-secret-of-the-sandbox';
    rememberSecret(next);
    await start({ PORT: port, PROCESSOR_SECRET: next });
    await eventually('the key counts as refused', async () => {
      await merchant.charge();
      return (await stateShown(id)) === 'misconfigured';
    });
    const before = await env.db('charges').where({ account_id: merchant.accountId }).count();
    const key = randomUUID();
    const refused = await merchant.charge({}, { key });
    assert.deepEqual([refused.status, refused.body.code], [503, 'processor_unavailable']);
    assert.deepEqual(await env.db('charges').where({ account_id: merchant.accountId }).count(), before);
    assert.deepEqual(await env.db('idempotency_keys').where({ key }), []);
    assert.equal((await merchant.charge({}, { key: paid })).status, 201, 'a key keeps its answer');

    await env.stack.part('api').restart();
    await eventually(
      'a new process says so before any charge',
      async () => (await stateShown(id)) === 'misconfigured',
    );

    await admin('processor', 'rotate-key', id, '--key-file', keyFile(next));
    await eventually('the new key is used', async () => (await merchant.charge({}, { key })).status === 201);
    assert.equal(await stateShown(id), 'up');
    // Their workflows ask again after pauses that double.
    const areOver = async () => {
      const rows = await env.db('charges').where({ account_id: merchant.accountId });
      return rows.every(({ status }) => status === 'succeeded');
    };
    await eventually('what was begun is over', areOver);
  });
});
