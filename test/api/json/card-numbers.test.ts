import assert from 'node:assert/strict';
import { refuseCardNumbers } from '#api/json/card-numbers.ts';
import { parseJson } from '#api/json/json.ts';

describe('A body with card data', () => {
  const refused: [what: string, body: string][] = [
    ['in a member', '{"payment_method":"4242424242424242"}'],
    ['deep inside', '{"a":[{"b":{"c":"my card 4242 4242 4242 4242"}}]}'],
    ['as a number', '{"amount":4242424242424242}'],
    ['as a number beyond 2^53', '{"x":6212345678901234569}'],
    ['as the name of a member', '{"metadata":{"4242424242424242":"x"}}'],
    ['in a member of that name, whatever its check digit', '{"card_number":"4242424242424241"}'],
    ['in card.number', '{"card":{"number":"1234 5678 9012"}}'],
    ['as a CVC', '{"card":{"cvc":"123"}}'],
    ['as a CVC that is a number', '{"CVV2":1234}'],
  ];
  for (const [what, body] of refused) {
    it(`is refused with the data ${what}`, () => {
      assert.throws(() => refuseCardNumbers(parseJson(Buffer.from(body))), { code: 'card_number_refused' });
    });
  }

  const accepted: [what: string, body: string][] = [
    ['an order number', '{"metadata":{"order":"202611010001"}}'],
    ['a house number', '{"metadata":{"number":"42"}}'],
    ['a tax number called pan', '{"metadata":{"pan":"ABCDE1234F"}}'],
    ['a cvc check result', '{"metadata":{"cvc":"passed"}}'],
    ['the largest amount', '{"amount":99999999999}'],
  ];
  for (const [what, body] of accepted) {
    it(`is refused, but not for ${what}`, () => refuseCardNumbers(parseJson(Buffer.from(body))));
  }
});
