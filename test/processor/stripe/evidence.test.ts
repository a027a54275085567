import assert from 'node:assert/strict';
import { describeAnswer } from '#processor/stripe/evidence.ts';

const describeBody = (body: unknown, headers = {}) =>
  describeAnswer({ status: 200, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('evidence of an answer of Stripe', () => {
  it('shows the shape, the codes and the request', () => {
    const intent = { id: 'pi_1', object: 'payment_intent', status: 'strange', amount: 5 };
    assert.equal(
      describeBody(intent, { 'request-id': 'req_1' }),
      'status 200, request req_1: {"id":"pi_1","object":"payment_intent","status":"strange","amount":5}',
    );
  });

  const secrets = {
    'the client secret': { client_secret: 'pi_1_secret_HARMFUL' },
    'text of people': { message: 'No such token: HARMFUL', description: 'HARMFUL' },
    'the card': { payment_method_details: { card: { id: 'HARMFUL', last4: '4242' } } },
    'the owner': { billing_details: { object: 'HARMFUL' } },
    'text that is no code': { status: 'HARMFUL text' },
    'a token': { id: 'tok_HARMFUL' },
    'a url': { next_action: { redirect_to_url: { url: 'https://hooks.example/HARMFUL' } } },
  };
  for (const [what, body] of Object.entries(secrets)) {
    it(`leaves out ${what}, at any depth`, () => {
      assert.doesNotMatch(describeBody(body), /HARMFUL|4242/);
      assert.doesNotMatch(describeBody({ error: { list: [body] } }), /HARMFUL|4242/);
    });
  }

  it('masks the number of a card anywhere', () => {
    assert.doesNotMatch(describeBody({ code: '4242424242424242', amount: 4242424242424242 }), /42424242/);
  });

  it('tells only the length of what is no JSON', () => {
    assert.equal(describeBody('<html>HARMFUL</html>'), 'status 200: 20 bytes that are not JSON');
  });

  it('is bounded, whatever the answer was', () => {
    assert.ok(describeBody({ list: Array.from({ length: 9_000 }, () => ({ amount: 1 })) }).length < 4_100);
    assert.ok(describeBody('['.repeat(200_000)).length < 4_100);
    assert.ok(
      describeBody(Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`m${i}`, 1]))).length < 4_100,
    );
  });
});
