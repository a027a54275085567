import assert from 'node:assert/strict';
import { toReturnLocation } from '#api/payments/return-urls.ts';

const id = 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D';

describe('The return of a buyer', () => {
  for (const [returnUrl, expected] of [
    ['https://shop.example/order', `https://shop.example/order?charge=${id}`],
    ['https://shop.example', `https://shop.example/?charge=${id}`],
    ['https://shop.example/order?', `https://shop.example/order?charge=${id}`],
    ['https://shop.example/order?a=1&', `https://shop.example/order?a=1&charge=${id}`],
    ['https://shop.example/order?a=1#end', `https://shop.example/order?a=1&charge=${id}#end`],
    ['https://shop.example/#/a#b', `https://shop.example/?charge=${id}#/a#b`],
  ] as const) {
    it(`adds the charge to ${returnUrl}`, () => assert.equal(toReturnLocation(returnUrl, id), expected));
  }

  it('keeps every byte of the merchant’s query', () => {
    const query = 'a=%20&b=a+b&c=&d&q=a%2Cb%3Ac&%E4=1';
    const location = toReturnLocation(`https://shop.example/order?${query}`, id);
    assert.equal(location, `https://shop.example/order?${query}&charge=${id}`);
  });

  for (const [query, name] of [
    ['charge=7', 'charge_id'],
    ['ch%61rge=7', 'charge_id'],
    ['charge=7&charge_id=8', 'payments_charge_id'],
    ['xcharge=7', 'charge'],
  ] as const) {
    it(`names the charge ${name} beside ${query}`, () => {
      const location = toReturnLocation(`https://shop.example/?${query}`, id);
      assert.equal(location, `https://shop.example/?${query}&${name}=${id}`);
    });
  }
});
