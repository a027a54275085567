import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secret, startService, type Service } from '../../sandbox/service.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { refundCharge } from '../../support/resources/refunds.ts';
import { adminJson } from '../../support/stack/admin.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { rememberSecret } from '../../support/stack/leaks.ts';

/**
 * A processor that forgets each key at once: a question by key finds nothing, and a second send makes a second payment.
 * Only its books tell the truth.
 */
describe('A processor that forgets its keys', function () {
  let env: Environment;
  let processor: Service;
  let merchant: Merchant;
  let folder: string;

  before(async () => {
    env = await environment();
    folder = mkdtempSync(join(tmpdir(), 'payments-keys-'));
    processor = await startService();
    const file = join(folder, 'key');
    rememberSecret(secret);
    writeFileSync(file, `${secret}\n`);
    const settings = { DATABASE_URL: env.stack.databaseUrl, SECRETS_KEY: env.stack.env['SECRETS_KEY'] };
    const kind = ['--kind', 'sandbox', '--url', processor.url, '--option', 'keys_known_ms=0'];
    const create = ['processor', 'create', '--key-file', file, ...kind];
    const { id } = await adminJson<{ id: string }>(settings, create);
    merchant = await createMerchant();
    await adminJson(settings, ['account', 'use-processor', merchant.accountId, id]);
  });
  beforeEach(() => processor.call('DELETE', '/faults'));
  after(async () => {
    await processor.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The answer of one call of this kind is lost; from then on every key is forgotten. */
  async function loseOne(route: 'charges' | 'captures' | 'refunds', when: 'before' | 'after'): Promise<void> {
    await processor.stageFault({ route, when, mode: when === 'after' ? 'garbage' : 'reset', times: 1 });
    for (const forgets of ['charges', 'refunds', 'lookups'])
      await processor.stageFault({ route: forgets, mode: 'forgotten', times: 10_000 });
  }
  async function moved(chargeId: string): Promise<[kind: string, amount: number][]> {
    return (await processor.books(chargeId)).map(({ kind, amount }) => [kind, amount]);
  }
  /** The lost answer and the question after it were both without an outcome. */
  const isUndecided = (chargeId: string) =>
    eventually('nobody can tell what became of it', async () => {
      const path = `/v1/charges/${chargeId}/timeline?limit=100`;
      const { body } = await merchant.get<{ data: { type: string }[] }>(path);
      return body.data.filter(({ type }) => type === 'processor_fault').length === 2;
    });
  const reads = (path: string, status: string) =>
    eventually(`${path} reads ${status}`, async () => (await merchant.get(path)).body.status === status);

  it('captures once what it forgot after the capture', async () => {
    await loseOne('charges', 'after');
    const { status, body, text } = await merchant.charge();
    assert.equal(status, 201, text);
    assert.deepEqual(await moved(body.id), [['capture', 1000]]);
  });

  it('authorizes and captures once what it forgot', async () => {
    await loseOne('charges', 'after');
    const { body } = await merchant.charge({ capture_method: 'manual' });
    assert.equal(body.status, 'requires_capture');
    await processor.call('DELETE', '/faults');
    await loseOne('captures', 'after');
    const captured = await merchant.send('POST', `/v1/charges/${body.id}:capture`, { amount: 700 });
    assert.equal(captured.status, 200, captured.text);
    const expected = [
      ['authorization', 1000],
      ['capture', 700],
    ];
    assert.deepEqual(await moved(body.id), expected);
  });

  it('gives back once what it forgot after the refund', async () => {
    const { body: charge } = await merchant.charge();
    await loseOne('refunds', 'after');
    const { body } = await refundCharge(merchant, charge.id, { amount: 400 });
    await reads(`/v1/refunds/${body.id}`, 'processed');
    const expected = [
      ['capture', 1000],
      ['refund', 400],
    ];
    assert.deepEqual(await moved(charge.id), expected);
  });

  it('is sent no charge twice where its books are silent', async () => {
    await loseOne('charges', 'before');
    const reference = randomUUID();
    const creating = merchant.charge({ reference });
    const row = () => env.db('charges').where({ account_id: merchant.accountId, reference }).first('id');
    const { id } = await eventually('it has begun', row);
    await isUndecided(id);
    assert.deepEqual(await moved(id), []);
    await merchant.send('POST', `/v1/charges/${id}:cancel`);
    assert.equal((await creating).body.code, 'charge_cancelled');
    assert.deepEqual(await moved(id), [['void', 0]]);
  });

  it('is sent no refund twice where its books are silent', async () => {
    const { body: charge } = await merchant.charge();
    await loseOne('refunds', 'before');
    // Its caller would wait for the whole window.
    const caller = new AbortController();
    const headers = {
      authorization: `Bearer ${merchant.token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const body = JSON.stringify({ charge: charge.id, amount: 400 });
    const request = { method: 'POST', headers, body, signal: caller.signal };
    const gone = assert.rejects(fetch(`${env.stack.apiUrl}/v1/refunds`, request));
    await isUndecided(charge.id);
    caller.abort();
    await gone;
    const { status } = await env.db('refunds').where({ charge_id: charge.id }).first();
    assert.equal(status, 'pending');
    assert.deepEqual(await moved(charge.id), [['capture', 1000]]);
  });
});
