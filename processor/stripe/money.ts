import { maxAmount } from '#domain/money.ts';

/*
 * Our amounts are minor units of ISO 4217. Stripe's are those of its own table, which differs for a few currencies. An
 * amount is converted exactly or refused, never rounded. Source: docs.stripe.com/currencies, compared with our list.
 */

/** How Stripe's unit of a currency relates to ours, where it is not the same one. */
type Difference =
  /** Stripe counts in hundredths of our unit. */
  | 'times_100'
  /** Stripe counts in hundreds of our unit. */
  | 'divided_by_100'
  /** Stripe takes thousandths whose last digit is 0. */
  | 'last_digit_0'
  /** What Stripe means by an amount is not sure enough to send one. */
  | 'refused';

const differences: Readonly<Record<string, Difference>> = {
  ISK: 'times_100',
  MGA: 'divided_by_100',
  BHD: 'last_digit_0',
  JOD: 'last_digit_0',
  KWD: 'last_digit_0',
  OMR: 'last_digit_0',
  TND: 'last_digit_0',
  // Stripe's documents call it one without decimals, and ask for two all the same.
  UGX: 'refused',
  // Three digits in ISO 4217, and two at Stripe.
  IQD: 'refused',
  LYD: 'refused',
};

const supported = new Set(
  [
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP',
    'CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR',
    'ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN',
    'MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE',
    'SOS SRD SZL THB TJS TND TOP TRY TTD TWD TZS UAH USD UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR ZMW',
  ].flatMap((line) => line.split(' ')),
);

/**
 * The largest amounts in Stripe's units: "up to twelve digits for IDR, and up to eight digits for all other currencies"
 * (docs.stripe.com/currencies, Minimum and maximum charge amounts).
 */
const largest: Readonly<Record<string, number>> = { IDR: 999_999_999_999 };
const largestOfOthers = 99_999_999;

/**
 * The least amounts in Stripe's units, by the same page. Stripe compares after it has converted to the currency of the
 * balance, so that only Stripe can refuse one. The page names no others.
 */
export const leastAmounts: ReadonlyMap<string, number> = new Map(
  Object.entries({
    AED: 200,
    AUD: 50,
    BRL: 50,
    CAD: 50,
    CHF: 50,
    CZK: 1500,
    DKK: 250,
    EUR: 50,
    GBP: 30,
    HKD: 400,
    HUF: 17_500,
    INR: 50,
    JPY: 50,
    MXN: 1000,
    MYR: 200,
    NOK: 300,
    NZD: 50,
    PLN: 200,
    RON: 200,
    SEK: 300,
    SGD: 50,
    THB: 1000,
    USD: 50,
  }),
);

/** Returns the largest amount that Stripe takes in a currency, in Stripe's units. @param currency upper case. */
export function largestStripeAmount(currency: string): number {
  return largest[currency] ?? largestOfOthers;
}

/** Every currency that a charge over Stripe can be made in, upper case. */
export const stripeCurrencies: ReadonlySet<string> = supported;

/** The currencies whose unit at Stripe is not ours, upper case, those that are refused included. */
export const differingCurrencies: readonly string[] = Object.keys(differences);

/**
 * Converts minor units of ours to Stripe's. Returns `null` if the amount cannot be sent exactly: an unknown currency, a
 * fraction of Stripe's unit, or more than Stripe takes.
 *
 * @param currency upper case.
 */
export function toStripeAmount(amount: number, currency: string): number | null {
  if (!supported.has(currency)) return null;
  const converted = convert(amount, differences[currency]);
  return converted === null || converted > largestStripeAmount(currency) ? null : converted;
}

/** Why an amount cannot be sent, by the member of the request that is at fault. */
export interface AmountFault {
  member: 'amount' | 'currency';
  code: string;
  detail: string;
}

/** Returns why {@link toStripeAmount} refuses an amount, with the bound where it is out of bounds; `null`: it does not. */
export function findAmountFault(amount: number, currency: string): AmountFault | null {
  if (toStripeAmount(amount, currency) !== null) return null;
  const difference = differences[currency];
  if (!supported.has(currency) || difference === 'refused') {
    const detail = 'must be a currency that the processor takes';
    return { member: 'currency', code: 'invalid_value', detail };
  }
  const step = difference === 'divided_by_100' ? 100 : difference === 'last_digit_0' ? 10 : 1;
  if (amount % step !== 0) {
    const detail = `must be a multiple of ${step} in ${currency} at this processor`;
    return { member: 'amount', code: 'not_multiple_of', detail };
  }
  const factor = difference === 'times_100' ? 1 / 100 : difference === 'divided_by_100' ? 100 : 1;
  const bound = Math.min(Math.floor(largestStripeAmount(currency) * factor), maxAmount);
  const most = bound - (bound % step);
  return {
    member: 'amount',
    code: 'too_big',
    detail: `must be at most ${most} in ${currency} at this processor`,
  };
}

function convert(amount: number, difference: Difference | undefined): number | null {
  switch (difference) {
    case undefined:
      return amount;
    case 'times_100':
      return amount * 100;
    case 'divided_by_100':
      return amount % 100 === 0 ? amount / 100 : null;
    case 'last_digit_0':
      return amount % 10 === 0 ? amount : null;
    case 'refused':
      return null;
  }
}

/**
 * Converts an amount of Stripe's to minor units of ours. Returns `null` if it is none of ours exactly.
 *
 * @param currency as Stripe writes it, lower case.
 */
export function fromStripeAmount(amount: number, currency: string): number | null {
  const code = currency.toUpperCase();
  return supported.has(code) ? convertBack(amount, differences[code]) : null;
}

function convertBack(amount: number, difference: Difference | undefined): number | null {
  switch (difference) {
    case undefined:
    case 'last_digit_0':
      return amount;
    case 'times_100':
      return amount % 100 === 0 ? amount / 100 : null;
    case 'divided_by_100':
      return amount * 100;
    case 'refused':
      return null;
  }
}
