import { ProblemError } from '../domain/problems.ts';
import { InexactNumber, visitJson } from './json.ts';

/**
 * Card numbers stay out: a body that carries one is refused before anything else looks at it, and a log
 * line that would is masked.
 *
 * Any 13 to 19 digits count that begin as the numbers of a card scheme do, have its length and a valid
 * check digit (ISO/IEC 7812-1): order numbers, times and ids rarely do. Where a member's name says what it
 * holds, digits of a card's length are enough.
 */

/** Runs of letters and digits; a number with a fraction is one, so that its digits are not taken for a card's. */
const words = /\d+\.\d[\w.]*|\w+/g;

/** What stands between the groups of a card number, once between two. */
const separators = new Set([' ', '-', '\u00a0']);

/** First digits and lengths by scheme, as their issuers publish them. */
const schemes: readonly RegExp[] = [
  // Visa
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  // Mastercard
  /^(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d+$(?<=^\d{16})/,
  // American Express
  /^3[47]\d{13}$/,
  // Discover
  /^(?:6011|64[4-9]|65)\d+$(?<=^\d{16,19})/,
  // Diners Club
  /^(?:30[0-5]|36|38|39)\d+$(?<=^\d{14,19})/,
  // JCB
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/,
  // UnionPay
  /^62\d{14,17}$/,
  // Maestro
  /^(?:5018|5020|5038|5893|6304|6759|676[123])\d{8,15}$/,
];

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

/** Whether a card number stands anywhere in `text`. */
export function hasCardNumber(text: string): boolean {
  // Most strings are shorter than the shortest card number.
  return text.length >= 13 && !cardNumbersIn(text).next().done;
}

/** `text` with every card number in it made unreadable. */
export function maskCardNumbers(text: string): string {
  let masked = '';
  let from = 0;
  for (const { start, end } of cardNumbersIn(text)) {
    masked += `${text.slice(from, start)}[card number]`;
    from = end;
  }
  return from === 0 ? text : masked + text.slice(from);
}

interface Digits {
  digits: string;
  start: number;
  end: number;
}

/** Linear in the length of `text`: each group of digits is looked at with at most 18 before it. */
function* cardNumbersIn(text: string): Generator<{ start: number; end: number }> {
  let groups: Digits[] = [];
  for (const { 0: word, index } of text.matchAll(words)) {
    const last = groups.at(-1);
    const follows = last !== undefined && index === last.end + 1 && separators.has(text.charAt(last.end));
    if (!follows) groups = [];
    if (!/^\d+$/.test(word)) continue;
    groups.push({ digits: word, start: index, end: index + word.length });
    const start = cardStart(groups);
    if (start !== null) {
      yield { start, end: index + word.length };
      groups = [];
    }
  }
}

/** Where a card number begins that ends with the last group; `null` where none does. */
function cardStart(groups: readonly Digits[]): number | null {
  let digits = '';
  for (const group of groups.toReversed()) {
    digits = group.digits + digits;
    if (digits.length > 19) return null;
    if (digits.length >= 13 && isCardNumber(digits)) return group.start;
  }
  return null;
}

function digitsText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof InexactNumber) return value.text;
  return typeof value === 'number' ? String(value) : '';
}

function isCardNumber(digits: string): boolean {
  return schemes.some((scheme) => scheme.test(digits)) && hasCheckDigit(digits);
}

function isCardMember(name: string, text: string): boolean {
  const plainName = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (codeMembers.has(plainName)) return /^\d{3,4}$/.test(text.trim());
  return cardMembers.has(plainName) && /^\d{12,19}$/.test(onlyDigits(text));
}

function onlyDigits(text: string): string {
  return text.replace(/[\s-]/g, '');
}

/** The Luhn formula, ISO/IEC 7812-1 Annex B. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
