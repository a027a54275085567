import assert from 'node:assert/strict';
import { endRow, type KeptRow } from '#domain/operations/charge-batches.ts';
import { catalogue } from '#domain/problem-catalogue.ts';
import { sampleCharge } from '../support/resources/sample-charge.ts';

const context = {
  publicUrl: 'https://payments.example',
  instance: '/v1/charge-batches',
  traceId: '0'.repeat(32),
};
const pending = { ...sampleCharge, status: 'pending' } as const;
const kept: KeptRow = { row: 0, status: null, charge: pending, error: null };
const toEnd = (row: Partial<KeptRow>) => endRow({ ...kept, ...row }, 'operation_terminated', context);

describe('A line of a charge batch', () => {
  it('reads as its charge, which has ended meanwhile', () => {
    const open = toEnd({});
    const charge = { ...sampleCharge, status: 'succeeded', amountCaptured: 1999 } as const;
    assert.deepEqual(toEnd({ charge }), { status: 201, error: null });
    assert.deepEqual(toEnd({ ...open, charge }), { status: 201, error: null });
    assert.deepEqual(toEnd({ status: 202, charge }), { status: 201, error: null });
    assert.deepEqual(toEnd({ status: 202 }), { status: 202, error: null });
    const taken = { ...pending, processorPending: true };
    assert.deepEqual(toEnd({ charge: taken }), { status: 202, error: null });
  });

  it('keeps the answer that the row had', () => {
    const charge = { ...sampleCharge, status: 'cancelled' } as const;
    assert.deepEqual(toEnd({ status: 201, charge }), { status: 201, error: null });
  });

  it('names the charge of an unknown outcome', () => {
    const { status, error } = toEnd({});
    assert.deepEqual([status, error?.code, error?.charge], [504, 'processor_timeout', sampleCharge.id]);
    assert.ok(error?.detail.includes(`Read the charge ${sampleCharge.id}`));
    const fault = toEnd({ charge: { ...pending, processorFault: 'processor_invalid_response' } });
    assert.deepEqual([fault.status, fault.error?.charge], [502, sampleCharge.id]);
  });

  it('without a charge was never begun', () => {
    const { status, error } = toEnd({ charge: null });
    assert.deepEqual([status, error?.code, error?.charge], [500, 'operation_terminated', undefined]);
    assert.match(String(error?.detail), /^This row was never begun\. Nothing was charged for it/);
  });

  it('never has an advice that charges twice', () => {
    for (const code of [
      'operation_cancelled',
      'operation_failed',
      'operation_terminated',
      'result_expired',
    ] as const)
      assert.doesNotMatch(catalogue[code].advice, /^(Submit|It)[^.]*again with a new key/);
    for (const code of ['processor_timeout', 'processor_unavailable', 'processor_invalid_response'] as const)
      assert.match(catalogue[code].advice, /of a row of a batch, read the charge\.$/i);
  });
});
