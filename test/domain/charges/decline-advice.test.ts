import assert from 'node:assert/strict';
import { renderReply } from '#domain/answers.ts';
import {
  adviceMeanings,
  adviseAfter,
  declineAdvices,
  declineCodes,
  type DeclineAdvice,
  type DeclineCode,
} from '#domain/cards/decline-advice.ts';
import { presentFailure, type ChargeFailure } from '#domain/charge-failures.ts';
import { applyOutcome } from '#domain/charge-moves.ts';
import { replyToCharge, type Charge } from '#domain/charges.ts';
import { presentRow, readEnd } from '#domain/operations/charge-batches.ts';
import { sampleCharge } from '../../support/resources/sample-charge.ts';

const context = { publicUrl: 'https://payments.example', instance: '/v1/charges', traceId: 'trace' };

/** A charge that was declined, as the row keeps it. */
function decline(declineCode: DeclineCode, advice?: DeclineAdvice): Charge {
  const outcome = { kind: 'declined', processorId: 'p', declineCode, advice, message: 'No' } as const;
  const durations = { authorizationTtlMs: 1, unknownTimeoutMs: 1 };
  return applyOutcome({ ...sampleCharge, status: 'pending' }, outcome, durations, new Date()).charge;
}

const expected: Record<DeclineCode, DeclineAdvice> = {
  generic_decline: 'use_another_card',
  insufficient_funds: 'retry_later',
  expired_card: 'ask_buyer',
  incorrect_cvc: 'ask_buyer',
  lost_card: 'do_not_retry',
  stolen_card: 'do_not_retry',
  processing_error: 'retry_later',
  authentication_required: 'ask_buyer',
  authentication_failed: 'ask_buyer',
};

describe('The advice after a decline', () => {
  for (const declineCode of declineCodes) {
    const { [declineCode]: advice } = expected;
    it(`with ${declineCode} is ${advice}, or what is said`, () => {
      assert.equal(adviseAfter({ declineCode }), advice);
      for (const told of declineAdvices) assert.equal(adviseAfter({ declineCode, advice: told }), told);
    });
  }

  it('has words for merchants, one by one', () => {
    assert.deepEqual(Object.keys(adviceMeanings), [...declineAdvices]);
  });
});

describe('The advice of a failed charge', () => {
  it('is kept only where the processor gave it', () => {
    assert.equal(decline('lost_card', 'ask_buyer').failure?.advice, 'ask_buyer');
    assert.equal('advice' in decline('lost_card').failure!, false);
  });

  it('of an older row follows from its code', () => {
    const failure: ChargeFailure = { code: 'card_declined', decline_code: 'lost_card', message: 'No' };
    assert.deepEqual(presentFailure(failure), { ...failure, advice: 'do_not_retry' });
    assert.equal(presentFailure({ ...failure, decline_code: null }).advice, 'use_another_card');
  });

  it('is null where nobody declined the card', () => {
    for (const code of ['processor_timeout', 'not_sent', 'refused', 'capture_failed'] as const)
      assert.equal(presentFailure({ code, decline_code: null, message: 'No' }).advice, null);
  });

  it('stands beside its code in the problem document', () => {
    const reply = replyToCharge(decline('insufficient_funds', 'do_not_retry'));
    const newer = renderReply(reply, { ...context, apiVersion: '2026-11-01' });
    assert.match(newer.text, /"decline_code":"insufficient_funds","advice":"do_not_retry"/);
    const older = renderReply(reply, { ...context, apiVersion: '2026-05-01' });
    assert.match(older.text, /"decline_code":"insufficient_funds","charge"/);
  });

  it('stands in a line of a batch', () => {
    const charge = decline('insufficient_funds', 'do_not_retry');
    const row = { row: 0, charge, ...readEnd(charge, context) };
    const newer = presentRow(row, '2026-11-01');
    assert.equal(newer.error?.advice, 'do_not_retry');
    assert.match(JSON.stringify(newer.charge), /"advice":"do_not_retry"/);
    assert.doesNotMatch(JSON.stringify(presentRow(row, '2026-05-01')), /advice/);
  });
});
