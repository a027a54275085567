import assert from 'node:assert/strict';
import fc from 'fast-check';
import { currencies, isCurrency } from '#domain/currencies.ts';
import { formatAmount, formatMoney, isChargeable, maxAmount, parseMoney } from '#domain/money.ts';

describe('money', () => {
  const cases: [amount: number, currency: string, text: string][] = [
    [1, 'USD', '0.01 USD'],
    [1999, 'EUR', '19.99 EUR'],
    [500, 'JPY', '500 JPY'],
    [1234, 'KWD', '1.234 KWD'],
    [maxAmount, 'USD', '999999999.99 USD'],
  ];
  for (const [amount, currency, text] of cases) {
    it(`reads ${amount} minor units of ${currency} as ${text}`, () => {
      assert.equal(formatMoney({ amount, currency }), text);
    });
  }

  it('is formatted without losing a unit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: maxAmount }),
        fc.constantFrom(...currencies),
        (amount, currency) => {
          const digits = formatMoney({ amount, currency }).replaceAll(/\D/g, '');
          assert.equal(Number(digits), amount);
          assert.equal(parseMoney(formatAmount({ amount, currency }), currency), amount);
        },
      ),
    );
  });

  it('is read as a person types it', () => {
    assert.deepEqual(
      [
        parseMoney('5', 'EUR'),
        parseMoney(' 5.5 ', 'EUR'),
        parseMoney('0.05', 'EUR'),
        parseMoney('500', 'JPY'),
      ],
      [500, 550, 5, 500],
    );
  });

  for (const [text, currency] of [
    ['', 'EUR'],
    ['0', 'EUR'],
    ['-1', 'EUR'],
    ['1,00', 'EUR'],
    ['1.005', 'EUR'],
    ['1.', 'EUR'],
    ['1e3', 'EUR'],
    ['5.5', 'JPY'],
    ['9999999999.99', 'EUR'],
  ] as const) {
    it(`is not read from "${text}" in ${currency}`, () => assert.equal(parseMoney(text, currency), null));
  }

  for (const amount of [0, -1, 0.5, maxAmount + 1, Number.NaN, Infinity]) {
    it(`cannot be charged as ${amount}`, () => assert.equal(isChargeable(amount), false));
  }

  for (const code of ['USD', 'EUR', 'JPY', 'XAF', 'CHF']) {
    it(`knows ${code} as a currency`, () => assert.equal(isCurrency(code), true));
  }

  for (const code of ['usd', 'XAU', 'XTS', 'XXX', 'CHE', 'EURO', '', 'toString']) {
    it(`refuses ${code || 'an empty code'} as a currency`, () => assert.equal(isCurrency(code), false));
  }

  it('has no currency that nobody pays with', () => {
    const funds = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'VED', 'XSU', 'XUA', 'XDR'];
    assert.deepEqual(
      currencies.filter((code) => funds.includes(code)),
      [],
    );
    assert.deepEqual(currencies, currencies.toSorted());
  });

  it('can be charged from one unit to the most', () => {
    assert.deepEqual([1, maxAmount, maxAmount + 1].map(isChargeable), [true, true, false]);
  });
});
