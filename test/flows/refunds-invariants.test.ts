import assert from 'node:assert/strict';
import type { Facts, RefundFact } from '../support/invariants/facts.ts';
import { findRefundViolations } from '../support/invariants/refund-invariants.ts';

/** That the checker sees what is wrong with refunds, and calls it by its number. */

const ids = { account_id: 'acct_1', charge_id: 'ch_1' };
const endpoint = 'POST /v1/refunds';
const begun = { start_by: new Date(0), begun_at: new Date(0) };

function buildRefund(id: string, status: RefundFact['status'], amount: number): RefundFact {
  const reversal_claim_id = status === 'reversed' ? `${id}_reversal` : null;
  const row = { ...ids, id, claim_id: `${id}_claim`, workflow_id: id, created_at: new Date() };
  return { ...row, status, amount, reversal_claim_id };
}

/** A charge with a refund in each state, all as it should be. */
function soundFacts(): Facts {
  const entry = { charge_key: 'ch_1', kind: 'refund' as const };
  const refunds = [
    buildRefund('re_pending', 'pending', 100),
    buildRefund('re_processed', 'processed', 200),
    buildRefund('re_failed', 'failed', 300),
    buildRefund('re_reversed', 'reversed', 400),
  ];
  const event = (resource_id: string, type: string) => ({
    account_id: 'acct_1',
    sequence: 1,
    resource_id,
    type,
    id: `evt_${resource_id}_${type}`,
    created_at: new Date(),
  });
  const claim = (resource_id: string, answer_status: number | null, claim_id = `${resource_id}_claim`) => ({
    ...begun,
    claim_id,
    resource_id,
    endpoint,
    answer_status,
    answer_body: null,
  });
  return {
    now: new Date(),
    charges: [{ id: 'ch_1', amount_refunded: 300 } as Facts['charges'][number]],
    refunds,
    books: [
      { ...entry, key: 're_processed', amount: 200 },
      { ...entry, key: 're_reversed', amount: 400 },
      { ...entry, key: 're_reversed', amount: 400, kind: 'refund_reversal' },
    ],
    events: [
      event('re_processed', 'refund.processed'),
      event('re_failed', 'refund.failed'),
      event('re_reversed', 'refund.processed'),
      event('re_reversed', 'refund.reversed'),
    ],
    claims: [
      claim('re_pending', null),
      claim('re_processed', 201),
      claim('re_failed', 422),
      claim('re_reversed', 201),
      { ...claim('re_reversed', 200, 're_reversed_reversal'), endpoint: 'POST /v1/refunds/{id}:cancel' },
      claim('re_refused', 409),
    ],
    endpoints: [],
    deliveries: [],
    sequences: [],
    knownChargeIds: new Set(['ch_1']),
    runningClaims: new Set(['re_pending_claim', 're_processed_claim']),
  };
}

const planted: [invariant: number, what: string, plant: (facts: Facts) => void][] = [
  [1, 'a refund that moved twice', ({ books }) => void books.push(books[0]!)],
  [1, 'a reversal that moved twice', ({ books }) => void books.push(books[2]!)],
  [2, 'a charge that holds more than its refunds', ({ charges }) => (charges[0]!.amount_refunded += 1)],
  [2, 'a refund that did not move', ({ books }) => void books.shift()],
  [2, 'a reversal that did not move', ({ books }) => void books.pop()],
  [
    2,
    'a failed refund that moved',
    ({ books }) => void books.push({ ...books[0]!, key: 're_failed', amount: 300 }),
  ],
  [2, 'a refund of another amount', ({ books }) => (books[0]!.amount += 1)],
  [3, 'an event that is missing', ({ events }) => void events.pop()],
  [3, 'an event that is there twice', ({ events }) => void events.push(events[0]!)],
  [3, 'an answer that is missing', ({ claims }) => (claims[1]!.answer_status = null)],
  [3, 'a claim that is gone too soon', ({ claims }) => void claims.splice(1, 1)],
  [3, 'a failed refund that was answered as made', ({ claims }) => (claims[2]!.answer_status = 201)],
  [3, 'a refusal that is not stored', ({ claims }) => (claims[5]!.answer_status = null)],
  [3, 'an answer for a refund that is not there', ({ claims }) => (claims[5]!.answer_status = 201)],
  [3, 'a reversal that was answered and is none', ({ claims }) => (claims[4]!.resource_id = 're_processed')],
  [4, 'a refund whose run is gone', ({ runningClaims }) => void runningClaims.delete('re_processed_claim')],
];

describe('The checker of the invariants, of refunds', () => {
  it('finds nothing where nothing is wrong', () => {
    assert.deepEqual(findRefundViolations(soundFacts()), []);
  });

  for (const [invariant, what, plant] of planted) {
    it(`finds ${what} as a breach of invariant ${invariant}`, () => {
      const facts = soundFacts();
      plant(facts);
      const found = findRefundViolations(facts).map((violation) => violation.invariant);
      assert.ok(found.includes(invariant as 1), `found ${found.join(', ') || 'nothing'}`);
    });
  }
});
