import assert from 'node:assert/strict';
import {
  compareCharge,
  compareRefund,
  type ChargeBooks,
  type ChargeRecord,
  type RefundBooks,
  type RefundRecord,
} from '../../domain/reconciliation.ts';

const none: ChargeBooks = { captures: 0, captured: 0, voided: 0 };
const paid: ChargeBooks = { captures: 1, captured: 100, voided: 0 };

describe('What a charge and its books differ in', () => {
  const cases: [
    fact: string,
    record: Omit<ChargeRecord, 'id'> | null,
    books: ChargeBooks | null,
    codes: string[],
  ][] = [
    ['a succeeded charge that was captured once', { status: 'succeeded', amountCaptured: 100 }, paid, []],
    ['a declined charge that the books do not know', { status: 'failed', amountCaptured: 0 }, null, []],
    [
      'a charge that was taken and then voided',
      { status: 'failed', amountCaptured: 0 },
      { captures: 1, captured: 100, voided: 100 },
      [],
    ],
    [
      'a reservation that was released',
      { status: 'cancelled', amountCaptured: 0 },
      { captures: 0, captured: 0, voided: 100 },
      [],
    ],
    ['an authorization', { status: 'requires_capture', amountCaptured: 0 }, none, []],
    ['money under no charge', null, paid, ['charge_missing']],
    ['a void under no charge', null, { ...none, voided: 0 }, []],
    [
      'two captures',
      { status: 'succeeded', amountCaptured: 100 },
      { captures: 2, captured: 200, voided: 0 },
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
  for (const [fact, record, books, codes] of cases) {
    it(`${fact}: ${codes.join() || 'nothing'}`, () => {
      const found = compareCharge(record && { id: 'ch_1', ...record }, books, 'ch_1');
      assert.deepEqual(
        found.map(({ code }) => code),
        codes,
      );
    });
  }
});

describe('What a refund and its books differ in', () => {
  const given: RefundBooks = { refunded: 40, reversed: 0 };
  const back: RefundBooks = { refunded: 40, reversed: 40 };
  const cases: [status: RefundRecord['status'] | null, books: RefundBooks | null, codes: string[]][] = [
    ['processed', given, []],
    ['settled', given, []],
    ['failed', null, []],
    ['reversed', back, []],
    ['pending', null, []],
    ['pending', given, ['refund_behind']],
    ['failed', given, ['refunded_amount_differs']],
    ['reversed', given, ['refunded_amount_differs']],
    ['processed', back, ['refunded_amount_differs']],
    ['settled', null, ['refunded_amount_differs']],
    [null, given, ['refund_missing']],
    [null, back, []],
  ];
  for (const [status, books, codes] of cases) {
    it(`${status ?? 'no row'} against ${JSON.stringify(books)}: ${codes.join() || 'nothing'}`, () => {
      const found = compareRefund(status && { id: 're_1', status, amount: 40 }, books, 're_1');
      assert.deepEqual(
        found.map(({ code }) => code),
        codes,
      );
    });
  }
});
