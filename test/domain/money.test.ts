import assert from 'node:assert/strict';
import fc from 'fast-check';
import { currencies, formatMoney, isChargeable, isCurrency, maxAmount } from '#domain/money.ts';

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
        },
      ),
    );
  });

  for (const amount of [0, -1, 0.5, maxAmount + 1, Number.NaN, Infinity]) {
    it(`cannot be charged as ${amount}`, () => assert.equal(isChargeable(amount), false));
  }

  for (const code of ['USD', 'EUR', 'JPY', 'XAF', 'CHF']) {
    it(`knows ${code} as a currency`, () => assert.equal(isCurrency(code), true));
  }

  for (const code of ['usd', 'XAU', 'XTS', 'XXX', 'CHE', 'EURO', '', 'toString']) {
    it(`refuses ${code || 'an empty code'} as a currency`, () => assert.equal(isCurrency(code), false));
  }
});
