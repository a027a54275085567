import assert from 'node:assert/strict';
import type { DeclineCode, ProcessorFaultCode } from '#processor/port.ts';
import { declineCodes, readDecline } from '#processor/stripe/declines.ts';
import {
  errorTable,
  faultKinds,
  isFault,
  readMeaning,
  toFault,
  type FaultMeaning,
  type Meaning,
  type StripeCall,
} from '#processor/stripe/errors.ts';

interface Example {
  status: number;
  type?: string;
  code?: string;
  on: StripeCall;
  means: Meaning;
}

const invalid = 'invalid_request_error';

/** An answer of each kind that Stripe documents, and what it says. */
const examples: Example[] = [
  { status: 401, type: invalid, on: 'confirm', means: 'misconfigured' },
  { status: 401, type: invalid, code: 'api_key_expired', on: 'ask', means: 'misconfigured' },
  { status: 403, type: invalid, on: 'refund', means: 'misconfigured' },
  { status: 429, type: invalid, code: 'rate_limit', on: 'confirm', means: 'rate_limited' },
  { status: 429, on: 'ask', means: 'rate_limited' },
  { status: 429, type: invalid, code: 'lock_timeout', on: 'cancel', means: 'locked' },
  { status: 409, type: invalid, code: 'lock_timeout', on: 'confirm', means: 'locked' },
  {
    status: 409,
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    on: 'confirm',
    means: 'in_progress',
  },
  { status: 409, type: invalid, on: 'confirm', means: 'unknown' },
  { status: 400, type: 'idempotency_error', on: 'prepare', means: 'key_reused' },
  { status: 400, type: 'idempotency_error', code: 'idempotency_error', on: 'refund', means: 'key_reused' },
  { status: 402, type: 'card_error', code: 'card_declined', on: 'confirm', means: 'declined' },
  { status: 402, type: 'card_error', code: 'card_declined', on: 'capture', means: 'declined' },
  { status: 402, type: 'card_error', on: 'refund', means: 'declined' },
  { status: 402, type: 'card_error', code: 'incorrect_number', on: 'prepare', means: 'refused' },
  { status: 402, type: 'card_error', on: 'cancel', means: 'unknown' },
  { status: 402, on: 'confirm', means: 'unknown' },
  { status: 400, type: invalid, code: 'payment_intent_unexpected_state', on: 'confirm', means: 'moved_on' },
  { status: 400, type: invalid, code: 'payment_intent_unexpected_state', on: 'cancel', means: 'moved_on' },
  { status: 404, type: invalid, code: 'payment_intent_unexpected_state', on: 'capture', means: 'moved_on' },
  { status: 400, type: invalid, on: 'cancel', means: 'unknown' },
  { status: 404, type: invalid, code: 'resource_missing', on: 'cancel', means: 'missing' },
  { status: 404, type: invalid, code: 'resource_missing', on: 'ask', means: 'missing' },
  { status: 404, on: 'ask', means: 'unknown' },
  { status: 404, type: invalid, code: 'resource_missing', on: 'confirm', means: 'refused' },
  { status: 400, type: invalid, code: 'resource_missing', on: 'prepare', means: 'refused' },
  { status: 400, type: invalid, code: 'token_already_used', on: 'prepare', means: 'refused' },
  { status: 400, type: invalid, code: 'amount_too_small', on: 'prepare', means: 'refused' },
  { status: 400, type: invalid, code: 'parameter_unknown', on: 'prepare', means: 'refused' },
  { status: 400, type: invalid, code: 'charge_already_refunded', on: 'refund', means: 'refused' },
  { status: 400, type: invalid, code: 'charge_disputed', on: 'refund', means: 'refused' },
  { status: 400, type: invalid, on: 'refund', means: 'refused' },
  { status: 400, type: invalid, code: 'charge_expired_for_capture', on: 'capture', means: 'refused' },
  { status: 400, on: 'prepare', means: 'unknown' },
  { status: 424, type: 'api_error', on: 'confirm', means: 'unknown' },
  { status: 500, type: 'api_error', on: 'refund', means: 'unknown' },
  { status: 502, on: 'confirm', means: 'unknown' },
  { status: 503, on: 'confirm', means: 'unknown' },
  { status: 504, on: 'capture', means: 'unknown' },
  { status: 302, on: 'confirm', means: 'unknown' },
  { status: 204, on: 'refund', means: 'unknown' },
];

function describeExample({ status, type, code, on }: Example): string {
  return [status, code ?? type ?? 'without a body', 'on', on].join(' ');
}

const toError = ({ type, code }: Example) => (type === undefined ? null : { type, code });

describe('errors of Stripe', () => {
  for (const example of examples) {
    it(`${describeExample(example)} means ${example.means}`, () => {
      assert.equal(readMeaning(example.on, example.status, toError(example)), example.means);
    });
  }

  it('each row of the table decides an example', () => {
    for (const row of errorTable) {
      const decides = examples.some(
        (example) =>
          errorTable.find(
            ({ status, type, codes, on }) =>
              status?.includes(example.status) !== false &&
              (type === undefined || type === example.type) &&
              codes?.includes(example.code ?? '') !== false &&
              on?.includes(example.on) !== false,
          ) === row,
      );
      assert.ok(decides, `a row that nothing shows: ${JSON.stringify(row)}`);
    }
  });

  const codes: [FaultMeaning, ProcessorFaultCode][] = [
    ['misconfigured', 'processor_unavailable'],
    ['rate_limited', 'processor_unavailable'],
    ['locked', 'processor_unavailable'],
    ['in_progress', 'processor_timeout'],
    ['key_reused', 'processor_invalid_response'],
    ['missing', 'processor_invalid_response'],
    ['unknown', 'processor_invalid_response'],
  ];
  const fault = (meaning: FaultMeaning, replayed = false, call: StripeCall = 'confirm') =>
    toFault(call, meaning, { status: 500, error: null, replayed, evidence: 'seen' });
  for (const [meaning, code] of codes) {
    it(`what is ${meaning} is the fault ${code}`, () => {
      assert.equal(fault(meaning).code, code);
      assert.equal(fault(meaning).evidence, 'seen');
      assert.equal(fault(meaning).presence, 'there');
      assert.ok(isFault(meaning));
    });
  }

  it('every meaning of a fault has its code', () => {
    assert.deepEqual(codes.map(([meaning]) => meaning).toSorted(), Object.keys(faultKinds).toSorted());
  });

  it('a stored failure asks for the next key', () => {
    assert.equal(fault('unknown').renewsKey, false);
    assert.equal(fault('unknown', true).renewsKey, true);
    assert.equal(fault('key_reused').renewsKey, true);
    assert.equal(fault('rate_limited', true).renewsKey, false);
  });

  it('a refund takes its next key a minute later', () => {
    assert.equal(fault('unknown', true, 'refund').retryAfterMs, 60_000);
    assert.equal(fault('unknown', true, 'confirm').retryAfterMs, null);
  });
});

describe('declines of Stripe', () => {
  const rows: [string, string | null, DeclineCode][] = [
    ['card_declined', 'insufficient_funds', 'insufficient_funds'],
    ['card_declined', 'withdrawal_count_limit_exceeded', 'insufficient_funds'],
    ['card_declined', 'card_velocity_exceeded', 'insufficient_funds'],
    ['card_declined', 'lost_card', 'lost_card'],
    ['card_declined', 'pickup_card', 'lost_card'],
    ['card_declined', 'stolen_card', 'stolen_card'],
    ['card_declined', 'fraudulent', 'generic_decline'],
    ['card_declined', 'generic_decline', 'generic_decline'],
    ['card_declined', 'try_again_later', 'processing_error'],
    ['card_declined', 'issuer_not_available', 'processing_error'],
    ['card_declined', 'reenter_transaction', 'processing_error'],
    ['card_declined', 'a_code_of_tomorrow', 'generic_decline'],
    ['card_declined', null, 'generic_decline'],
    ['expired_card', null, 'expired_card'],
    ['invalid_expiry_month', null, 'expired_card'],
    ['invalid_expiry_year', null, 'expired_card'],
    ['incorrect_cvc', null, 'incorrect_cvc'],
    ['invalid_cvc', null, 'incorrect_cvc'],
    ['processing_error', null, 'processing_error'],
    ['authentication_required', 'authentication_required', 'authentication_required'],
    ['authentication_required', 'authentication_not_handled', 'authentication_required'],
    ['payment_intent_authentication_failure', null, 'authentication_failed'],
  ];
  for (const [code, decline, expected] of rows) {
    it(`${code} with ${decline ?? 'no more'} is ${expected}`, () => {
      assert.equal(readDecline({ code, decline_code: decline }).declineCode, expected);
    });
  }

  it('shows each code of the table', () => {
    const shown = new Set(rows.flatMap(([code, decline]) => [code, decline]));
    assert.deepEqual(
      Object.keys(declineCodes).filter((code) => !shown.has(code)),
      [],
    );
  });
});
