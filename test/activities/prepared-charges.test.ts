import assert from 'node:assert/strict';
import { createActivities } from '#activities/index.ts';
import type { ActivityDeps } from '#activities/deps.ts';
import { buildChargeUpdate } from '#db/payments/charges.ts';
import { findCharge } from '#db/payments/charges.ts';
import { commitEffect } from '#db/writes/effects.ts';
import { findClaim } from '#db/writes/idempotency-keys.ts';
import type { ChargeOutcome } from '#domain/charges.ts';
import { readOrigin } from '#processor/origins.ts';
import { ProcessorFault, type PaymentProcessor, type SentCharge } from '#processor/port.ts';
import { sandboxCapabilities } from '#processor/sandbox/adapter.ts';
import { fixedProcessor } from '../support/resources/fixed-processor.ts';
import { claimCharge, openBench, secretsKey, type Bench } from './payment-bench.ts';

let bench: Bench;

const claimedCharge = () => claimCharge(bench);

/** A processor that prepares: what it was asked for, and what it answers. */
function createProcessor(answers: Partial<PaymentProcessor> = {}) {
  const calls: [call: string, ref: string | null, attempt: number][] = [];
  const note = (call: string, { ref, attempt }: SentCharge) => calls.push([call, ref, attempt]);
  let refs = 0;
  const processor = {
    capabilities: sandboxCapabilities,
    acceptsToken: () => true,
    prepare: (charge: SentCharge) => {
      note('prepare', charge);
      return Promise.resolve({ kind: 'prepared', ref: `ref_${(refs += 1)}` });
    },
    authorize: (charge: SentCharge): Promise<ChargeOutcome> => {
      note('authorize', charge);
      return Promise.resolve({ kind: 'captured', processorId: 'p', amountCaptured: 1000 });
    },
    findCharge: (charge: SentCharge) => {
      note('find', charge);
      return Promise.resolve(null);
    },
    void: ({ charge }: { charge: SentCharge }) => {
      note('void', charge);
      return Promise.resolve({ kind: 'voided' });
    },
    ...answers,
  } as unknown as PaymentProcessor;
  const steps = createActivities({
    db: bench.db,
    processors: fixedProcessor(processor),
    publicUrl: 'http://localhost',
    secretsKey,
  } as ActivityDeps);
  return { calls, steps };
}

const readRow = async (id: string) => bench.db('charges').where({ id }).first();
const lostAnswer = (renewsKey = false) =>
  Promise.reject(new ProcessorFault('processor_timeout', 'no answer', { renewsKey }));

describe('The steps of a charge whose processor prepares', () => {
  before(async () => {
    bench = await openBench();
  });

  it('prepare, keep the reference, and only then authorize', async () => {
    const run = await claimedCharge();
    const { calls, steps } = createProcessor();
    const end = await steps.authorizeCharge(run);
    assert.equal(end.status, 'succeeded');
    assert.deepEqual(calls, [
      ['prepare', null, 1],
      ['authorize', 'ref_1', 1],
    ]);
    assert.equal((await readRow(run.chargeId)).processor_ref, 'ref_1');
  });

  it('authorize one reference, however many were prepared', async () => {
    const run = await claimedCharge();
    const first = createProcessor({ prepare: () => lostAnswer() });
    await first.steps.authorizeCharge(run);
    const { calls, steps } = createProcessor();
    await Promise.all(Array.from({ length: 5 }, () => steps.resolveCharge(run)));
    const { processor_ref: kept } = await readRow(run.chargeId);
    const authorized = calls.filter(([call]) => call === 'authorize').map(([, ref]) => ref);
    assert.ok(calls.filter(([call]) => call === 'prepare').length > 1, 'several prepared it');
    assert.deepEqual([...new Set(authorized)], [kept]);
  });

  it('void without a call what was never prepared', async () => {
    const run = await claimedCharge();
    const { steps } = createProcessor({ prepare: () => lostAnswer() });
    await steps.authorizeCharge(run);
    await bench.db('charges').where({ id: run.chargeId }).update({ void_reason: 'cancelled' });
    const later = createProcessor();
    const end = await later.steps.voidCharge(run);
    assert.equal(end.status, 'cancelled');
    assert.deepEqual(later.calls, []);
    assert.equal((await readRow(run.chargeId)).processor_ref, 'void');
  });

  it('authorize nothing after a void came first', async () => {
    const run = await claimedCharge();
    const { steps: lost } = createProcessor({ prepare: () => lostAnswer() });
    await lost.authorizeCharge(run);
    const voids = createProcessor();
    const { calls, steps } = createProcessor({
      prepare: async () => {
        await bench.db('charges').where({ id: run.chargeId }).update({ void_reason: 'cancelled' });
        await voids.steps.voidCharge(run);
        return { kind: 'prepared', ref: 'ref_late' };
      },
    });
    await steps.resolveCharge(run);
    assert.deepEqual(
      calls.filter(([call]) => call === 'authorize'),
      [],
    );
    assert.equal((await readRow(run.chargeId)).status, 'cancelled');
  });

  it('prepare anew with the first reference and description', async () => {
    const run = await claimCharge(bench, { reference: 'order-1', description: 'Order 1' });
    const told: [reference: string | null | undefined, description: string | null][] = [];
    const prepare = (charge: SentCharge) => {
      told.push([readOrigin(charge.origin ?? null)?.reference, charge.description]);
      return lostAnswer();
    };
    const { steps } = createProcessor({ prepare });
    await steps.authorizeCharge(run);
    for (const reference of ['order-2', null]) {
      const charge = await findCharge(bench.db, bench.accountId, run.chargeId);
      const details = { reference, description: null, metadata: {} };
      assert.ok(await commitEffect(bench.db, buildChargeUpdate(charge!, details, new Date()), {}));
      await assert.rejects(steps.resolveCharge(run));
    }
    const first = ['order-1', 'Order 1'];
    assert.deepEqual(told, [first, first, first], 'the same key is the same request');
  });

  it('send under another key after a stored failure', async () => {
    const run = await claimedCharge();
    const { steps } = createProcessor({ authorize: () => lostAnswer(true) });
    await steps.authorizeCharge(run);
    assert.equal((await readRow(run.chargeId)).processor_attempt, 2);
    const later = createProcessor();
    await later.steps.resolveCharge(run);
    assert.deepEqual(later.calls, [
      ['find', 'ref_1', 2],
      ['authorize', 'ref_1', 2],
    ]);
  });

  it('answer 422 to what the processor refuses', async () => {
    const run = await claimedCharge();
    const refused = { kind: 'refused', code: 'amount_too_small', message: 'At least 0.50 EUR.' } as const;
    const { steps } = createProcessor({ prepare: () => Promise.resolve(refused) });
    const end = await steps.authorizeCharge(run);
    const row = await readRow(run.chargeId);
    assert.deepEqual([end.status, row.failure.code], ['failed', 'refused']);
    assert.equal((await findClaim(bench.db, run.claimId))?.answer?.status, 422);
  });

  it('never change the reference or the processor', async () => {
    const run = await claimedCharge();
    await createProcessor().steps.authorizeCharge(run);
    const change = (to: object) => bench.db('charges').where({ id: run.chargeId }).update(to);
    await assert.rejects(change({ processor_ref: 'ref_other' }), /stays with its processor/);
    await assert.rejects(change({ processor_ref: null }), /stays with its processor/);
    await assert.rejects(change({ processor_id: 'prc_other' }), /stays with its processor/);
  });
});
