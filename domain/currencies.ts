import currencyCodes from 'currency-codes';

/**
 * The currencies of ISO 4217. The package's list is of {@link packageDate}; the corrections below make it the one of
 * {@link listDate}. A test fails when the package has a newer list: then look which corrections are left.
 */

/** When ISO published the list that holds here. */
export const listDate = '2026-01-01';

/** When ISO published the list of the package. */
export const packageDate = '2024-06-25';

/** Came into the list after {@link packageDate}: digits after the point, by code. */
const added: Readonly<Record<string, number>> = {
  // The Caribbean guilder, of Curaçao and Sint Maarten, since 2025-03-31.
  XCG: 2,
};

/** Left the list after {@link packageDate}. They take no new charge; older charges are read and refunded as ever. */
export const historicCurrencies: readonly string[] = [
  // Became XCG on 2025-03-31.
  'ANG',
  // Bulgaria has the euro since 2026-01-01.
  'BGN',
  // Cuba withdrew its convertible peso in 2021.
  'CUC',
];

/** Units of account and funds, which ISO 4217 lists beside the currencies that people pay with. */
const funds = new Set([
  'BOV',
  'CHE',
  'CHW',
  'CLF',
  'COU',
  'MXV',
  'USN',
  'UYI',
  'UYW',
  'VED',
  'XSU',
  'XUA',
  'XDR',
]);

const published = currencyCodes.data
  // The list names metals, test codes and the like with a country of 'Zz…'.
  .filter(({ code, countries }) => !funds.has(code) && !countries.some((country) => /^zz/i.test(country)))
  .map(({ code, digits }): [string, number] => [code, digits]);

/** Digits after the point, by code, of every currency that a charge may be in. */
export const exponents: ReadonlyMap<string, number> = new Map([...published, ...Object.entries(added)]);

/** Every currency a charge may be in, upper case, in alphabetical order; also those of history. */
export const currencies: readonly string[] = [...exponents.keys()].toSorted();

/** Whether a charge may be in this currency, also one of the time before it left the list. */
export function isCurrency(code: string): boolean {
  return exponents.has(code);
}

/** Whether a new charge may be made in this currency. */
export function isCurrentCurrency(code: string): boolean {
  return exponents.has(code) && !historicCurrencies.includes(code);
}
