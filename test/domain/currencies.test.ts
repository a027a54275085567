import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import currencyCodes from 'currency-codes';
import {
  historicCurrencies,
  isCurrency,
  isCurrentCurrency,
  listDate,
  packageDate,
} from '#domain/currencies.ts';
import { formatMoney } from '#domain/money.ts';

describe('The list of currencies', () => {
  it('corrects the list that the package has', () => {
    const published = createRequire(import.meta.url)('currency-codes/iso-4217-publish-date') as string;
    const advice = `The package has the list of ${published}: look which corrections of ${listDate} are left`;
    assert.equal(published, packageDate, advice);
    assert.ok(packageDate < listDate, advice);
    assert.equal(currencyCodes.code('XCG'), undefined, 'the package has XCG now');
    for (const code of historicCurrencies)
      assert.ok(currencyCodes.code(code), `the package left ${code} out`);
  });

  for (const code of ['XCG', 'EUR', 'ZWG', 'SLE'])
    it(`takes new charges in ${code}`, () => assert.ok(isCurrentCurrency(code)));

  for (const code of ['ANG', 'BGN', 'CUC', 'HRK', 'XAD', 'XDR', 'XAU'])
    it(`takes no new charge in ${code}`, () => assert.ok(!isCurrentCurrency(code)));

  it('still reads money of a currency that is history', () => {
    assert.ok(isCurrency('BGN'));
    assert.equal(formatMoney({ amount: 1999, currency: 'BGN' }), '19.99 BGN');
  });
});
