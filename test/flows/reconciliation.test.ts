import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { reconcile, type Finding, type Reconciliation } from '#activities/maintenance/reconciliation.ts';
import { runReconcile } from '#admin/reconciling.ts';
import { Payments } from '#client/src/index.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { startStack, type Stack } from '#local/stack.ts';
import { readConfig } from '#startup/config.ts';
import { openProcessors } from '#startup/processors.ts';
import { eventually } from '../support/eventually.ts';
import { placeBundle } from '../support/bundle.ts';
import { scrape } from '../support/metrics.ts';

/** Its own stack: money without a charge, which is planted here, would be found by every other test. */
describe('npm run reconcile', function () {
  const localDir = mkdtempSync(join(tmpdir(), 'payments-reconcile-'));
  let stack: Stack;
  let db: Database;
  let connection: Connection;
  let temporal: TemporalClient;
  let client: Payments;

  before(async () => {
    const env = { ...process.env, PROCESSOR_ASYNC_MS: '6000' };
    await placeBundle(localDir);
    stack = await startStack({ localDir, env, restart: false });
    db = createDatabase(stack.databaseUrl, 3);
    // Before the first request: the API keeps an account that it has read for some seconds. The stack is this file's own.
    await db('accounts').update({ refund_reversible_ms: 1, refund_settlement_ms: 1 });
    connection = await Connection.connect({ address: stack.temporalAddress });
    temporal = new TemporalClient({ connection, namespace: stack.temporalNamespace });
    client = new Payments({ baseUrl: stack.apiUrl, ...stack.secrets.demo });
    // It would repair what is planted here before it is found.
    const sweep = temporal.schedule.getHandle('maintenance/sweep/payments');
    await eventually('the sweep rests', () => sweep.pause('what it repairs is looked for').then(() => true));
  });

  after(async () => {
    await db?.destroy();
    await connection?.close();
    await stack?.stop();
    rmSync(localDir, { recursive: true, force: true });
  });

  it('finds nothing where nothing is wrong', async () => {
    const charge = await pay('tok_visa');
    await client.refunds.create({ charge, amount: 300 });
    await pay('tok_declined').catch(() => undefined);
    const { code, found } = await run();
    assert.deepEqual(found.findings, []);
    assert.equal(code, 0);
    assert.ok(found.chargesCompared >= 2 && found.refundsCompared >= 1 && found.movementsCompared >= 2);
    const [recorded] = await db('reconciliations').where({ requested_by: 'npm run reconcile' });
    assert.deepEqual(
      [recorded.status, Number(recorded.charges_compared), recorded.differences],
      ['succeeded', found.chargesCompared, 0],
    );
  });

  it('mends by the books alone what failed later', async () => {
    const refund = await client.refunds.create({ charge: await pay('tok_refund_fails_later'), amount: 300 });
    const taken = await pay('tok_capture_fails_later');
    const read = async () => (await client.refunds.get(refund.id)).status;
    await eventually('the refund is settled', async () => (await read()) === 'settled');
    // Nobody hears of it here: its run has ended, and the sweep rests.
    const codes = async () => (await findDifferences()).map(({ code }) => code).toSorted();
    const late = ['capture_failed_late', 'refund_failed_late'];
    await eventually('the books show both', async () => String(await codes()) === String(late));
    const { code, found } = await run('--repair');
    assert.ok(found.findings.every(({ repaired }) => repaired));
    assert.equal(code, 0);
    const { status, failure } = await client.refunds.get(refund.id);
    assert.deepEqual([status, failure?.code], ['failed', 'returned']);
    const charge = await client.charges.get(taken);
    assert.deepEqual([charge.status, charge.failure?.code], ['failed', 'capture_failed']);
    assert.deepEqual(await codes(), []);
  });

  it('finds money the processor took without a row', async () => {
    const key = newId('charge');
    await processor('/charges', { key, token: 'tok_visa', amount: 700, currency: 'EUR', capture: true });
    const { code, output } = await runProgram('--json', '--settle', '200', '--repair');
    assert.deepEqual((JSON.parse(output) as Reconciliation).findings, [
      {
        code: 'charge_missing',
        of: key,
        detail: 'the ledger holds 700, and there is no such charge',
        repaired: false,
      },
    ]);
    assert.equal(code, 1);
    await processor('/voids', { charge_key: key });
    assert.deepEqual(await findDifferences(), []);
  });

  it('says how many keys one run left', async () => {
    const keys = [newId('charge'), newId('charge'), newId('charge')];
    for (const key of keys)
      await processor('/charges', { key, token: 'tok_visa', amount: 700, currency: 'EUR', capture: true });
    const [some, all] = [await reconcileNow({ most: 1 }), await reconcileNow({})];
    for (const key of keys) await processor('/voids', { charge_key: key });
    assert.deepEqual([some.complete, some.unexamined, some.findings.length], [false, 2, 1]);
    assert.deepEqual([all.complete, all.unexamined], [true, 0]);
    assert.deepEqual(all.findings.map(({ of }) => of).toSorted(), keys.toSorted());
  });

  it('records and prints that a run is incomplete', async () => {
    const charges = [await pay('tok_visa'), await pay('tok_visa'), await pay('tok_visa')];
    const hold = (amount: number) => db('charges').whereIn('id', charges).update({ amount_captured: amount });
    await hold(1998);
    const printed: string[] = [];
    const output = { result: (text: string) => printed.push(text), progress: () => undefined };
    const code = await runReconcile(['--repair', '--settle', '200'], stack.env, output, 1);
    const whole = await reconcileNow({ most: 3 });
    await hold(1999);
    assert.equal(code, 1);
    assert.match(
      printed.join(''),
      /\nINCOMPLETE: 2 possible differences were not looked at.*run it again\n$/,
    );
    const recorded = await db('reconciliations').orderBy('id', 'desc').first();
    assert.deepEqual(
      [recorded.status, recorded.complete, recorded.unexamined, recorded.differences],
      ['succeeded', false, 2, 1],
    );
    assert.deepEqual([whole.complete, whole.unexamined, whole.findings.length], [true, 0, 3]);
  });

  it('finds an authorization that no row tells of', async () => {
    const key = newId('charge');
    await processor('/charges', { key, token: 'tok_visa', amount: 700, currency: 'EUR', capture: false });
    const { code, found } = await run('--repair');
    assert.deepEqual(found.findings, [
      {
        code: 'authorization_unknown',
        of: key,
        detail: 'the ledger reserves 700, and there is no such charge',
        repaired: false,
      },
    ]);
    assert.equal(code, 1);
    await processor('/voids', { charge_key: key });
    assert.deepEqual(await findDifferences(), []);
  });

  const failure = JSON.stringify({ code: 'processor_timeout', decline_code: null, message: 'Voided.' });
  for (const ended of [
    { status: 'cancelled', cancelled_at: new Date() },
    { status: 'failed', failure },
  ]) {
    const { status } = ended;
    it(`finds a ${status} charge whose authorization is held`, async () => {
      const charge = await pay('tok_visa', 'manual');
      await db('charges')
        .where({ id: charge })
        .update({ ...ended, expires_at: null });
      const { code, found } = await run('--repair');
      assert.deepEqual(found.findings, [
        {
          code: 'authorization_held',
          of: charge,
          detail: `reads ${status}, and the ledger still reserves 1999`,
          repaired: false,
        },
      ]);
      assert.equal(code, 1);
      await processor('/voids', { charge_key: charge });
      assert.deepEqual(await findDifferences(), []);
    });
  }

  it('cancels a charge whose authorization the processor released', async () => {
    const charge = await pay('tok_visa', 'manual');
    await processor('/voids', { charge_key: charge });
    const { code, found } = await run('--repair');
    assert.deepEqual(
      found.findings.map((one) => [one.code, one.of, one.repaired]),
      [['authorization_missing', charge, true]],
    );
    assert.equal(code, 0);
    await eventually(
      'the charge is cancelled',
      async () => (await client.charges.get(charge)).status === 'cancelled',
    );
    assert.deepEqual(await findDifferences(), []);
  });

  it('finds a row of another amount, and leaves it', async () => {
    const charge = await pay('tok_visa');
    await db('charges').where({ id: charge }).update({ amount_captured: 1998 });
    const { code, found } = await run('--repair');
    assert.equal(code, 1);
    assert.deepEqual(
      found.findings.map((one) => [one.code, one.of, one.repaired]),
      [['captured_amount_differs', charge, false]],
    );
    assert.equal((await db('charges').where({ id: charge }).first('amount_captured')).amount_captured, 1998);
    await db('charges').where({ id: charge }).update({ amount_captured: 1999 });
  });

  it('updates a charge without a workflow from the processor', async () => {
    const charge = await pay('tok_async_silent');
    const row = await db('charges').where({ id: charge }).first('workflow_id');
    await temporal.workflow.getHandle(row.workflow_id).terminate('lost');
    await db('charges')
      .where({ id: charge })
      .update({ updated_at: new Date(Date.now() - 120_000) });
    await eventually('the processor has decided', async () => {
      const answer = await fetch(`${stack.processorUrl}/books?key=${charge}`, {
        headers: { authorization: `Bearer ${stack.secrets.processorSecret}` },
      });
      const { data } = (await answer.json()) as { data: { kind: string }[] };
      return data.some(({ kind }) => kind === 'capture');
    });

    const told = await run();
    assert.deepEqual(
      told.found.findings.map((one) => [one.code, one.of, one.repaired]),
      [
        ['charge_behind', charge, false],
        ['workflow_missing', charge, false],
      ],
    );
    assert.equal(told.code, 1);
    const repaired = await run('--repair');
    assert.deepEqual(
      repaired.found.findings.map((one) => [one.code, one.repaired]),
      [
        ['charge_behind', true],
        ['workflow_missing', true],
      ],
    );
    assert.equal(repaired.code, 0);
    await eventually('the charge catches up', async () => {
      return (await client.charges.get(charge)).status === 'succeeded';
    });
    assert.deepEqual(await findDifferences(), []);
  });

  it('runs by itself as a scheduled workflow', async () => {
    const handle = await temporal.workflow.start('reconcile', {
      workflowId: 'reconcile-now',
      taskQueue: 'payments',
    });
    const result = (await handle.result()) as { found: object; chargesCompared: number; unexamined: number };
    assert.deepEqual([result.found, result.unexamined], [{}, 0]);
    assert.ok(result.chargesCompared >= 3);
    const description = await temporal.schedule.getHandle('maintenance/reconcile/payments').describe();
    assert.equal(description.action.type, 'startWorkflow');
  });

  it('tells each kind of difference in a metric', async () => {
    const key = newId('charge');
    await processor('/charges', { key, token: 'tok_visa', amount: 700, currency: 'EUR', capture: false });
    const handle = await temporal.workflow.start('reconcile', {
      workflowId: 'reconcile-a-difference',
      taskQueue: 'payments',
    });
    const { found } = (await handle.result()) as { found: object };
    assert.deepEqual(found, { authorization_unknown: 1 });
    await eventually('the metric has it', async () => {
      const told = await scrape(stack.metricsUrls.worker);
      const step = 'reconcileBooks.found.authorization_unknown';
      return told.sum('payments_upkeep_total', { step }) === 1;
    });
    await processor('/voids', { charge_key: key });
  });

  it('says what there is to a wrong flag', async () => {
    const { code, output } = await runHere('--wrong');
    assert.equal(code, 2);
    assert.match(output, /npm run reconcile -- \[--repair\]/);
  });

  it('refuses --resume without --restored and --repair', async () => {
    const { code, output } = await runHere('--restored', '--resume');
    assert.equal(code, 2);
    assert.match(output, /^--resume is for --restored --repair\./m);
  });

  async function pay(
    payment_method: string,
    capture_method: 'automatic' | 'manual' = 'automatic',
  ): Promise<string> {
    const created = { amount: 1999, currency: 'EUR', payment_method, capture_method } as const;
    return (await client.charges.create(created)).id;
  }

  async function processor(path: string, body: object): Promise<void> {
    const answer = await fetch(stack.processorUrl + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${stack.secrets.processorSecret}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200);
  }

  /** Compares in this process: a program of its own takes seconds to start. */
  async function findDifferences(): Promise<Finding[]> {
    return (await reconcileNow({})).findings;
  }

  async function reconcileNow(options: { most?: number }): Promise<Reconciliation> {
    const config = readConfig(stack.env);
    const processors = openProcessors({ db, config });
    const { secretsKey, publicUrl } = config;
    const deps = {
      db,
      client: temporal,
      processors,
      secretsKey,
      publicUrl,
    };
    try {
      return await reconcile(deps, { repair: false, settleMs: 200, ...options });
    } finally {
      await processors.close();
    }
  }

  /** Runs the command in this process: a program of its own takes seconds to start. */
  async function run(...args: string[]): Promise<{ code: number | null; found: Reconciliation }> {
    const { code, output } = await runHere('--json', '--settle', '200', ...args);
    return { code, found: JSON.parse(output) as Reconciliation };
  }

  async function runHere(...args: string[]): Promise<{ code: number | null; output: string }> {
    let [output, errors] = ['', ''];
    const code = await runReconcile(args, stack.env, {
      result: (text) => void (output += text),
      progress: (line) => void (errors += `${line}\n`),
    });
    return { code, output: output || errors };
  }

  /** Runs it as an operator types it. */
  async function runProgram(...args: string[]): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, ['local/start.mjs', 'reconcile', ...args], {
      env: stack.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, output: Buffer.concat(chunks).toString() };
  }
});
