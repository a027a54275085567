import assert from 'node:assert/strict';
import { findViolations, type OperationFact } from '../support/invariants/operation-invariants.ts';

const sound: OperationFact = {
  id: 'op_1',
  claim_id: 'clm_1',
  workflow_id: 'export/acct_1/key',
  status: 'succeeded',
  result: { key: 'results/op_1' },
  error: null,
  answer_status: 202,
  has_claim: true,
  events: ['operation.succeeded'],
};
const cancelled: Partial<OperationFact> = {
  status: 'cancelled',
  result: null,
  error: { code: 'operation_cancelled' },
  events: ['operation.cancelled'],
};

describe('The checker of operations', () => {
  const soundOnes: [what: string, fact: Partial<OperationFact>][] = [
    ['one that succeeded', {}],
    ['one that was cancelled', cancelled],
    ['one that runs', { status: 'running', result: null, events: [] }],
    ['one whose claim is no longer kept', { has_claim: false, answer_status: null }],
  ];
  for (const [what, fact] of soundOnes) {
    it(`finds no fault in ${what}`, () => assert.deepEqual(findViolations({ ...sound, ...fact }), []));
  }

  const broken: [what: string, fact: Partial<OperationFact>][] = [
    ['an end without its event', { events: [] }],
    ['an end that is told of twice', { events: ['operation.succeeded', 'operation.succeeded'] }],
    ['an end that is told of as another', { events: ['operation.failed'] }],
    ['an event of one that runs', { status: 'running', result: null }],
    ['an end whose claim has no answer', { answer_status: null }],
    ['a success without a result', { result: null }],
    ['a success with an error', { error: {} }],
    ['a cancel without an error', { ...cancelled, error: null }],
  ];
  for (const [what, fact] of broken) {
    it(`finds ${what} as a breach of invariant 3`, () => {
      const found = findViolations({ ...sound, ...fact });
      assert.deepEqual([...new Set(found.map(({ invariant }) => invariant))], [3]);
    });
  }
});
