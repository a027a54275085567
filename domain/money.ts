import { exponents } from './currencies.ts';

/** Money is a whole number of minor units and a currency. */

/** The largest amount of one charge, in minor units. */
export const maxAmount = 99_999_999_999;

export interface Money {
  /** Minor units: cents for USD, yen for JPY. */
  amount: number;
  /** ISO 4217, upper case. */
  currency: string;
}

/** Whether `amount` is one that can be charged: a whole number from 1 to {@link maxAmount}. */
export function isChargeable(amount: number): boolean {
  return Number.isSafeInteger(amount) && amount >= 1 && amount <= maxAmount;
}

/** Formats money for people: `12.34 USD`, `500 JPY`. Exact, since it only moves the point. */
export function formatMoney(money: Money): string {
  return `${formatAmount(money)} ${money.currency}`;
}

/** Formats money without its currency: `12.34`, `500`. */
export function formatAmount({ amount, currency }: Money): string {
  const digits = exponents.get(currency) ?? 2;
  if (digits === 0) return String(amount);
  const padded = String(amount).padStart(digits + 1, '0');
  return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/**
 * Reads an amount as a person types it: `12.34`, `12`. Returns minor units, or `null` for a text that is no amount of the
 * currency that can be charged. A comma is refused: it stands before cents in one country, and between thousands in
 * another.
 */
export function parseMoney(text: string, currency: string): number | null {
  const digits = exponents.get(currency) ?? 2;
  const [matched, whole = '', fraction = ''] = /^(\d{1,11})(?:\.(\d{1,4}))?$/.exec(text.trim()) ?? [];
  if (matched === undefined || fraction.length > digits) return null;
  const amount = Number(whole + fraction.padEnd(digits, '0'));
  return isChargeable(amount) ? amount : null;
}
