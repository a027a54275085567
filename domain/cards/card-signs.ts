import { cardNumbersIn, isCardNumber, isWhollyCardNumber, withPlainDigits } from './card-numbers.ts';

/**
 * What is surely a card, to refuse it. Digits that happen to read as a card number are not enough: one order number of 30
 * does. So a card number counts that has a sign beside it:
 *
 * - it is written in groups, as cards are printed, or in single digits;
 * - a word that names a card stands directly beside it, or the expiry of a card does;
 * - it is a track of a magnetic stripe;
 * - it is a test number that processors publish;
 * - its member is named after a card.
 */

/** The lengths of groups in which cards are printed. */
const layouts = new Set([
  '4 4 4 4',
  '4 6 5',
  '4 6 4',
  '4 4 4 4 3',
  '4 4 4 4 2',
  '4 4 4 4 1',
  '4 4 4 1',
  '4 3 3 3',
]);

/** Numbers that processors publish for tests: people try an API with these. */
const testNumbers = new Set(
  `4242424242424242 4000056655665556 4000000000000002 4000000000000010 4000000000000028 4000000000000036 4000000000000069
  4000000000000077 4000000000000101 4000000000000119 4000000000000127 4000000000000259 4000000000000341 4000000000003055
  4000000000003063 4000000000003220 4000000000004954 4000000000005126 4000000000007726 4000000000009235 4000000000009979
  4000000000009987 4000000000009995 4000002500003155 4000002760003184 4000003800000446 4000008260003178 4000008400001629
  4100000000000019 4111111111111111 4111111145551142 4012888888881881 4012000033330026 4012000077777777 4005519200000004
  4009348888881881 4166676667666746 4217651111111119 4222222222222 4444333322221111 4500600000000061 4646464646464644
  4917610000000000 4977949494949497 4988080000000000 4988438843884305 5105105105105100 5136333333333335 5200828282828210
  5454545454545454 5500000000000004 5555341244441115 5555444433331111 5555555555554444 5577000055770004 5585558555855583
  2222400010000008 2222400030000004 2222400050000009 2222400060000007 2222400070000005 2222410740360010 2223000048410010
  2223003122003222 2223520443560010 340000000000009 370000000000002 371449635398431 378282246310005 378734493671000
  30569309025904 3056930009020004 36006666333344 36227206271667 36259600000004 38520000023237 6011000000000004
  6011000990139424 6011111111111117 6011601160116611 6011981111111113 6445644564456445 6555900000604105 3530111333300000
  3566002020360505 3569990010095841 6200000000000005 6200000000000047 6205500000000000004 6304000000000000
  6759649826438453`.split(/\s+/),
);

/** Words for a card, and the names of schemes. */
const cardWords = new Set(
  `card cards cardnumber cardno cc ccn ccnumber creditcard creditcards debitcard pan visa mastercard amex maestro discover
  diners jcb unionpay karte kreditkarte kartennummer kreditkartennummer carte tarjeta kaart kort kortnummer`.split(
    /\s+/,
  ),
);

/** Words that may stand between the word for a card and its number. */
const betweenWords = new Set([
  'number',
  'numbers',
  'no',
  'nr',
  'num',
  'is',
  'was',
  'ending',
  'express',
  'club',
]);

/** Whether a word names a card. */
export const isCardWord = (word: string): boolean => cardWords.has(word);

/**
 * Whether the text surely holds a card.
 *
 * @param isNamed its member is named after a card, so that each card number in it is one.
 */
export function isSurelyCard(text: string, isNamed = false): boolean {
  if (text.length < 13) return false;
  const plain = withPlainDigits(text);
  if (holdsTrack(plain)) return true;
  if (isWhollyCardNumber(plain) && (isNamed || isMarked(plain.match(/\d+/g) ?? []))) return true;
  for (const { start, end } of cardNumbersIn(plain)) {
    if (isNamed || isMarked(plain.slice(start, end).match(/\d+/g) ?? []) || hasSignBeside(plain, start, end))
      return true;
  }
  return false;
}

/** Whether the groups of a card number alone show that it is one. */
function isMarked(groups: readonly string[]): boolean {
  if (testNumbers.has(groups.join(''))) return true;
  if (groups.length === 1) return false;
  return (
    layouts.has(groups.map(({ length }) => length).join(' ')) || groups.every(({ length }) => length === 1)
  );
}

/** Characters beside a number in which a sign is looked for. */
const besideLength = 40;

function hasSignBeside(text: string, start: number, end: number): boolean {
  const before = toWords(text.slice(Math.max(0, start - besideLength), start));
  while (betweenWords.has(before.at(-1) ?? '')) before.pop();
  const after = text.slice(end, end + besideLength);
  return isCardWord(before.at(-1) ?? '') || isCardWord(toWords(after)[0] ?? '') || expiry.test(after);
}

/** A month and a year of a card, directly behind its number. */
const expiry = /^[ ,;|]{1,3}(?:exp[a-z.: ]{0,10})?(?:0[1-9]|1[0-2]) ?[/-] ?(?:20)?\d\d(?!\d)/i;

/** Returns the words of a text in lower case, with names such as `cardNumber` in parts. */
export function toWords(text: string): string[] {
  const parted = text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return parted.split(/[^\p{L}\d]+/u).filter((word) => word !== '');
}

/** Track 1 begins with `B` and has `^` between its fields, track 2 has `=` or `D` behind the number (ISO/IEC 7813). */
const tracks = [/b(\d{13,19})\^/gi, /(?<!\d)(\d{13,19})[=d]\d{7}/gi];

function holdsTrack(text: string): boolean {
  return tracks.some((track) => [...text.matchAll(track)].some(([, digits = '']) => isCardNumber(digits)));
}
