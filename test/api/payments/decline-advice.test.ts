import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { environment } from '../../support/stack/environment.ts';

/** What a merchant is advised to do after a decline, in both dialects of the sandbox. */
describe('The advice of a declined charge', () => {
  let merchant: Merchant;
  before(async () => {
    await environment();
    merchant = await createMerchant();
  });

  const older = { headers: { 'api-version': '2026-05-01' } };

  /** Declines a card, and returns the problem and the charge. */
  async function decline(token: string) {
    const { status, body: problem } = await merchant.charge({ payment_method: token });
    assert.equal(status, 402);
    return { problem, charge: (await merchant.get(`/v1/charges/${problem.charge}`)).body };
  }

  for (const advice of ['retry_later', 'use_another_card', 'ask_buyer', 'do_not_retry']) {
    it(`is ${advice} where the bank says so`, async () => {
      const { problem, charge } = await decline(`tok_declined_${advice}`);
      assert.deepEqual([problem.decline_code, problem.advice], ['generic_decline', advice]);
      assert.equal(charge.failure?.advice, advice);
    });
  }

  const byCode = {
    tok_declined: 'use_another_card',
    tok_insufficient_funds: 'retry_later',
    tok_incorrect_cvc: 'ask_buyer',
    tok_expired_card: 'ask_buyer',
    tok_stolen_card: 'do_not_retry',
  };
  for (const [token, advice] of Object.entries(byCode)) {
    it(`is ${advice} for ${token}, by its code`, async () => {
      const { problem, charge } = await decline(token);
      assert.deepEqual([problem.advice, charge.failure?.advice], [advice, advice]);
    });
  }

  it('comes with a decline that comes later', async () => {
    const { body } = await merchant.charge({ payment_method: 'tok_async_declined' });
    const failure = await eventually('it fails', async () => {
      return (await merchant.get(`/v1/charges/${body.id}`)).body.failure;
    });
    assert.equal(failure.advice, 'use_another_card');
  });

  it('is told with the event of its charge', async () => {
    const { charge } = await decline('tok_declined_do_not_retry');
    const events = await merchant.get(`/v1/events?resource=${charge.id}`);
    const [event] = (events.body as unknown as { data: { data: { object: typeof charge } }[] }).data;
    assert.equal(event?.data.object.failure?.advice, 'do_not_retry');
    assert.deepEqual(event.data.object.failure, charge.failure);
  });

  it('is unknown to the version of 2026-05-01', async () => {
    const { status, text, body } = await merchant.charge(
      { payment_method: 'tok_declined_do_not_retry' },
      older,
    );
    assert.equal(status, 402);
    assert.doesNotMatch(text, /advice/);
    const { text: shown } = await merchant.get(`/v1/charges/${body.charge}`, older);
    assert.doesNotMatch(shown, /advice/);
  });
});
