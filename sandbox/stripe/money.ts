import currencyCodes from 'currency-codes';
import { largestStripeAmount, leastAmounts } from '#processor/stripe/money.ts';
import { invalidRequest } from './errors.ts';

/** ISO 4217 currencies in which Stripe takes cards. Those in which it does not are refused. */
const supported = new Set(
  (
    'aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp ' +
    'cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr ' +
    'isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn ' +
    'myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle ' +
    'sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx usd uyu uzs vnd vuv wst xaf xcd xof xpf yer zar zmw'
  ).split(' '),
);

const withoutDecimals = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const withThreeDecimals = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);
/** Currencies without decimals whose amounts are written with two, which must be 00. */
const writtenWithTwo = new Set(['isk', 'ugx']);

/** How many decimals Stripe's amounts have. */
export function stripeExponent(currency: string): number {
  if (withoutDecimals.has(currency)) return 0;
  return withThreeDecimals.has(currency) ? 3 : 2;
}

/** Returns the amount in minor units of ISO 4217, as the books show it. */
export function toMinorUnits(amount: number, currency: string): number {
  const digits = currencyCodes.code(currency)?.digits ?? 2;
  return Math.round(amount * 10 ** (digits - stripeExponent(currency)));
}

/** @throws {StripeRefusal} when there is no such currency, or none that Stripe takes. */
export function checkCurrency(currency: string): void {
  if (supported.has(currency)) return;
  throw invalidRequest(`Invalid currency: ${currency}.`, { param: 'currency' });
}

/** @throws {StripeRefusal} for an amount that cannot be charged in this currency. */
export function checkChargeAmount(amount: number, currency: string, param = 'amount'): void {
  checkDigits(amount, currency, param);
  const largest = largestStripeAmount(currency.toUpperCase());
  if (amount > largest) {
    const message = `Amount must be no more than ${largest} in ${currency}.`;
    throw invalidRequest(message, { code: 'amount_too_large', param });
  }
  const least = leastAmounts.get(currency.toUpperCase()) ?? 1;
  if (amount >= least) return;
  const message = `Amount must be at least ${least} in ${currency}.`;
  throw invalidRequest(message, { code: 'amount_too_small', param });
}

/** @throws {StripeRefusal} for digits that the currency cannot have. */
export function checkDigits(amount: number, currency: string, param: string): void {
  if (writtenWithTwo.has(currency) && amount % 100 !== 0) {
    const code = 'invalid_charge_amount_no_decimal_compatible';
    throw invalidRequest(`Amounts in ${currency} have no decimals: the last two digits must be 00.`, {
      code,
      param,
    });
  }
  if (withThreeDecimals.has(currency) && amount % 10 !== 0) {
    throw invalidRequest(`Amounts in ${currency} must end with 0.`, { param });
  }
}

/** What the account's balance is kept in. */
export const settlementCurrency = 'eur';
/** Far from 1, so that whoever takes a transaction's amount for the charge's is found out. */
const exchangeRate = 0.8;

/** Converts to the currency of settlement. */
export function settle(amount: number, currency: string): { amount: number; rate: number | null } {
  if (currency === settlementCurrency) return { amount, rate: null };
  const inMajorUnits = amount / 10 ** stripeExponent(currency);
  return { amount: Math.round(inMajorUnits * exchangeRate * 100), rate: exchangeRate };
}
