import assert from 'node:assert/strict';
import type { ChargeFailure } from '#domain/charge-failures.ts';
import { presentRow, rowKey } from '#domain/operations/charge-batches.ts';
import { isTerminal, presentCharge, replyToCapture, replyToCharge, type Charge } from '#domain/charges.ts';
import type { Reply } from '#domain/problems.ts';
import { sampleCharge } from '../../support/resources/sample-charge.ts';

const at = (time: string) => new Date(`2026-11-01T${time}.000Z`);
const path = `/v1/charges/${sampleCharge.id}`;

function failed(code: ChargeFailure['code'], declineCode: ChargeFailure['decline_code'] = null): Charge {
  const failure = { code, decline_code: declineCode, message: 'No' };
  return { ...sampleCharge, status: 'failed', failure };
}

describe('A charge over the wire', () => {
  it('shows each time that it has', () => {
    const shown = presentCharge({
      ...sampleCharge,
      updatedAt: at('12:00:01'),
      capturedAt: at('12:00:02'),
      cancelRequestedAt: at('12:00:03'),
      cancelledAt: at('12:00:04'),
      expiresAt: at('12:00:05'),
    });
    assert.equal(shown.created, '2026-11-01T12:00:00.000Z');
    assert.equal(shown.updated, '2026-11-01T12:00:01.000Z');
    assert.equal(shown.captured_at, '2026-11-01T12:00:02.000Z');
    assert.equal(shown.cancel_requested_at, '2026-11-01T12:00:03.000Z');
    assert.equal(shown.cancelled_at, '2026-11-01T12:00:04.000Z');
    assert.equal(shown.expires_at, '2026-11-01T12:00:05.000Z');
  });

  it('shows null for each time that it lacks', () => {
    const { captured_at, cancel_requested_at, cancelled_at, expires_at, next_action } =
      presentCharge(sampleCharge);
    assert.deepEqual(
      [captured_at, cancel_requested_at, cancelled_at, expires_at, next_action],
      [null, null, null, null, null],
    );
  });

  it('is a charge, and keeps what was asked for', () => {
    const shown = presentCharge(sampleCharge);
    assert.equal(shown.object, 'charge');
    assert.deepEqual(
      [shown.id, shown.amount, shown.currency, shown.capture_method, shown.metadata],
      [sampleCharge.id, 1999, 'EUR', 'automatic', sampleCharge.metadata],
    );
  });

  const refunds: [captured: number, refunded: number, isRefunded: boolean][] = [
    [0, 0, false],
    [1999, 0, false],
    [1999, 1998, false],
    [1999, 1999, true],
  ];
  for (const [amountCaptured, amountRefunded, isRefunded] of refunds) {
    it(`is refunded or not after ${amountRefunded} of ${amountCaptured}`, () => {
      const shown = presentCharge({ ...sampleCharge, amountCaptured, amountRefunded });
      assert.equal(shown.refunded, isRefunded);
    });
  }

  const waiting: Charge = {
    ...sampleCharge,
    status: 'requires_action',
    actionUrl: 'https://bank.example/3ds',
    actionExpiresAt: at('13:00:00'),
  };

  it('says where its buyer confirms, and until when', () => {
    assert.deepEqual(presentCharge(waiting).next_action, {
      type: 'redirect',
      url: 'https://bank.example/3ds',
      expires_at: '2026-11-01T13:00:00.000Z',
    });
  });

  const silent: [what: string, Partial<Charge>][] = [
    ['it is to be cancelled', { cancelRequestedAt: at('12:30:00') }],
    ['it is pending', { status: 'pending' }],
    ['there is no address', { actionUrl: null }],
    ['there is no time', { actionExpiresAt: null }],
  ];
  for (const [what, change] of silent) {
    it(`sends its buyer nowhere when ${what}`, () => {
      assert.equal(presentCharge({ ...waiting, ...change }).next_action, null);
    });
  }

  it('is terminal once money moved for good or never', () => {
    const terminal = (
      ['pending', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'cancelled'] as const
    ).filter((status) => isTerminal({ status }));
    assert.deepEqual(terminal, ['succeeded', 'failed', 'cancelled']);
  });
});

describe('The answer to a charge', () => {
  const extras = { charge: sampleCharge.id };
  const shown: [Charge['status'], 201 | 202][] = [
    ['pending', 202],
    ['requires_action', 202],
    ['requires_capture', 201],
    ['succeeded', 201],
  ];
  for (const [status, code] of shown) {
    it(`that reads ${status} is ${code} with the charge`, () => {
      const charge = { ...sampleCharge, status };
      assert.deepEqual(replyToCharge(charge), { status: code, path, resource: presentCharge(charge) });
    });
  }

  const problems: [what: string, Charge, Reply][] = [
    ['was cancelled', { ...sampleCharge, status: 'cancelled' }, { problem: 'charge_cancelled', extras }],
    [
      'was declined',
      failed('card_declined', 'lost_card'),
      {
        problem: 'card_declined',
        detail: 'No',
        extras: { decline_code: 'lost_card', advice: 'do_not_retry', ...extras },
      },
    ],
    [
      'was declined without a reason',
      failed('card_declined'),
      {
        problem: 'card_declined',
        detail: 'No',
        extras: { decline_code: 'generic_decline', advice: 'use_another_card', ...extras },
      },
    ],
    ['was refused', failed('refused'), { problem: 'processor_refused', detail: 'No', extras }],
    ['was never sent', failed('not_sent'), { problem: 'payment_not_sent', extras }],
    ['stayed unknown', failed('processor_timeout'), { problem: 'payment_voided', extras }],
    ['was not confirmed', failed('authentication_expired'), { problem: 'payment_voided', extras }],
    ['failed unexplained', { ...sampleCharge, status: 'failed' }, { problem: 'payment_voided', extras }],
  ];
  for (const [what, charge, reply] of problems) {
    it(`that ${what} is ${'problem' in reply ? reply.problem : ''}`, () => {
      assert.deepEqual(replyToCharge(charge), reply);
    });
  }
});

describe('The answer to a capture', () => {
  const charge: Charge = { ...sampleCharge, status: 'succeeded', version: 6 };

  it('shows the charge with its next version', () => {
    assert.deepEqual(replyToCapture(charge, { kind: 'captured', amountCaptured: 1999 }), {
      status: 200,
      path,
      resource: presentCharge(charge),
      record: { id: charge.id, version: 7 },
    });
  });

  it('that a cancel came before is a refusal', () => {
    const charge: Charge = { ...sampleCharge, status: 'requires_capture', voidReason: 'cancelled' };
    const reply = replyToCapture(charge, { kind: 'captured', amountCaptured: 5 });
    assert.equal('problem' in reply && reply.problem, 'charge_not_capturable');
  });

  it('that was declined says why', () => {
    const declined = { kind: 'declined', declineCode: 'lost_card', message: 'Lost' } as const;
    assert.deepEqual(replyToCapture(charge, declined), {
      problem: 'capture_declined',
      detail: 'Lost',
      extras: { decline_code: 'lost_card', advice: 'do_not_retry', charge: charge.id },
    });
  });

  it('that was declined has the advice of the bank', () => {
    const declined = { kind: 'declined', declineCode: 'lost_card', message: 'Lost' } as const;
    const reply = replyToCapture(charge, { ...declined, advice: 'ask_buyer' });
    assert.equal('problem' in reply && reply.extras?.advice, 'ask_buyer');
  });
});

describe('A row of a batch', () => {
  it('shows its charge in the caller’s version', () => {
    const charge: Charge = { ...sampleCharge, status: 'succeeded' };
    const row = presentRow({ row: 3, status: 201, charge, error: null }, '2026-05-01');
    assert.deepEqual([row.row, row.status, row.error], [3, 201, null]);
    assert.equal((row.charge as { status: string }).status, 'paid');
  });

  it('without a charge shows none', () => {
    assert.equal(presentRow({ row: 0, status: 422, charge: null, error: null }, '2026-11-01').charge, null);
  });

  it('has a key of its own', () => {
    assert.equal(rowKey('op_1', 17), 'op_1/17');
  });
});
