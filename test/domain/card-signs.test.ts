import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { hasCardNumber } from '#domain/cards/card-numbers.ts';
import { isSurelyCard } from '#domain/cards/card-signs.ts';

/** A number that reads as a card number, and is one nobody publishes. */
const bare = '4539578763621486';

describe('A text is surely a card', () => {
  const cards: [what: string, text: string][] = [
    ['in groups of four', '4539 5787 6362 1486'],
    ['in groups with dashes', 'pay 4539-5787-6362-1486 now'],
    ['in groups of an American Express card', '3714 496353 98431'],
    ['in single digits', bare.split('').join(' ')],
    ['in digits of full width', '４５３９ ５７８７ ６３６２ １４８６'],
    ['behind the word card', `my card: ${bare}`],
    ['behind the words card number', `Card number is ${bare}`],
    ['behind a scheme', `VISA ${bare}`],
    ['before a scheme', `${bare} (Visa)`],
    ['behind a German word', `Kreditkarte Nr. ${bare}`],
    ['before its expiry', `${bare} 12/27 123`],
    ['as the first track', `%B${bare}^DOE/JOHN^2712101000000000?`],
    ['as the second track', `;${bare}=27121010000000000?`],
    ['as a test number', 'order 4242424242424242 of today'],
    ['as a test number in odd groups', '42 4242 4242 424242'],
  ];
  for (const [what, text] of cards) {
    it(`where it is written ${what}`, () => assert.ok(isSurelyCard(text), text));
  }

  const others: [what: string, text: string][] = [
    ['digits that pass Luhn', bare],
    ['an order number in words', `Card payment of order ${bare}`],
    ['a word that ends in card', `Discard ${bare}`],
    ['two groups of eight', '45395787-63621486'],
    ['groups with a wrong check digit', '4539 5787 6362 1487'],
    ['a year and a month before digits', '2611 0212 3456 7890'],
  ];
  for (const [what, text] of others) {
    it(`but not ${what}`, () => assert.ok(!isSurelyCard(text), text));
  }

  it('once of 30 random numbers in none', () => {
    const numbers = Array.from(
      { length: 20_000 },
      (_, i) => `4539${String(i * 7_919_377).padStart(12, '0')}`,
    );
    assert.ok(numbers.filter(hasCardNumber).length > 1_500, 'one of ten passes Luhn');
    assert.deepEqual(
      numbers.filter((number) => isSurelyCard(number)),
      [],
    );
  });

  it('for each test number, which reads as one', () => {
    const source = readFileSync(new URL('../../domain/cards/card-signs.ts', import.meta.url), 'utf8');
    const listed = source.match(/\b\d{13,19}\b/g) ?? [];
    assert.ok(listed.length > 90);
    assert.deepEqual(
      listed.filter((number) => !hasCardNumber(number) || !isSurelyCard(number)),
      [],
    );
  });

  it('found in linear time in a hostile text', () => {
    const before = process.cpuUsage();
    isSurelyCard('4242 '.repeat(52_000));
    isSurelyCard(`${bare} `.repeat(15_000));
    isSurelyCard(`b${'4'.repeat(260_000)}`);
    isSurelyCard('card '.repeat(52_000) + bare);
    assert.ok(process.cpuUsage(before).user < 2_000_000);
  });
});
