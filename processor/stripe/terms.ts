import type { ValidationFault } from '#domain/problems.ts';
import type { MoneyTerms } from '../port.ts';
import { findAmountFault } from './money.ts';

/** What Stripe cannot take of a request, which is known before anything is sent. */

/** Of the complete text on the statement: the account's prefix, `* `, and ours. */
const statementLength = 22;
const joint = '* ';
/** Stripe cuts a text that serves as the prefix to this. */
const prefixLength = 10;

/**
 * Returns how many characters the account's own text leaves for ours.
 *
 * @param prefix of the account, or the whole descriptor that Stripe takes in its place; `null`: not known.
 */
export function countDescriptorRoom(prefix: string | null): number {
  if (prefix === null) return statementLength;
  return statementLength - joint.length - Math.min(prefix.length, prefixLength);
}

/** Returns the faults of the terms; none: Stripe can take them, as far as their form tells. */
export function findFaults(
  { amount, currency, statementDescriptor: descriptor = null }: MoneyTerms,
  descriptorRoom: number,
): ValidationFault[] {
  const money = findAmountFault(amount, currency);
  const text = descriptor === null ? null : findDescriptorFault(descriptor, descriptorRoom);
  return [
    ...(money ? [{ pointer: `/${money.member}`, code: money.code, detail: money.detail }] : []),
    ...(text ? [{ pointer: '/statement_descriptor', ...text }] : []),
  ];
}

/** Source: docs.stripe.com/get-started/account/statement-descriptors. */
function findDescriptorFault(text: string, room: number): Pick<ValidationFault, 'code' | 'detail'> | null {
  if (!/[a-z]/i.test(text)) return { code: 'invalid_value', detail: 'must hold a letter at this processor' };
  if (/[<>\\'"*]/.test(text))
    return { code: 'invalid_value', detail: `must hold none of < > \\ ' " * at this processor` };
  if (text.length <= room) return null;
  const detail = `must have at most ${room} characters at this processor, which puts its own text before it`;
  return { code: 'too_big', detail };
}
