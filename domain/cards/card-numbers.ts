/**
 * Texts that read as card numbers, to mask them in logs. `card-signs.ts` says which of them are surely cards, and refused.
 *
 * Any 13 to 19 digits count that begin as the numbers of a card scheme do, have its length and a valid check digit
 * (ISO/IEC 7812-1): order numbers, times and ids rarely do. They stand by themselves, with no letter or digit before
 * or after, at a stretch or in groups of three and more that one and the same character joins, up to three times in a
 * row; a text of nothing else may have groups of any size. Separators of lists, quotes and brackets
 * join nothing. Texts with a form of their own do not count: UUIDs, trace ids, IPv6 addresses, numbers with a fraction, and
 * phone numbers with their `+`.
 */

/** Texts that are no card numbers, whatever their digits. */
const otherForms: readonly RegExp[] = [
  // UUIDs
  /(?<![a-z0-9])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![a-z0-9])/gi,
  // Trace ids of 32 digits, with the version before and the span behind, as headers have them
  /(?<![a-z0-9])(?:[0-9a-f]{2}-)?[0-9a-f]{32}(?:-[0-9a-f]{1,16})*(?![a-z0-9])/gi,
  // IPv6 addresses, whole and shortened
  /(?<![a-z0-9])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![a-z0-9])/gi,
  /(?<![a-z0-9:])(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}(?![a-z0-9:])/gi,
  // A number with a fraction; with two points it is none
  /(?<![a-z0-9]|\d\.)\d{1,12}\.\d+(?![a-z0-9]|\.\d)/gi,
  // A phone number of E.164
  /(?<=\+)[1-9]\d{6,14}(?![a-z0-9])/gi,
];

/** Digits without a letter or digit beside them. */
const standing = /(?<![a-z0-9])\d+(?![a-z0-9])/gi;

/** The characters that may join two groups of a card number. */
const between = /^([^a-z0-9,;"'()[\]{}<>\\])\1{0,2}$/iu;

/** Cards are printed in groups of three and more digits; the last may be shorter. */
const groupLength = 3;

/** Matches every text with a card number, and few others: most texts need no other test. */
const suspicious = /(?<![a-z0-9])[2-6](?:[^a-z0-9]{0,6}\d){12}/i;

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

/** Whether `text` is a card number, however it is split, or holds one. */
export function hasCardNumber(text: string): boolean {
  if (text.length < 13) return false;
  const plain = withPlainDigits(text);
  return isWhollyCardNumber(plain) || !cardNumbersIn(plain).next().done;
}

/** `text` with every card number in it made unreadable. */
export function maskCardNumbers(text: string): string {
  let masked = '';
  let from = 0;
  for (const { start, end } of cardNumbersIn(withPlainDigits(text))) {
    masked += `${text.slice(from, start)}[card number]`;
    from = end;
  }
  return from === 0 ? text : masked + text.slice(from);
}

/** Digits of full width, as some keyboards write them, are digits; nothing moves. */
export function withPlainDigits(text: string): string {
  if (!/[\uff10-\uff19]/.test(text)) return text;
  return text.replace(/[\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) - 0xff10));
}

/** A text of digits and one kind of joiner. */
export function isWhollyCardNumber(text: string): boolean {
  if (text.length > 80) return false;
  const joiner = /^\d+(\D*)\d/u.exec(text)?.[1];
  if (joiner === undefined || (joiner !== '' && !between.test(joiner))) return false;
  const digits = joiner === '' ? text : text.split(joiner).join('');
  const isFraction = joiner === '.' && text.split('.').length === 2;
  return !isFraction && /^\d+$/.test(digits) && isCardNumber(digits);
}

interface Digits {
  digits: string;
  start: number;
  end: number;
}

/** Linear in the length of `text`: each group of digits is looked at with at most five before it. */
export function* cardNumbersIn(text: string): Generator<{ start: number; end: number }> {
  if (!suspicious.test(text)) return;
  let run: Digits[] = [];
  for (const { 0: digits, index: start } of withoutOtherForms(text).matchAll(standing)) {
    const end = start + digits.length;
    const last = run.at(-1);
    if (last && !(start - last.end <= 6 && between.test(text.slice(last.end, start)))) run = [];
    run = [...run.slice(-5), { digits, start, end }];
    const from = cardStart(run);
    if (from !== null) yield { start: from, end };
    if (from !== null || digits.length < groupLength) run = [];
  }
}

/** Letters in the place of what is no card number; nothing moves. */
function withoutOtherForms(text: string): string {
  return otherForms.reduce((rest, form) => rest.replace(form, (found) => 'x'.repeat(found.length)), text);
}

/** Where a card number begins that ends with the last group; `null` where none does. */
function cardStart(run: readonly Digits[]): number | null {
  let digits = '';
  for (let i = run.length - 1; i >= 0; i -= 1) {
    const { digits: before, start } = run[i] as Digits;
    digits = before + digits;
    if (digits.length > 19) return null;
    if (isCardNumber(digits)) return start;
  }
  return null;
}

export function isCardNumber(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19) return false;
  return schemes.some((scheme) => scheme.test(digits)) && hasCheckDigit(digits);
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
