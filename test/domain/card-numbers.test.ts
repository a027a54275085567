import assert from 'node:assert/strict';
import { hasCardNumber, maskCardNumbers } from '#domain/cards/card-numbers.ts';

describe('Card numbers', () => {
  const cards: [scheme: string, text: string][] = [
    ['Visa', '4242424242424242'],
    ['Visa of 13 digits', '4222222222222'],
    ['Mastercard', '5555555555554444'],
    ['Mastercard of the 2 series', '2223003122003222'],
    ['American Express', '378282246310005'],
    ['Discover', '6011111111111117'],
    ['Diners Club', '30569309025904'],
    ['JCB', '3566002020360505'],
    ['UnionPay', '6200000000000005'],
    ['a card with spaces', '4242 4242 4242 4242'],
    ['a card with dashes', '4242-4242-4242-4242'],
    ['a card with no-break spaces', '4242\u00a04242\u00a04242\u00a04242'],
    ['a card and its expiry', '4242 4242 4242 4242 12/27 123'],
    ['a card in single digits', '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2'],
    ['a card behind a dash', 'card-4242424242424242'],
    ['a card behind an underscore', 'ord_4242424242424242'],
    ['a card with two spaces', 'x 4242  4242  4242  4242'],
    ['a card behind a word with dashes', 'card-4242-4242-4242-4242'],
    ['a card after a quantity', '2 4242 4242 4242 4242'],
    ['a card at the end of a sentence', 'Please take 4242424242424242.'],
  ];
  for (const [scheme, text] of cards) {
    it(`finds ${scheme} in a text`, () => assert.equal(hasCardNumber(text), true));
  }

  const others: [what: string, text: string][] = [
    ['a wrong check digit', '4242424242424241'],
    ['a time in milliseconds', '1767225600000'],
    ['a short order number', '424242424242'],
    ['a longer number', '42424242424242424242'],
    ['digits inside a word', 'x4242424242424242'],
    ['digits behind a point', '0.4242424242424242'],
    ['a UUID', '42424242-4242-4242-a424-242424242424'],
    ['one of our ids', 'ch_01J8Z3K4M5N6P7Q8R9S0T1V2W3'],
    ['groups that are not next to each other', 'x 4242, 4242, 4242, 4242'],
    ['amounts in a row', '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2 euros'],
    ['an IBAN', 'DE89370400440532013000'],
    ['digits of no scheme', '1000000000000008'],
  ];
  for (const [what, text] of others) {
    it(`lets ${what} pass without a match`, () => assert.equal(hasCardNumber(text), false));
  }

  it('masks them and nothing else in a line', () => {
    const line = '{"time":1767225600000,"msg":"4242 4242 4242 4242 and 5555555555554444"}';
    assert.equal(maskCardNumbers(line), '{"time":1767225600000,"msg":"[card number] and [card number]"}');
  });

  it('reads a hostile text in linear time', () => {
    const before = process.cpuUsage();
    hasCardNumber('4242 '.repeat(52_000));
    hasCardNumber('4-'.repeat(130_000));
    hasCardNumber(`${'4'.repeat(260_000)}a`);
    hasCardNumber(`4${' '.repeat(260_000)}a`);
    hasCardNumber(`4242${'.4242'.repeat(52_000)}a`);
    hasCardNumber(`4242424242424${':'.repeat(260_000)}a`);
    hasCardNumber(`4-2-4-2-4-2-4-2-4-2-4-2-4${'-a'.repeat(130_000)}`);
    hasCardNumber(`4242 4242 4242 4${'4'.repeat(32)}${'-4'.repeat(130_000)}g`);
    // Its own time, in microseconds: the machine may have other work. Quadratic time would be minutes.
    assert.ok(process.cpuUsage(before).user < 2_000_000);
  });
});
