import { hasCardNumber } from '#domain/cards/card-numbers.ts';
import { ProblemError } from '#domain/problems.ts';
import { InexactNumber, visitJson } from './json.ts';

/**
 * Refuses bodies with card numbers, before anything else reads them. A member whose name means a card number is
 * refused for any digits of that length.
 */

const cardMembers = new Set([
  'cardnumber',
  'ccnumber',
  'creditcardnumber',
  'pan',
  'primaryaccountnumber',
  'number',
]);
const codeMembers = new Set([
  'cvc',
  'cvv',
  'cvc2',
  'cvv2',
  'cid',
  'cardcvc',
  'cardcvv',
  'securitycode',
  'cardcode',
]);

/** @throws {ProblemError} `card_number_refused`, which repeats nothing of the body. */
export function refuseCardNumbers(body: unknown): void {
  visitJson(body, (value, path) => {
    const name = path.at(-1);
    const text = digitsText(value);
    if (
      hasCardNumber(text) ||
      (typeof name === 'string' && (hasCardNumber(name) || isCardMember(name, text)))
    ) {
      throw new ProblemError('card_number_refused');
    }
  });
}

function digitsText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof InexactNumber) return value.text;
  return typeof value === 'number' ? String(value) : '';
}

function isCardMember(name: string, text: string): boolean {
  const plainName = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (codeMembers.has(plainName)) return /^\d{3,4}$/.test(text.trim());
  return cardMembers.has(plainName) && /^\d{12,19}$/.test(text.replace(/[\s-]/g, ''));
}
