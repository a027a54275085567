import type { JSX } from 'preact';
import { formatMoney, type Money as Sum } from '#domain/money.ts';

/** `12.34 EUR`, from minor units. */
export function Money({ amount, currency }: Sum): JSX.Element {
  return <span class="money">{formatMoney({ amount, currency })}</span>;
}
