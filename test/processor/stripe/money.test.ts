import assert from 'node:assert/strict';
import currencyCodes from 'currency-codes';
import fc from 'fast-check';
import { isCurrency } from '#domain/currencies.ts';
import {
  differingCurrencies,
  findAmountFault,
  fromStripeAmount,
  stripeCurrencies,
  toStripeAmount,
} from '#processor/stripe/money.ts';

/** Digits after the point that Stripe's documents name, where they are not two. */
const zeroDecimals = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const threeDecimals = 'BHD JOD KWD OMR TND'.split(' ');

describe('amounts of Stripe', () => {
  const rows: [string, number, number | null][] = [
    ['EUR', 1234, 1234],
    ['USD', 99_999_999, 99_999_999],
    ['USD', 100_000_000, null],
    ['JPY', 500, 500],
    ['HUF', 1050, 1050],
    ['ISK', 500, 50_000],
    ['ISK', 999_999, 99_999_900],
    ['ISK', 1_000_000, null],
    ['MGA', 1200, 12],
    ['MGA', 1250, null],
    ['KWD', 1230, 1230],
    ['KWD', 1234, null],
    ['UGX', 1000, null],
    ['IQD', 1000, null],
    ['LYD', 1000, null],
    ['CUP', 1000, null],
    ['IDR', 100_000_000, 100_000_000],
    ['IDR', 99_999_999_999, 99_999_999_999],
    ['MGA', 9_999_999_900, 99_999_999],
    ['MGA', 10_000_000_000, null],
  ];
  for (const [currency, amount, sent] of rows) {
    it(`sends ${amount} ${currency} as ${sent ?? 'nothing, and refuses it'}`, () => {
      assert.equal(toStripeAmount(amount, currency), sent);
      if (sent !== null) assert.equal(fromStripeAmount(sent, currency.toLowerCase()), amount);
    });
  }

  const faults: [string, number, string][] = [
    ['USD', 100_000_000, 'amount must be at most 99999999 in USD at this processor'],
    ['ISK', 1_000_000, 'amount must be at most 999999 in ISK at this processor'],
    ['MGA', 10_000_000_000, 'amount must be at most 9999999900 in MGA at this processor'],
    ['KWD', 100_000_000, 'amount must be at most 99999990 in KWD at this processor'],
    ['KWD', 1235, 'amount must be a multiple of 10 in KWD at this processor'],
    ['MGA', 1250, 'amount must be a multiple of 100 in MGA at this processor'],
    ['UGX', 1000, 'currency must be a currency that the processor takes'],
    ['CUP', 1000, 'currency must be a currency that the processor takes'],
  ];
  for (const [currency, amount, said] of faults) {
    it(`says what ${amount} ${currency} must be`, () => {
      const fault = findAmountFault(amount, currency);
      assert.equal(`${fault?.member} ${fault?.detail}`, said);
    });
  }

  it('states a bound that it takes itself, and no more', () => {
    for (const currency of stripeCurrencies) {
      const fault = findAmountFault(99_999_999_900, currency);
      const bound = Number(/^must be at most (\d+) /.exec(fault?.detail ?? '')?.[1]);
      if (!bound) continue;
      assert.notEqual(toStripeAmount(bound, currency), null, currency);
      assert.equal(toStripeAmount(bound + (currency === 'MGA' ? 100 : 10), currency), null, currency);
    }
  });

  it('reads every amount back that it sends', () => {
    const currency = fc.constantFrom(...stripeCurrencies);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999_999 }), currency, (amount, code) => {
        const sent = toStripeAmount(amount, code);
        if (sent !== null) assert.equal(fromStripeAmount(sent, code.toLowerCase()), amount);
      }),
    );
  });

  it('reads no amount that has no exact form here', () => {
    assert.equal(fromStripeAmount(150, 'isk'), null);
    assert.equal(fromStripeAmount(150, 'ugx'), null);
    assert.equal(fromStripeAmount(150, 'xyz'), null);
  });

  it('knows each difference between the two lists of currencies', () => {
    for (const code of stripeCurrencies) {
      const ours = currencyCodes.code(code)?.digits;
      const theirs = zeroDecimals.includes(code) ? 0 : threeDecimals.includes(code) ? 3 : 2;
      const differs = ours !== theirs || theirs === 3;
      assert.equal(differs, differingCurrencies.includes(code), `${code}: ${ours} and ${theirs} digits`);
      assert.ok(isCurrency(code), `${code} is a currency here`);
    }
  });
});
