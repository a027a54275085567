/**
 * Card numbers in texts, to refuse or mask them.
 *
 * Any 13 to 19 digits count that begin as the numbers of a card scheme do, have its length and a valid
 * check digit (ISO/IEC 7812-1): order numbers, times and ids rarely do.
 */

/** Words with their dashes; a number with a fraction is one, so that its digits are not taken for a card's. */
const words = /\d+\.\d[\w.]*|\w+(?:-\w+)*/g;

/** What joins the groups of a card number to one; the dash joins them in the word itself. */
const spaces = new Set([' ', '\u00a0']);

/** Cards are printed in groups of three and more digits. */
const group = /^\d{3,}$/;

/** What every card number in a text looks like at least; most texts are done with by this. */
const suspicious = /(?<!\w)[2-6](?:[ \u00a0-]?\d){12}/;

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

/** Whether `text` is a card number, however it is split, or one stands anywhere in it. */
export function hasCardNumber(text: string): boolean {
  if (text.length < 13) return false;
  return (text.length < 40 && isCardNumber(onlyDigits(text))) || !cardNumbersIn(text).next().done;
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

/** Linear in the length of `text`: each group of digits is looked at with at most five before it. */
function* cardNumbersIn(text: string): Generator<{ start: number; end: number }> {
  if (!suspicious.test(text)) return;
  let run: Digits[] = [];
  for (const { 0: word, index } of text.matchAll(words)) {
    const groups = groupsOf(word, index);
    const last = run.at(-1);
    const follows = last !== undefined && index === last.end + 1 && spaces.has(text.charAt(last.end));
    if (!follows) run = [];
    for (const next of groups) {
      // A word with letters, a UUID say, is no card number split by dashes.
      run = /[a-z_.]/i.test(word) ? [next] : [...run.slice(-5), next];
      const start = cardStart(run);
      if (start === null) continue;
      yield { start, end: next.end };
      run = [];
    }
  }
}

/** The groups of digits between the dashes of a word. */
function groupsOf(word: string, index: number): Digits[] {
  let start = index;
  return word.split('-').flatMap((digits) => {
    const found = { digits, start, end: start + digits.length };
    start = found.end + 1;
    return group.test(digits) ? [found] : [];
  });
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

function isCardNumber(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19) return false;
  return schemes.some((scheme) => scheme.test(digits)) && hasCheckDigit(digits);
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
