import { currencies, isCurrency } from '#domain/currencies.ts';
import { formatMoney, parseMoney } from '#domain/money.ts';

/** Amounts as people type them into the search: `19.99`, `19,99 EUR`, `1,999.00`, `EUR 1 999`. */

export interface TypedAmount {
  /** Minor units, with the currencies in which they are what was typed. */
  minor: ReadonlyMap<number, ReadonlySet<string>>;
  /** `null`: none was named. */
  currency: string | null;
  /** `19.99 EUR`, or `1.999 or 1999 in any currency`. */
  words: string;
}

const shape = /^([a-z]{3})?([\d.,' \u00a0\u202f]+)([a-z]{3}|€)?$/i;

/** Returns all that an amount may mean; `null` for a text that is no amount. */
export function readAmount(text: string): TypedAmount | null {
  const [, before, number = '', behind] = shape.exec(text) ?? [];
  if (before !== undefined && behind !== undefined) return null;
  const named = behind === '€' ? 'EUR' : (before ?? behind)?.toUpperCase();
  if (named !== undefined && !isCurrency(named)) return null;
  const minor = new Map<number, Set<string>>();
  const readings = new Set<string>();
  for (const reading of readNumbers(number.trim())) {
    for (const currency of named === undefined ? currencies : [named]) {
      const amount = parseMoney(reading, currency);
      if (amount === null) continue;
      readings.add(named === undefined ? reading : formatMoney({ amount, currency }));
      minor.set(amount, (minor.get(amount) ?? new Set()).add(currency));
    }
  }
  if (minor.size === 0) return null;
  const words = [...readings].join(' or ') + (named === undefined ? ' in any currency' : '');
  return { minor, currency: named ?? null, words };
}

/** Returns the numbers that a text may be, with a point before the fraction: `1.999` is two of them. */
function readNumbers(text: string): string[] {
  const [, whole, fraction] = /^(\d+)(?:[.,](\d+))?$/.exec(text) ?? [];
  const [, groups, , cents] =
    /^(\d{1,3}(?:([.,' \u00a0\u202f])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/.exec(text) ?? [];
  return [
    ...(whole === undefined ? [] : [join(whole, fraction)]),
    ...(groups === undefined ? [] : [join(groups.replaceAll(/\D/g, ''), cents)]),
  ];
}

const join = (whole: string, fraction: string | undefined) =>
  fraction === undefined ? whole : `${whole}.${fraction}`;
