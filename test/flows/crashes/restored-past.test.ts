import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runReconcile } from '#admin/reconciling.ts';
import type { LostPayment, Restoration } from '#activities/maintenance/restoration.ts';
import type { Finding } from '#activities/maintenance/reconciliation.ts';
import { freePort } from '#local/processes/ports.ts';
import { startStack, type Stack } from '#local/stack.ts';
import { placeBundle } from '../../support/bundle.ts';
import { eventually } from '../../support/eventually.ts';
import { submitBatch, row } from '../../support/resources/charge-batches.ts';
import { untilDone } from '../../support/resources/exports.ts';
import { createMerchant, type HttpAnswer, type Merchant } from '../../support/resources/merchant.ts';
import { runAdmin } from '../../support/stack/admin.ts';
import { connectTo, type Environment } from '../../support/stack/environment.ts';
import {
  findBackupPrograms,
  readRunbook,
  startArchived,
  type ArchivedPostgres,
} from '../../support/stack/databases/point-in-time.ts';

/** How often each kind of payment is lost: `LOST_PAYMENTS=200 npm test -- test/flows/crashes/restored-past.test.ts`. */
const times = Number(process.env['LOST_PAYMENTS'] ?? 1);

/** Over Stripe, no refund can be taken back. */
const reversesRefunds = process.env['PROCESSOR'] !== 'stripe';

interface Write {
  path: string;
  body: object;
  key: string;
  /** What it answered before the loss. */
  answer: HttpAnswer<AnyBody>;
}

interface AnyBody {
  id: string;
  status: string;
  code?: string;
  sequence?: number;
}

const bin = findBackupPrograms();
if (bin === null)
  console.log('no PostgreSQL with pg_basebackup here (`apt-get install postgresql`): no restore is tested');
/** A test that is skipped would fail the run. */
const describeWhereFound = bin === null ? () => undefined : describe;

describeWhereFound('Postgres goes back by a minute', () => {
  const book = readRunbook();
  const folder = mkdtempSync(join(tmpdir(), 'payments-past-'));
  const localDir = join(folder, 'stack');
  const lost: Record<string, Write[]> = {};
  let postgres: ArchivedPostgres | null = null;
  let stack: Stack | null = null;
  let env: (Environment & { stop(): Promise<void> }) | null = null;
  let apiPort: number;
  let merchant: Merchant;
  let restoreTo: string;
  let lastSequence: number;
  let moved: string;

  async function startOn(databaseUrl: string): Promise<Environment> {
    stack = await startStack({
      localDir,
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        PROCESSOR_ASYNC_MS: '1000',
        RATE_LIMIT_RPS: '100000',
        RATE_LIMIT_BURST: '100000',
      },
      ports: { api: { port: apiPort, whenTaken: 'fail' } },
      restart: false,
    });
    env = await connectTo(stack);
    return env;
  }

  async function stopService(): Promise<void> {
    await env?.stop();
    await stack?.stop();
    env = stack = null;
  }

  const post = (path: string, body: object, key: string, by = merchant) =>
    by.send<AnyBody>('POST', path, body, { key });

  /** Writes what is lost later, and keeps what the client saw. */
  async function write(kind: string, path: string, body: object, by = merchant): Promise<AnyBody> {
    const key = randomUUID();
    const answer = await post(path, body, key, by);
    assert.ok(answer.status < 300 || answer.status === 402, answer.text);
    (lost[kind] ??= []).push({ path, body, key, answer });
    return answer.body;
  }

  const chargeBody = (given: object = {}) => ({
    amount: 1000,
    currency: 'EUR',
    payment_method: 'tok_visa',
    ...given,
  });

  async function movements(): Promise<string> {
    const entries = await env!.allBooks();
    return JSON.stringify(entries);
  }

  async function reconcile(command: string): Promise<{ code: number; found: Found }> {
    const [, , , ...args] = command.split(/\s+/);
    const parts: string[] = [];
    const output = { result: (text: string) => void parts.push(text), progress: () => undefined };
    const code = await runReconcile([...args.slice(1), '--json', '--settle', '200'], stack!.env, output);
    return { code, found: JSON.parse(parts.join('')) as Found };
  }

  /** Runs `work` while the merchant's account is disabled, so that its payments cannot be made again. */
  async function whileDisabled<T>(work: () => Promise<T>): Promise<T> {
    const set = async (command: string) => {
      const to = { DATABASE_URL: stack!.databaseUrl, SECRETS_KEY: stack!.env['SECRETS_KEY'] };
      const { code, stderr } = await runAdmin(to, ['account', command, merchant.accountId]);
      assert.equal(code, 0, stderr);
    };
    await set('disable');
    const result = await work();
    await set('enable');
    await eventually('it is served again', async () => (await merchant.get('/v1/charges')).status === 200);
    return result;
  }

  /** One of each kind of write that the restored database does not know. */
  async function loseWrites(
    on: Environment,
    ids: Record<'kept' | 'toCapture' | 'toCancel' | 'reversed', string>,
  ) {
    const stranger = await createMerchant({}, undefined, on);
    await write('capture', `/v1/charges/${ids.toCapture}:capture`, {});
    await write('cancel', `/v1/charges/${ids.toCancel}:cancel`, {});
    if (reversesRefunds) await write('reversal', `/v1/refunds/${ids.reversed}:cancel`, {});
    await write('old refund', `/v1/charges/${ids.kept}/refunds`, { amount: 300 });
    for (let n = 0; n < times; n += 1) {
      const taken = await write('charge', '/v1/charges', chargeBody({ reference: `order-${n}` }));
      await write('refund', '/v1/refunds', { charge: taken.id, amount: 250 });
      await write('declined', '/v1/charges', chargeBody({ payment_method: 'tok_declined' }));
      await write('authorized', '/v1/charges', chargeBody({ capture_method: 'manual' }));
      const later = await write('captured', '/v1/charges', chargeBody({ capture_method: 'manual' }));
      await write('late capture', `/v1/charges/${later.id}:capture`, { amount: 400 });
      const over = await write('cancelled', '/v1/charges', chargeBody({ capture_method: 'manual' }));
      await write('late cancel', `/v1/charges/${over.id}:cancel`, {});
      await write('silent', '/v1/charges', chargeBody({ payment_method: 'tok_async_silent' }));
    }
    const theirs = await write('of a lost account', '/v1/charges', chargeBody(), stranger);
    await write('refund of a lost account', '/v1/refunds', { charge: theirs.id, amount: 200 }, stranger);
    const batch = await submitBatch(merchant, [row(), row()], { key: 'batch' });
    await untilDone(merchant, batch.body.id);
    const events = await merchant.get<{ data: { sequence: number }[] }>('/v1/events?limit=1');
    lastSequence = events.body.data[0]!.sequence;
  }

  /** Loses Postgres, restores it as the runbook says, and starts the service again. */
  async function goBack(from: ArchivedPostgres) {
    from.kill();
    await stopService();
    const restored = from.restore(restoreTo);
    const [record = ''] = book.commands;
    const args = record.replace('"$RESTORE_TO"', restoreTo).split(/\s+/).slice(4);
    const { code, stderr } = await runAdmin({ DATABASE_URL: restored }, args);
    assert.equal(code, 0, stderr);
    await startOn(restored);
    await eventually('the processor decides', async () => {
      const silent = lost['silent']!.map(({ answer }) => answer.body.id);
      const books = await env!.allBooks();
      return silent.every((id) => books.some(({ charge_key }) => charge_key === id));
    });
  }

  before(async () => {
    apiPort = await freePort();
    await placeBundle(localDir);
    postgres = await startArchived(bin!, folder, book);
    const first = await startOn(postgres.url);
    merchant = await createMerchant({}, undefined, first);
    const [kept, toCapture, toCancel, toReverse] = await Promise.all([
      merchant.charge(),
      merchant.charge({ capture_method: 'manual' }),
      merchant.charge({ capture_method: 'manual' }),
      merchant.charge(),
    ]);
    const reversed = await post('/v1/refunds', { charge: toReverse.body.id, amount: 100 }, randomUUID());
    postgres.backUp();
    await merchant.charge();
    const { rows } = await first.db.raw<{ rows: [{ now: string }] }>(
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as now`,
    );
    restoreTo = rows[0].now;

    await loseWrites(first, {
      kept: kept.body.id,
      toCapture: toCapture.body.id,
      toCancel: toCancel.body.id,
      reversed: reversed.body.id,
    });
    await goBack(postgres);
    moved = await movements();
  });

  after(async () => {
    await stopService();
    postgres?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('moves no money on retries before the repair', async () => {
    for (const { path, body, key } of Object.values(lost).flat()) {
      const { status, body: now } = await post(path, body, key);
      assert.ok(status === 503 || status === 401 || status === 404, `${path}: ${status}`);
      if (status === 503) assert.equal(now.code, 'service_unavailable');
    }
    assert.equal((await submitBatch(merchant, [row(), row()], { key: 'batch' })).status, 503);
    assert.equal((await merchant.charge()).status, 503);
    assert.equal(await movements(), moved);
  });

  it('names every movement that no row knows', async () => {
    const [, dryRun = ''] = book.commands;
    const { code, found } = await reconcile(dryRun);
    assert.equal(code, 1);
    const named = new Map(found.restoration.payments.map((one) => [one.id, one]));
    const idsFrom = (kind: string) => (lost[kind] ?? []).map(({ answer }) => answer.body.id);
    const rowsOfBatch = found.restoration.payments.filter(({ why }) => why.includes('row of a batch'));
    assert.equal(rowsOfBatch.length, 2);
    for (const kind of [
      'charge',
      'authorized',
      'captured',
      'cancelled',
      'silent',
      'refund',
      'old refund',
      'reversal',
    ])
      for (const id of idsFrom(kind)) assert.equal(named.get(id)?.choice, 'restore', `${kind} ${id}`);
    assert.equal(named.get(idsFrom('of a lost account')[0]!)?.choice, 'void');
    // Where it stays, the void gives back what is left of the charge.
    const ofLostAccount = named.get(idsFrom('refund of a lost account')[0]!);
    assert.equal(ofLostAccount?.choice, reversesRefunds ? 'reverse' : undefined);
    const all = new Set([...named.keys(), ...found.findings.map(({ of }) => of)]);
    for (const id of await idsWithoutRow()) assert.ok(all.has(id), `${id} is not named`);
    for (const kind of ['capture', 'cancel']) for (const id of idsFrom(kind)) assert.ok(all.has(id), kind);
    assert.equal(await movements(), moved, 'a look moves nothing');
  });

  it('holds payments back while a person must decide', async () => {
    const [, , repair = '', resume = ''] = book.commands;
    const { found: held } = await whileDisabled(() => reconcile(repair));
    assert.equal(held.restoration.isEnded, false);
    const left = held.restoration.payments.filter(({ result }) => result === 'left').map(({ id }) => id);
    for (const { answer } of lost['charge']!) assert.ok(left.includes(answer.body.id), answer.body.id);
    const before = await movements();
    for (const { path, body, key } of lost['charge']!)
      assert.equal((await post(path, body, key)).status, 503);
    assert.equal(await movements(), before);
    const { found: resumed } = await whileDisabled(() => reconcile(resume));
    assert.equal(resumed.restoration.isEnded, true);
    assert.deepEqual(resumed.restoration.payments.map(({ id }) => id).toSorted(), left.toSorted());
  });

  it('makes the lost rows true, and payments begin again', async () => {
    const [, , repair = '', , check = ''] = book.commands;
    const { found } = await reconcile(repair);
    assert.ok(found.restoration.isEnded);
    assert.deepEqual(
      found.restoration.payments.filter(({ result }) => result !== 'done'),
      [],
    );
    await eventually('no difference is left', async () => {
      const { found: after } = await reconcile(check);
      return after.findings.length === 0 || Promise.reject(new Error(JSON.stringify(after.findings)));
    });
    assert.equal((await merchant.charge()).status, 201);
  });

  it('answers retries as before, and captures nothing twice', async () => {
    const before = await movements();
    for (const kind of ['charge', 'declined', 'authorized', 'refund', 'old refund']) {
      for (const { path, body, key, answer } of lost[kind]!) {
        const now = await post(path, body, key);
        assert.equal(now.status, answer.status, `${kind}: ${now.text}`);
        assert.equal(now.body.id, answer.body.id, kind);
      }
    }
    for (const kind of [
      'captured',
      'cancelled',
      'silent',
      'capture',
      'late capture',
      'cancel',
      'late cancel',
      'reversal',
    ])
      for (const { path, body, key } of lost[kind] ?? []) await post(path, body, key);
    assert.equal(await movements(), before);
    for (const [id, captures] of await capturesByCharge()) assert.equal(captures, 1, id);
  });

  it('charges a lost batch once in the end', async () => {
    const again = await submitBatch(merchant, [row(), row()], { key: 'batch' });
    await untilDone(merchant, again.body.id);
    const charged = { account_id: merchant.accountId, status: 'succeeded' };
    assert.equal((await env!.db('charges').where(charged)).length, 7 + 3 * times);
  });

  it('gives the sequences of lost events to nobody', async () => {
    const { data } = (
      await merchant.get<{ data: { sequence: number }[] }>(
        `/v1/events?order=asc&limit=100&after_sequence=${lastSequence}`,
      )
    ).body;
    assert.ok(data.length > 0);
    assert.ok(data.every(({ sequence }) => sequence > 1_000_000));
  });

  it('does nothing when it is run again', async () => {
    const before = await movements();
    const [, , repair = ''] = book.commands;
    const { code, found } = await reconcile(repair);
    assert.deepEqual(
      found.restoration.payments.filter(({ choice }) => choice === 'restore'),
      [],
    );
    assert.deepEqual(found.findings, []);
    assert.equal(code, 0, JSON.stringify(found));
    assert.equal(await movements(), before);
  });

  it('captures an authorization whose row was lost', async () => {
    for (const { answer } of lost['authorized']!) {
      const { status, body } = await post(`/v1/charges/${answer.body.id}:capture`, {}, randomUUID());
      assert.equal(status, 200, JSON.stringify(body));
    }
  });

  interface Found {
    findings: Finding[];
    restoration: Restoration & { payments: LostPayment[] };
  }

  async function idsWithoutRow(): Promise<string[]> {
    const ids = new Set(
      (await env!.allBooks()).flatMap(({ charge_key, kind, key }) =>
        kind === 'refund' ? [charge_key, key] : [charge_key],
      ),
    );
    const known = await env!.db('charges').pluck('id');
    const refunds = await env!.db('refunds').pluck('id');
    return [...ids].filter((id) => !known.includes(id) && !refunds.includes(id));
  }

  async function capturesByCharge(): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const { kind, charge_key } of await env!.allBooks())
      if (kind === 'capture') counts.set(charge_key, (counts.get(charge_key) ?? 0) + 1);
    return counts;
  }
});
