import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { RefundResource } from '#domain/refunds.ts';
import { eventually } from '../../support/eventually.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';
import { createMerchant, type AccountSettings, type Merchant } from '../../support/resources/merchant.ts';
import { sendNotification } from '../../support/resources/processor-news.ts';
import {
  cancelRefund,
  findRefundEvents,
  readRefund,
  refundCharge,
  refundReads,
  type RefundBody,
} from '../../support/resources/refunds.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';

const kind = process.env['PROCESSOR'] ?? 'sandbox';
const ownReference = kind === 'stripe' ? /^re_/ : /^psp_re_/;
const bankReference = /^\d{23}$/;

/** What a support desk and the bank of the buyer need of a refund. */
describe('The receipt of a refund', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  async function refund(
    token: string,
    { settings, body = {} }: { settings?: AccountSettings; body?: object } = {},
  ): Promise<{ of: Merchant; refund: RefundBody }> {
    const of = settings ? await createMerchant(settings) : merchant;
    const { body: charge } = await of.charge({ payment_method: token });
    return { of, refund: (await refundCharge(of, charge.id, body)).body };
  }

  const settlingWithin = (ms: number) => ({ refund_reversible_ms: 100, refund_settlement_ms: ms });

  /** Stripe's dialect notifies by itself that the bank has told its reference; the sandbox's own does not. */
  async function untilBankTells(of: Merchant, id: string): Promise<RefundBody> {
    return eventually('the reference of the bank is known', async () => {
      if (kind === 'sandbox') await sendNotification(env, id, undefined, true);
      await runMaintenance(env, 'sweep');
      const found = await readRefund(of, id);
      return found.bank_reference !== null && found;
    });
  }

  const countEntries = async (of: Merchant, charge: string, type: string): Promise<number> => {
    const { body } = await of.get(`/v1/charges/${charge}/timeline?limit=100`);
    return (body as unknown as { data: { type: string }[] }).data.filter((entry) => entry.type === type)
      .length;
  };

  it('shows the processor and both references at once', async () => {
    const { refund: body } = await refund('tok_visa');
    assert.equal(body.processor?.kind, kind);
    assert.match(String(body.processor?.id), kind === 'stripe' ? /^prc_/ : /^null$/);
    assert.match(String(body.processor?.reference), ownReference);
    assert.match(String(body.bank_reference), bankReference);
    assert.deepEqual(await readRefund(merchant, body.id), body);
  });

  it('differs between two refunds of one charge', async () => {
    const { refund: first } = await refund('tok_visa', { body: { amount: 400 } });
    const { body: second } = await refundCharge(merchant, first.charge);
    assert.notEqual(first.processor?.reference, second.processor?.reference);
    assert.notEqual(first.bank_reference, second.bank_reference);
  });

  it('is told with the events of its refund', async () => {
    const { refund: body } = await refund('tok_visa');
    const { body: events } = await merchant.get<{ data: { data: { object: RefundResource } }[] }>(
      `/v1/events?resource=${body.id}`,
    );
    const object = events.data[0]?.data.object;
    assert.deepEqual([object?.processor, object?.bank_reference], [body.processor, body.bank_reference]);
  });

  it('names a refund that the card refused, too', async () => {
    const { body: charge } = await merchant.charge({ payment_method: 'tok_refund_fails' });
    const answer = await merchant.send<{ refund: string }>('POST', '/v1/refunds', { charge: charge.id });
    const { status, processor, bank_reference } = await readRefund(merchant, answer.body.refund);
    assert.deepEqual([status, bank_reference], ['failed', null]);
    assert.match(String(processor?.reference), ownReference);
  });

  it('stays once the refund has failed later', async () => {
    const { of, refund: first } = await refund('tok_refund_fails_later', { settings: {} });
    const { processor, bank_reference } = await refundReads(of, first.id, 'failed');
    assert.deepEqual([processor, bank_reference], [first.processor, first.bank_reference]);
  });

  it('takes a late reference when it settles', async () => {
    const { of, refund: first } = await refund('tok_mastercard', { settings: settlingWithin(4_000) });
    assert.deepEqual([first.status, first.bank_reference], ['processed', null]);
    const settled = await refundReads(of, first.id, 'settled');
    assert.match(String(settled.bank_reference), bankReference);
    assert.deepEqual(settled.processor, first.processor);
    const { body: events } = await of.get<{ data: { data: { object: RefundResource } }[] }>(
      `/v1/events?resource=${first.id}&type=refund.settled`,
    );
    assert.equal(events.data[0]?.data.object.bank_reference, settled.bank_reference);
  });

  it('takes a late reference by a notification', async () => {
    const { of, refund: first } = await refund('tok_mastercard', { settings: {} });
    assert.equal(first.bank_reference, null);
    const told = await untilBankTells(of, first.id);
    assert.match(String(told.bank_reference), bankReference);
    assert.deepEqual({ ...told, bank_reference: null, updated: first.updated }, first);
    assert.deepEqual(await findRefundEvents(env, first.id), ['refund.processed']);
    assert.equal(await countEntries(of, first.charge, 'waiting'), 1);
  });

  it('takes a late reference after it has settled', async () => {
    const { of, refund: first } = await refund('tok_mastercard', { settings: settlingWithin(100) });
    const settled = await refundReads(of, first.id, 'settled');
    assert.equal(settled.bank_reference, null);
    const told = await untilBankTells(of, first.id);
    assert.deepEqual({ ...told, bank_reference: null, updated: settled.updated }, settled);
    assert.deepEqual(await findRefundEvents(env, first.id), ['refund.processed', 'refund.settled']);
    assert.equal(await countEntries(of, first.charge, 'refund_settled'), 1);
  });

  it('stays without a reference that no bank tells', async () => {
    const { of, refund: first } = await refund('tok_discover', { settings: settlingWithin(100) });
    const { bank_reference, processor } = await refundReads(of, first.id, 'settled');
    assert.deepEqual([bank_reference, processor], [null, first.processor]);
  });

  it('stays through a reversal', async () => {
    if (kind === 'stripe') return;
    const { refund: first } = await refund('tok_visa');
    const { body } = await cancelRefund(merchant, first.id);
    assert.deepEqual([body.status, body.bank_reference], ['reversed', first.bank_reference]);
    assert.deepEqual(body.processor, first.processor);
  });

  it('is read anew while the bank may tell more', async () => {
    const { of, refund: first } = await refund('tok_visa', { settings: settlingWithin(100) });
    await refundReads(of, first.id, 'settled');
    const { headers } = await of.get(`/v1/refunds/${first.id}`);
    assert.equal(headers.get('cache-control'), 'private, no-cache');
  });

  it('is unknown to the version of 2026-05-01', async () => {
    const { refund: body } = await refund('tok_visa');
    const headers = { 'api-version': '2026-05-01' };
    const { body: older } = await merchant.get<Partial<RefundResource>>(`/v1/refunds/${body.id}`, {
      headers,
    });
    const { source: _source, processor: _processor, bank_reference: _bankReference, ...known } = body;
    assert.deepEqual(older, known);
  });

  it('of a release before reads null, until asked for', async () => {
    const { of, refund: first } = await refund('tok_visa', { settings: settlingWithin(3_000) });
    await env.db('refunds').where('id', first.id).update({ receipt: null });
    const unkept = await readRefund(of, first.id);
    assert.deepEqual([unkept.processor, unkept.bank_reference], [null, null]);
    const { processor, bank_reference } = await refundReads(of, first.id, 'settled');
    assert.deepEqual([processor, bank_reference], [first.processor, first.bank_reference]);
  });

  it('finds the refund, and no other account’s', async () => {
    const { refund: body } = await refund('tok_visa');
    await refund('tok_visa');
    const list = async (by: Merchant, reference: string) => {
      const { body: page } = await by.get<{ data: RefundResource[] }>(
        `/v1/refunds?processor_reference=${reference}`,
      );
      return page.data.map(({ id }) => id);
    };
    const reference = String(body.processor?.reference);
    assert.deepEqual(await list(merchant, reference), [body.id]);
    assert.deepEqual(await list(merchant, randomUUID()), []);
    assert.deepEqual(await list(await createMerchant(), reference), []);
  });
});
