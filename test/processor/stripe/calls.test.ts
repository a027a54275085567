import assert from 'node:assert/strict';
import { ProcessorFault, ProcessorKeyError } from '#processor/port.ts';
import { createStripeProcessor } from '#processor/stripe/adapter.ts';
import { stripeKind } from '#processor/stripe/kind.ts';
import type { ProcessorAnswer, ProcessorRequest, Transport } from '#processor/transport.ts';
import { isFault } from '../../conformance/case.ts';
import { sentCharge } from '../../support/resources/sent-charge.ts';

const settings = { key: 'sk_test_0123456789', url: null };

/** A transport that answers as it is told, in order, and keeps what was asked. */
function scripted(...answers: (Partial<ProcessorAnswer> | ProcessorFault)[]) {
  const requests: ProcessorRequest[] = [];
  const transport: Transport = {
    exchange(request) {
      requests.push(request);
      const next = answers.shift() ?? new ProcessorFault('processor_timeout', 'the script is over');
      if (next instanceof ProcessorFault) return Promise.reject(next);
      return Promise.resolve({ status: 200, headers: {}, body: '', ...next });
    },
    close: () => Promise.resolve(),
  };
  return { processor: createStripeProcessor(settings, transport), requests };
}

const charge = sentCharge({ key: 'ch_1', ref: 'pi_1' });

function intent(more: object = {}) {
  return {
    id: 'pi_1',
    object: 'payment_intent',
    status: 'succeeded',
    livemode: false,
    created: 1,
    amount: 1000,
    amount_received: 1000,
    currency: 'eur',
    capture_method: 'automatic',
    latest_charge: {
      id: 'ch_1Stripe',
      object: 'charge',
      amount: 1000,
      amount_captured: 1000,
      amount_refunded: 0,
      refunded: false,
      captured: true,
      paid: true,
      currency: 'eur',
      metadata: {},
    },
    metadata: { charge: 'ch_1', account: 'acct_test' },
    ...more,
  };
}
const json = (body: object, more: Partial<ProcessorAnswer> = {}) => ({ body: JSON.stringify(body), ...more });
const list = (data: object[], has_more = false) => json({ object: 'list', data, has_more });
const unavailable = () => new ProcessorFault('processor_unavailable', 'no connection');
const formIn = (request: ProcessorRequest | undefined) =>
  Object.fromEntries(new URLSearchParams(request?.body));
const queryIn = ({ path }: ProcessorRequest) =>
  Object.fromEntries(new URLSearchParams(path.slice(path.indexOf('?') + 1)));

describe('calls to Stripe', () => {
  it('prepares a payment that only we can confirm', async () => {
    const method = { id: 'pm_1', object: 'payment_method' };
    const { processor, requests } = scripted(json(method), json(intent({ status: 'requires_confirmation' })));
    const given = { ref: null, statementDescriptor: 'SHOP 1', description: 'A book', capture: false };
    assert.deepEqual(await processor.prepare!({ ...charge, ...given }), { kind: 'prepared', ref: 'pi_1' });
    assert.deepEqual(formIn(requests[0]), { type: 'card', 'card[token]': 'tok_visa' });
    assert.deepEqual(formIn(requests[1]), {
      amount: '1000',
      payment_method: 'pm_1',
      currency: 'eur',
      capture_method: 'manual',
      confirmation_method: 'manual',
      'payment_method_types[0]': 'card',
      description: 'A book',
      statement_descriptor_suffix: 'SHOP 1',
      'metadata[charge]': 'ch_1',
      'metadata[account]': 'acct_test',
    });
    const keys = requests.map(({ headers }) => headers?.['idempotency-key']);
    assert.deepEqual(keys, ['ch_1:pm:1', 'ch_1:create:1']);
  });

  it('sends the same bytes for the same row', async () => {
    const send = async () => {
      const { processor, requests } = scripted(json(intent()), json(intent()));
      await processor.prepare!({ ...charge, ref: null, token: 'pm_123' });
      await processor.authorize(charge);
      return requests.map(({ path, body, headers }) => ({ path, body, headers }));
    };
    assert.deepEqual(await send(), await send());
  });

  it('asks its buyer only where there is a way back', async () => {
    for (const [returnUrl, member, value] of [
      [null, 'error_on_requires_action', 'true'],
      ['https://shop.example/', 'return_url', 'https://shop.example/'],
    ] as const) {
      const { processor, requests } = scripted(json(intent()));
      await processor.authorize({ ...charge, returnUrl });
      assert.equal(formIn(requests[0])[member], value);
    }
  });

  it('asks again what a stored answer says', async () => {
    const replayed = { headers: { 'idempotent-replayed': 'true' } };
    const { processor, requests } = scripted(json(intent(), replayed), json(intent({ status: 'canceled' })));
    assert.equal((await processor.authorize(charge)).kind, 'voided');
    assert.equal(requests.length, 2);
  });

  it('never says "no effect" once it has sent', async () => {
    const moved = { error: { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' } };
    const { processor } = scripted(json(moved, { status: 400 }), unavailable());
    await assert.rejects(processor.authorize(charge), isFault('processor_timeout'));
    await assert.rejects(
      scripted(unavailable()).processor.authorize(charge),
      isFault('processor_unavailable'),
    );
  });

  it('says nothing of Stripe where its own time was short', async () => {
    const presence = (call: Promise<unknown>) =>
      call.then(
        () => null,
        (error: unknown) => (error as ProcessorFault).presence,
      );
    assert.equal(await presence(scripted().processor.findCharge(charge)), 'away', 'it had all of its time');
    // A call of 8 s, whose first answers have used up all but a second of it.
    const asked: number[] = [];
    const now = performance.now.bind(performance);
    let passedMs = 0;
    performance.now = () => now() + passedMs;
    const transport: Transport = {
      exchange({ timeoutMs }) {
        asked.push(timeoutMs);
        passedMs = 7_000;
        const body = JSON.stringify(intent({ status: 'requires_capture' }));
        if (asked.length === 1) return Promise.resolve({ status: 200, headers: {}, body });
        return Promise.reject(new ProcessorFault('processor_timeout', 'none in time'));
      },
      close: () => Promise.resolve(),
    };
    try {
      assert.equal(await presence(createStripeProcessor(settings, transport).void({ charge })), 'unknown');
    } finally {
      performance.now = now;
    }
    assert.equal(asked.length, 2);
  });

  it('puts a void off while Stripe decides, and is there', async () => {
    const { processor } = scripted(json(intent({ status: 'processing' })));
    const fault = await processor.void({ charge }).catch((error: unknown) => error as ProcessorFault);
    assert.ok(fault instanceof ProcessorFault);
    assert.deepEqual([fault.code, fault.presence], ['processor_unavailable', 'there']);
  });

  it('names an action that is no page a fault', async () => {
    const next_action = { type: 'use_stripe_sdk', use_stripe_sdk: {} };
    const { processor } = scripted(json(intent({ status: 'requires_action', next_action })));
    await assert.rejects(processor.authorize(charge), isFault('processor_invalid_response'));
  });

  const foreign: [string, object][] = [
    ['another payment', { id: 'pi_2' }],
    ['the payment of another charge', { metadata: { charge: 'ch_2' } }],
    ['a payment without a name of ours', { metadata: {} }],
    ['real money', { livemode: true }],
    ['another amount', { amount: 999 }],
    ['another currency', { currency: 'usd' }],
    ['an unknown state', { status: 'sold' }],
    ['an amount that is text', { amount_received: '1000' }],
    ['a missing mode', { livemode: undefined }],
  ];
  for (const [what, more] of foreign) {
    it(`uses no answer about ${what}`, async () => {
      const answer = () => json(intent(more));
      await assert.rejects(
        scripted(answer()).processor.findCharge(charge),
        isFault('processor_invalid_response'),
      );
      await assert.rejects(
        scripted(answer()).processor.authorize(charge),
        isFault('processor_invalid_response'),
      );
    });
  }

  it('finds a payment on any page of the list', async () => {
    const old = sentCharge({ key: 'ch_1', createdAt: new Date(Date.now() - 48 * 3_600_000) });
    const other = intent({ id: 'pi_9', metadata: { charge: 'ch_9' } });
    const { processor, requests } = scripted(list([other], true), list([]), list([intent()]));
    assert.equal((await processor.findCharge(old))?.kind, 'captured');
    const made = Math.floor(old.createdAt.getTime() / 1_000);
    const [first, second, third] = requests.map(queryIn);
    assert.equal(first?.['created[gte]'], String(made - 300));
    assert.equal(second?.['starting_after'], 'pi_9');
    assert.equal(third?.['created[gt]'], first?.['created[lte]']);
  });

  it('asks nothing of a young charge without a reference', async () => {
    const { processor, requests } = scripted();
    assert.equal(await processor.findCharge({ ...charge, ref: null }), null);
    assert.equal(requests.length, 0);
  });

  it('calls a list that cannot be read to its end a fault', async () => {
    const old = sentCharge({ createdAt: new Date(0) });
    for (const script of [[list([], true)], [list([intent({ id: 'pi_9' })], true), unavailable()]])
      await assert.rejects(scripted(...script).processor.findCharge(old), ProcessorFault);
  });

  it('takes the payment that moved money, of two', async () => {
    const old = sentCharge({ key: 'ch_1', createdAt: new Date(0) });
    const unmoved = intent({ id: 'pi_2', status: 'requires_confirmation' });
    const { processor } = scripted(list([unmoved, intent(), { ...unmoved, id: 'pi_3' }]));
    const found = await processor.findCharge(old);
    assert.ok(found && 'processorId' in found && found.processorId === 'pi_1');
  });

  it('accepts tokens and PaymentMethods, not our cards', () => {
    const { processor } = scripted();
    const accepted = ['tok_visa', 'tok_1Q2w3E', 'pm_card_visa', 'pm_1Q2w3e4R5t6Y7u8I9o0P1a2S'];
    for (const token of accepted) assert.ok(processor.acceptsToken(token), token);
    const refused = [
      '',
      'tok_',
      'card_1',
      'pm_01HZZZZZZZZZZZZZZZZZZZZZZZ',
      'pm_a/../b',
      'tok_a b',
      '4242424242424242',
    ];
    for (const token of refused) assert.ok(!processor.acceptsToken(token), token);
  });

  it('keeps the text of an answer out of its fault', async () => {
    const answer = intent({ status: 'HARMFUL', client_secret: 'pi_1_secret_HARMFUL' });
    const fault = await scripted(json(answer))
      .processor.findCharge(charge)
      .catch((error: unknown) => error);
    assert.ok(fault instanceof ProcessorFault && fault.evidence !== null);
    assert.doesNotMatch(`${fault.message} ${fault.evidence}`, /secret_HARMFUL/);
    assert.match(fault.evidence, /"status":"HARMFUL"/);
  });

  it('tells refused credentials from every other fault', async () => {
    const error = { type: 'invalid_request_error', code: 'api_key_expired' };
    const { processor } = scripted(json({ error }, { status: 401 }));
    const fault = await processor.findCharge(charge).catch((raised: unknown) => raised);
    assert.ok(fault instanceof ProcessorFault && fault.misconfigured);
    assert.equal(fault.code, 'processor_unavailable');
  });

  it('checks no key that is none', async () => {
    const given = { key: 'pk_test_0123456789', url: null, externalAccount: null };
    await assert.rejects(stripeKind.checkKey(given), ProcessorKeyError);
  });
});
