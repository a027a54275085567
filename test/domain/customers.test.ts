import assert from 'node:assert/strict';
import { isStoredMethod } from '#domain/cards/payment-methods.ts';
import {
  payerFault,
  presentCustomer,
  presentDeletedCustomer,
  toCardProcessor,
  type Customer,
  type Payer,
} from '#domain/customers.ts';

const pm = 'pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3F';
const payer: Payer = {
  isDeleted: false,
  paymentMethod: pm,
  processorToken: 'tok_kept',
  processorId: 'prc_1',
  processorStatus: 'disabled',
};
const unattached: Payer = { ...payer, paymentMethod: null, processorToken: null };

describe('A charge’s payer', () => {
  const cases: [
    what: string,
    customer: string | null,
    paymentMethod: string | null,
    Payer | null,
    fault: [pointer: string, code: string] | null,
  ][] = [
    ['a one-off token', null, 'tok_visa', null, null],
    ['a stored card alone', null, pm, null, ['/customer', 'required']],
    ['neither card nor customer', null, null, null, ['/customer', 'required']],
    ['an unknown customer', 'cus_1', pm, null, ['/customer', 'not_found']],
    ['a deleted customer', 'cus_1', pm, { ...payer, isDeleted: true }, ['/customer', 'customer_deleted']],
    ['a customer and its card', 'cus_1', pm, payer, null],
    ['a customer and a one-off token', 'cus_1', 'tok_visa', unattached, null],
    ['a customer with a default card', 'cus_1', null, payer, null],
    ['another customer’s card', 'cus_1', pm, unattached, ['/payment_method', 'not_found']],
    [
      'a customer without a default card',
      'cus_1',
      null,
      unattached,
      ['/payment_method', 'no_default_payment_method'],
    ],
  ];
  for (const [what, customer, paymentMethod, known, expected] of cases) {
    it(`given as ${what} is ${expected?.[1] ?? 'taken'}`, () => {
      const fault = payerFault({ customer, paymentMethod }, known);
      assert.deepEqual(fault && [fault.pointer, fault.code], expected);
      assert.ok(!fault || /^[A-Z].+\.$/.test(fault.detail), fault?.detail);
    });
  }

  it('decides the processor by the card on file', () => {
    assert.deepEqual(toCardProcessor(payer), { processorId: 'prc_1', status: 'disabled' });
    assert.equal(toCardProcessor(unattached), null);
    assert.equal(toCardProcessor(null), null);
  });
});

describe('A payment method’s name', () => {
  const names: [name: string, isStored: boolean][] = [
    [pm, true],
    ['pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3', true],
    ['pm_short', true],
    ['tok_visa', false],
    ['a_pm_01JF3Z8Q4V7Y2N6K5T9R0C1B', false],
    // As processors name their own.
    ['pm_1NVChw2eZvKYlo2CHxiM5E2b', false],
    ['pm_1NVChw2eZvKYlo2CHxiM5E2', true],
  ];
  for (const [name, isStored] of names) {
    it(`${name} is ${isStored ? 'ours' : 'the processor’s'}`, () => {
      assert.equal(isStoredMethod(name), isStored);
    });
  }
});

describe('A customer over the wire', () => {
  const customer: Customer = {
    id: 'cus_1',
    accountId: 'acct_1',
    name: 'Ada',
    email: 'ada@shop.example',
    description: 'Since 2024',
    metadata: { tier: 'gold' },
    defaultPaymentMethod: pm,
    paymentMethods: [{ id: pm, card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 } }],
    createdAt: new Date('2026-11-01T12:00:00.000Z'),
    updatedAt: new Date('2026-11-01T12:00:01.000Z'),
    deletedAt: null,
    version: 1,
  };

  it('shows every member, with its cards', () => {
    const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 };
    assert.deepEqual(presentCustomer(customer), {
      id: 'cus_1',
      object: 'customer',
      name: 'Ada',
      email: 'ada@shop.example',
      description: 'Since 2024',
      metadata: { tier: 'gold' },
      default_payment_method: pm,
      payment_methods: [{ id: pm, object: 'payment_method', type: 'card', card }],
      created: '2026-11-01T12:00:00.000Z',
      updated: '2026-11-01T12:00:01.000Z',
    });
  });

  it('that was deleted shows its id only', () => {
    assert.deepEqual(presentDeletedCustomer(customer), { id: 'cus_1', object: 'customer', deleted: true });
  });
});
