import assert from 'node:assert/strict';
import {
  compareCharge,
  compareRefund,
  repairable,
  type ChargeLedger,
  type ChargeRecord,
  type RefundLedger,
  type RefundRecord,
} from '#domain/reconciliation.ts';

const nothing = { authorizations: 0, authorized: 0, captures: 0, captured: 0 };
const none: ChargeLedger = { ...nothing, uncaptured: 0, voided: 0, unvoided: 0 };
const paid: ChargeLedger = { ...none, captures: 1, captured: 100 };
const reserved: ChargeLedger = { ...none, authorizations: 1, authorized: 100 };

describe('What a charge and its ledger differ in', () => {
  const cases: [
    fact: string,
    record: (Pick<ChargeRecord, 'status' | 'amountCaptured'> & Partial<ChargeRecord>) | null,
    ledger: ChargeLedger | null,
    codes: string[],
  ][] = [
    ['a succeeded charge that was captured once', { status: 'succeeded', amountCaptured: 100 }, paid, []],
    ['a declined charge that the ledger does not know', { status: 'failed', amountCaptured: 0 }, null, []],
    [
      'a charge that was taken and then voided',
      { status: 'failed', amountCaptured: 0 },
      { ...paid, voided: 100 },
      [],
    ],
    [
      'a reservation that was released',
      { status: 'cancelled', amountCaptured: 0 },
      { ...reserved, voided: 100 },
      [],
    ],
    ['an authorization', { status: 'requires_capture', amountCaptured: 0 }, reserved, []],
    [
      'a reservation of which a part was taken',
      { status: 'succeeded', amountCaptured: 40 },
      { ...reserved, captures: 1, captured: 40 },
      [],
    ],
    [
      'a capture that the row does not know yet',
      { status: 'requires_capture', amountCaptured: 0 },
      { ...reserved, captures: 1, captured: 40 },
      ['charge_behind'],
    ],
    [
      'a cancelled charge whose reservation is held',
      { status: 'cancelled', amountCaptured: 0 },
      reserved,
      ['authorization_held'],
    ],
    [
      'a failed charge whose reservation is held',
      { status: 'failed', amountCaptured: 0 },
      reserved,
      ['authorization_held'],
    ],
    [
      'a reservation of which a part was released only',
      { status: 'cancelled', amountCaptured: 0 },
      { ...reserved, voided: 60 },
      ['authorization_held'],
    ],
    [
      'a pending charge that was authorized',
      { status: 'pending', amountCaptured: 0 },
      reserved,
      ['charge_behind'],
    ],
    ['a reservation under no charge', null, reserved, ['authorization_unknown']],
    ['a released reservation under no charge', null, { ...reserved, voided: 100 }, []],
    [
      'a charge that waits for its capture, and no reservation',
      { status: 'requires_capture', amountCaptured: 0 },
      none,
      ['authorization_missing'],
    ],
    [
      'a charge that waits for its capture, and a released reservation',
      { status: 'requires_capture', amountCaptured: 0 },
      { ...reserved, voided: 100 },
      ['authorization_missing'],
    ],
    [
      'two reservations',
      { status: 'requires_capture', amountCaptured: 0 },
      { ...reserved, authorizations: 2, authorized: 200 },
      ['authorized_twice'],
    ],
    [
      'a paid charge whose capture failed later',
      { status: 'succeeded', amountCaptured: 100 },
      { ...paid, uncaptured: 100 },
      ['capture_failed_late'],
    ],
    [
      'a failed charge whose capture failed later',
      { status: 'failed', amountCaptured: 0 },
      { ...paid, uncaptured: 100 },
      [],
    ],
    [
      'a paid charge that was taken back, and says so',
      { status: 'succeeded', amountCaptured: 100, amountReturned: 100 },
      { ...paid, uncaptured: 100 },
      [],
    ],
    [
      'a voided charge whose money did not arrive',
      { status: 'cancelled', amountCaptured: 0, voidReason: 'cancelled' },
      { ...paid, voided: 100, unvoided: 100 },
      ['void_failed_late'],
    ],
    [
      'a voided charge whose money was given back again',
      { status: 'cancelled', amountCaptured: 0, voidReason: 'cancelled' },
      { ...paid, voided: 200, unvoided: 100 },
      [],
    ],
    ['money under no charge', null, paid, ['charge_missing']],
    ['a void under no charge', null, { ...none, voided: 0 }, []],
    [
      'two captures',
      { status: 'succeeded', amountCaptured: 100 },
      { ...paid, captures: 2, captured: 200 },
      ['captured_twice'],
    ],
    ['less than was taken', { status: 'succeeded', amountCaptured: 99 }, paid, ['captured_amount_differs']],
    [
      'a failed charge that was paid',
      { status: 'failed', amountCaptured: 0 },
      paid,
      ['captured_amount_differs'],
    ],
    [
      'a paid charge that was never taken',
      { status: 'succeeded', amountCaptured: 100 },
      null,
      ['captured_amount_differs'],
    ],
    ['a pending charge that was paid', { status: 'pending', amountCaptured: 0 }, paid, ['charge_behind']],
  ];
  for (const [fact, record, ledger, codes] of cases) {
    it(`is reported as ${codes.join() || 'nothing'} for ${fact}`, () => {
      const found = compareCharge(
        record && { id: 'ch_1', voidReason: null, amountReturned: 0, ...record },
        ledger,
        'ch_1',
      );
      assert.deepEqual(
        found.map(({ code }) => code),
        codes,
      );
    });
  }
});

describe('A difference says what each side reads', () => {
  const charge = (
    status: ChargeRecord['status'] | null,
    ledger: ChargeLedger | null,
    amountCaptured = 0,
  ): [string, string][] =>
    compareCharge(
      status && { id: 'ch_1', voidReason: null, status, amountCaptured, amountReturned: 0 },
      ledger,
      'ch_1',
    ).map(({ code, detail }) => [code, detail]);
  const refund = (status: RefundRecord['status'] | null, refunded: number): [string, string][] =>
    compareRefund(status && { id: 're_1', status, amount: 40 }, { refunded, reversed: 0 }, 're_1').map(
      ({ code, detail }) => [code, detail],
    );

  const cases: [found: [string, string][], code: string, detail: string][] = [
    [
      charge('requires_capture', { ...reserved, authorizations: 2, authorized: 200 }),
      'authorized_twice',
      'the ledger shows 2 authorizations of 200 in all',
    ],
    [charge(null, reserved), 'authorization_unknown', 'the ledger reserves 100, and there is no such charge'],
    [
      charge('cancelled', reserved),
      'authorization_held',
      'reads cancelled, and the ledger still reserves 100',
    ],
    [
      charge('requires_capture', null),
      'authorization_missing',
      'reads requires_capture, and the ledger holds no authorization',
    ],
    [charge(null, paid), 'charge_missing', 'the ledger holds 100, and there is no such charge'],
    [
      charge('succeeded', { ...paid, captures: 2, captured: 200 }, 100),
      'captured_twice',
      'the ledger shows 2 captures of 200 in all',
    ],
    [charge('pending', paid), 'charge_behind', 'reads pending, and the ledger holds 100'],
    [
      charge('succeeded', paid, 99),
      'captured_amount_differs',
      'reads succeeded with 99 captured, and the ledger holds 100',
    ],
    [refund(null, 40), 'refund_missing', 'the ledger gave 40 back, and there is no such refund'],
    [refund('pending', 40), 'refund_behind', 'reads pending, and the ledger gave 40 back'],
    [refund('settled', 41), 'refunded_amount_differs', 'reads settled of 40, and the ledger gave 41 back'],
  ];
  for (const [found, code, detail] of cases) {
    it(`for ${code}`, () => assert.deepEqual(found, [[code, detail]]));
  }

  it('and is repaired where a question to the processor can', () => {
    const late = ['capture_failed_late', 'void_failed_late', 'refund_failed_late'];
    const own = ['charge_behind', 'refund_behind', 'workflow_missing', 'authorization_missing'];
    assert.deepEqual(repairable.toSorted(), [...late, ...own].toSorted());
  });
});

describe('A charge whose void was begun', () => {
  it('may have lost its reservation already', () => {
    const record: ChargeRecord = {
      id: 'ch_1',
      status: 'requires_capture',
      amountCaptured: 0,
      amountReturned: 0,
      voidReason: 'cancelled',
    };
    assert.deepEqual(compareCharge(record, { ...reserved, voided: 100 }, 'ch_1'), []);
  });
});

describe('What a refund and its ledger differ in', () => {
  const given: RefundLedger = { refunded: 40, reversed: 0 };
  const back: RefundLedger = { refunded: 40, reversed: 40 };
  const cases: [status: RefundRecord['status'] | null, ledger: RefundLedger | null, codes: string[]][] = [
    ['processed', given, []],
    ['settled', given, []],
    ['failed', null, []],
    ['reversed', back, []],
    ['pending', null, []],
    ['pending', given, ['refund_behind']],
    ['failed', given, ['refunded_amount_differs']],
    ['reversed', given, ['refunded_amount_differs']],
    ['processed', back, ['refund_failed_late']],
    ['settled', back, ['refund_failed_late']],
    ['failed', back, []],
    ['settled', null, ['refunded_amount_differs']],
    [null, given, ['refund_missing']],
    [null, back, []],
  ];
  for (const [status, ledger, codes] of cases) {
    it(`is ${codes.join() || 'nothing'} for ${status ?? 'no row'} against ${JSON.stringify(ledger)}`, () => {
      const found = compareRefund(status && { id: 're_1', status, amount: 40 }, ledger, 're_1');
      assert.deepEqual(
        found.map(({ code }) => code),
        codes,
      );
    });
  }
});
