import assert from 'node:assert/strict';
import { findCardNumbers, refuseCardNumbers } from '#api/json/card-numbers.ts';
import { parseJson } from '#api/json/json.ts';

const parse = (body: string) => parseJson(Buffer.from(body));

describe('A body with card data', () => {
  const refused: [what: string, body: string, pointer: string][] = [
    ['in a member', '{"payment_method":"4539578763621486"}', '/payment_method'],
    ['deep inside', '{"a":[{"b":{"c":"my card 4539 5787 6362 1486"}}]}', '/a/0/b/c'],
    ['as a test number', '{"amount":4242424242424242}', '/amount'],
    ['as a test number beyond 2^53', '{"x":6205500000000000004}', '/x'],
    ['as the name of a member', '{"metadata":{"4242424242424242":"x"}}', '/metadata'],
    [
      'below such a name',
      '{"metadata":{"a":{"4539578763621486":{"card":"4539578763621486"}}}}',
      '/metadata/a',
    ],
    [
      'in a member of that name, whatever its check digit',
      '{"card_number":"4242424242424241"}',
      '/card_number',
    ],
    ['in card.number', '{"card":{"number":"1234 5678 9012"}}', '/card/number'],
    [
      'in a member with card in its name',
      '{"metadata":{"buyersCard":"4539578763621486"}}',
      '/metadata/buyersCard',
    ],
    [
      'in a number beside its expiry',
      '{"metadata":{"number":"4539578763621486","exp_month":"12"}}',
      '/metadata/number',
    ],
    ['as a CVC', '{"card":{"cvc":"123"}}', '/card/cvc'],
    ['as a CVC that is a number', '{"metadata":{"card_cvv":1234}}', '/metadata/card_cvv'],
    ['in a list', '{"metadata":{"cards":["4539578763621486"]}}', '/metadata/cards/0'],
  ];
  for (const [what, body, pointer] of refused) {
    it(`is refused with the data ${what}`, () => {
      assert.throws(() => refuseCardNumbers(parse(body)), { code: 'card_number_refused' });
      assert.deepEqual(
        findCardNumbers(parse(body)).map((fault) => fault.pointer),
        [pointer],
      );
    });
  }

  const accepted: [what: string, body: string][] = [
    ['an order number', '{"metadata":{"order":"202611010001"}}'],
    [
      'an order number that passes Luhn',
      '{"metadata":{"order":"4539578763621486"},"reference":"2226110000000006"}',
    ],
    ['a number in metadata', '{"metadata":{"number":"4539578763621486","cid":"1234"}}'],
    ['a code without a card', '{"metadata":{"cvc":"123","gift_card_code":"1234"}}'],
    ['a number in words', '{"description":"Order 4539578763621486 of today"}'],
    ['a house number', '{"metadata":{"number":"42"}}'],
    ['a tax number called pan', '{"metadata":{"pan":"ABCDE1234F"}}'],
    ['a cvc check result', '{"metadata":{"cvc":"passed"}}'],
    ['a loyalty card of another form', '{"metadata":{"loyalty_card":"1000000000000008"}}'],
    ['the largest amount', '{"amount":99999999999}'],
  ];
  for (const [what, body] of accepted) {
    it(`is refused, but not for ${what}`, () => refuseCardNumbers(parse(body)));
  }
});
