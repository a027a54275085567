import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasCardNumber, maskCardNumbers } from '#domain/cards/card-numbers.ts';

/** What is a card number and what is not, for numbers and texts of chance. */
describe('A card number of chance', () => {
  const checkDigit = (digits: string): string => {
    const sum = digits.split('').reduceRight((total, digit, at) => {
      const doubled = Number(digit) * ((digits.length - at) % 2 === 1 ? 2 : 1);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
    return String((10 - (sum % 10)) % 10);
  };
  const schemes: [start: string, length: number][] = [
    ['4', 16],
    ['4', 19],
    ['51', 16],
    ['2720', 16],
    ['37', 15],
    ['6011', 16],
    ['3056', 14],
    ['3530', 16],
    ['62', 19],
  ];
  const card = fc.constantFrom(...schemes).chain(([start, length]) =>
    fc
      .array(fc.integer({ min: 0, max: 9 }), {
        minLength: length - start.length - 1,
        maxLength: length - start.length - 1,
      })
      .map((rest) => start + rest.join(''))
      .map((digits) => digits + checkDigit(digits)),
  );
  const printed = (digits: string): string[] =>
    digits.length === 15
      ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)]
      : (digits.match(/.{1,4}/g) ?? []);
  const joiner = fc.oneof(
    fc.constantFrom(
      ' ',
      '-',
      '.',
      '/',
      '_',
      ':',
      '|',
      '*',
      '+',
      '\u00a0',
      '\u2011',
      '\u200b',
      '  ',
      '--',
      '. '[0]!,
    ),
    fc
      .string({ minLength: 1, maxLength: 1, unit: 'grapheme' })
      .filter((text) => /^[^\p{L}\p{N},;"'()[\]{}<>\\]$/u.test(text)),
  );
  const around = fc.constantFrom<[string, string]>(
    ['', ''],
    ['card ', ''],
    ['order-', ''],
    ['order_', '_2'],
    ['pay/', '/now'],
    ['Take ', '.'],
    ['{"note":"', '"}'],
    ['2 ', ' 12/27 123'],
  );

  it('is found whole, wherever it stands', () => {
    fc.assert(fc.property(card, around, (digits, [before, after]) => hasCardNumber(before + digits + after)));
  });

  it('is found split by any one character', () => {
    fc.assert(
      fc.property(card, joiner, around, (digits, by, [before, after]) => {
        const text = before + printed(digits).join(by) + after;
        assert.ok(hasCardNumber(text), text);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is found in single digits where nothing else stands', () => {
    fc.assert(fc.property(card, joiner, (digits, by) => hasCardNumber(digits.split('').join(by))));
  });

  it('is found in digits of full width', () => {
    fc.assert(
      fc.property(card, (digits) =>
        hasCardNumber(
          digits
            .split('')
            .map((digit) => String.fromCodePoint(0xff10 + Number(digit)))
            .join(''),
        ),
      ),
    );
  });

  it('is masked with nothing left of it', () => {
    fc.assert(
      fc.property(card, fc.constantFrom('', ' ', '-', '.', '_'), around, (digits, by, [before, after]) => {
        const masked = maskCardNumbers(before + printed(digits).join(by) + after);
        assert.equal(hasCardNumber(masked), false, masked);
        for (const group of printed(digits).slice(1, 3)) assert.ok(!masked.includes(group + by), masked);
      }),
    );
  });

  describe('is not seen in', () => {
    /** Ids whose hex digits are all decimal, and begin anywhere in card numbers in a row: the worst there is. */
    const decimalHex = (length: number) =>
      fc
        .tuple(card, fc.nat({ max: 15 }))
        .map(([digits, from]) => digits.repeat(6).slice(from, from + length));
    const hex = (length: number) =>
      fc.oneof(decimalHex(length), fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)));
    const uuid = fc.oneof(
      fc.uuid(),
      hex(32).map((text) => text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')),
    );
    const ids: [what: string, id: fc.Arbitrary<string>][] = [
      ['a UUID', uuid],
      ['a UUID in capitals', uuid.map((id) => id.toUpperCase())],
      [
        'a ULID',
        fc.oneof(
          fc.ulid(),
          decimalHex(24).map((text) => `01${text}`),
        ),
      ],
      ['one of our ids', fc.ulid().map((id) => `ch_${id}`)],
      ['a trace id', hex(32)],
      ['a traceparent', fc.tuple(hex(32), hex(16)).map(([trace, span]) => `00-${trace}-${span}-01`)],
      ['a b3 header', fc.tuple(hex(32), hex(16)).map(([trace, span]) => `${trace}-${span}-1`)],
      ['a SHA-256', hex(64)],
      ['an IPv6 address', hex(32).map((text) => (text.match(/.{4}/g) ?? []).join(':'))],
      [
        'a shortened IPv6 address',
        hex(16).map((text) => (text.match(/.{4}/g) ?? []).join(':').replace(':', '::')),
      ],
      ['a phone number', fc.stringMatching(/^\+[1-9]\d{10,14}$/)],
      [
        'a number with a fraction',
        fc.tuple(fc.nat(), decimalHex(16)).map(([whole, part]) => `${whole}.${part}`),
      ],
      [
        'a list of amounts',
        fc.array(fc.integer({ min: 100, max: 99_999 })).map((list) => JSON.stringify(list)),
      ],
      ['a place on the map', fc.tuple(hexless(6), hexless(6)).map(([a, b]) => `52.${a},13.${b}`)],
    ];
    for (const [what, id] of ids) {
      it(`${what}, alone or in a text`, () => {
        fc.assert(
          fc.property(
            id,
            around.filter(([, after]) => !after.includes('12/27')),
            (text, [before, after]) => {
              assert.equal(hasCardNumber(before + text + after), false, before + text + after);
              assert.equal(maskCardNumbers(text), text);
            },
          ),
          { numRuns: 500 },
        );
      });
    }
  });
});

function hexless(length: number): fc.Arbitrary<string> {
  return fc.stringMatching(new RegExp(`^\\d{${length}}$`));
}
