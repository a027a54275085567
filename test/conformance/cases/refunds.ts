import assert from 'node:assert/strict';
import { assertBooks, collectCases } from '../case.ts';
import { MoneyRow, type ChargeRow } from '../rows.ts';
import { refund, send, waitForLater } from '../steps.ts';
import { type Subject } from '../subject.ts';
import { reserve } from './captures.ts';

const { cases, it } = collectCases('refunds');
export const refundCases = cases;

/** Returns a charge whose money was taken. */
export async function take(subject: Subject, token = subject.tokens.succeeds): Promise<ChargeRow> {
  const row = subject.newCharge({ token });
  assert.equal((await send(subject, row)).kind, 'captured');
  return row;
}

it('gives back in parts, and not more than is left', [], async (subject) => {
  const charge = await take(subject);
  const give = async (amount: number) => (await refund(subject, new MoneyRow('refund', charge, amount))).kind;
  assert.deepEqual([await give(600), await give(401), await give(400)], ['processed', 'failed', 'processed']);
  const { refunds, refunded } = await subject.books(charge);
  assert.deepEqual({ refunds, refunded }, { refunds: 2, refunded: 1000 });
});

it('answers a known key with its first answer', [], async (subject) => {
  const row = new MoneyRow('refund', await take(subject), 300);
  const first = await refund(subject, row);
  assert.equal(first.kind, 'processed');
  assert.deepEqual(await refund(subject, row), first);
  assert.deepEqual(await subject.processor.findRefund(row.sent()), first);
  await assertBooks(subject, row.charge, { captured: 1000, refunded: 300 });
});

it('makes one of ten at once under one key', ['kept_keys'], async (subject) => {
  const row = new MoneyRow('refund', await take(subject), 100);
  const sends = await Promise.allSettled(Array.from({ length: 10 }, () => refund(subject, row)));
  assert.ok(sends.some(({ status }) => status === 'fulfilled'));
  await assertBooks(subject, row.charge, { captured: 1000, refunded: 100 });
});

it('makes two of two that are alike', [], async (subject) => {
  const charge = await take(subject);
  const rows = [new MoneyRow('refund', charge, 300), new MoneyRow('refund', charge, 300)];
  for (const row of rows) assert.equal((await refund(subject, row)).kind, 'processed');
  const { refunds, refunded } = await subject.books(charge);
  assert.deepEqual({ refunds, refunded }, { refunds: 2, refunded: 600 });
});

it('names each refund by an id of its own', [], async (subject) => {
  const charge = await take(subject);
  const names = new Set<string>();
  for (const amount of [300, 700]) {
    const row = new MoneyRow('refund', charge, amount);
    const { processorId } = await refund(subject, row);
    assert.ok(processorId);
    assert.equal((await subject.processor.findRefund(row.sent()))?.processorId, processorId);
    names.add(processorId);
  }
  assert.equal(names.size, 2);
  const tooMuch = await refund(subject, new MoneyRow('refund', charge, 1));
  assert.ok(!names.has(tooMuch.processorId ?? ''));
});

it('tells the reference of the bank, also late', ['late_bank_references'], async (subject) => {
  const row = new MoneyRow('refund', await take(subject, subject.tokens.bankTellsLater), 600);
  const first = await refund(subject, row);
  assert.deepEqual([first.kind, first.bankReference], ['processed', undefined]);
  const told = await waitForLater(subject, 'the bank has told it', async () => {
    const found = await subject.processor.findRefund(row.sent());
    return found?.bankReference !== undefined && found;
  });
  assert.deepEqual({ ...told, bankReference: undefined }, { ...first, bankReference: undefined });
});

it('finds null under a key never sent', [], async (subject) => {
  const row = new MoneyRow('refund', await take(subject), 600);
  assert.equal(await subject.processor.findRefund(row.sent()), null);
});

it('does not take one made elsewhere for ours', ['refunds_elsewhere'], async (subject) => {
  const row = new MoneyRow('refund', await take(subject), 300);
  await subject.refundElsewhere!(row.charge, 300);
  assert.equal(await subject.processor.findRefund(row.sent()), null);
  assert.equal((await refund(subject, row)).kind, 'processed');
  assert.equal((await subject.processor.findCharge(row.charge.sent()))?.kind, 'captured');
});

it('fails for what was never captured', [], async (subject) => {
  const charge = await reserve(subject);
  assert.equal((await refund(subject, new MoneyRow('refund', charge, 100))).kind, 'failed');
  await assertBooks(subject, charge, { captured: 0 });
});

it('says that it failed at once', ['instant_refund_failures'], async (subject) => {
  const row = new MoneyRow('refund', await take(subject, subject.tokens.refundsFail), 600);
  const outcome = await refund(subject, row);
  assert.equal(outcome.kind, 'failed');
  await assertBooks(subject, row.charge, { captured: 1000 });
});

it('says that it failed later', ['late_refund_failures'], async (subject) => {
  const row = new MoneyRow('refund', await take(subject, subject.tokens.refundsFailLater), 600);
  assert.equal((await refund(subject, row)).kind, 'processed');
  const failed = await waitForLater(subject, 'it has failed', async () => {
    const found = await subject.processor.findRefund(row.sent());
    return found?.kind === 'failed' && found;
  });
  assert.ok(failed);
});

it('leaves the amount of one that failed later', ['late_refund_failures'], async (subject) => {
  const row = new MoneyRow('refund', await take(subject, subject.tokens.refundsFailLater), 1000);
  await refund(subject, row);
  await waitForLater(subject, 'it has failed', async () => {
    return (await subject.processor.findRefund(row.sent()))?.kind === 'failed';
  });
  assert.equal((await refund(subject, new MoneyRow('refund', row.charge, 1000))).kind, 'processed');
});

it('tells the outcome of a pending one in time', ['pending_refunds'], async (subject) => {
  const row = new MoneyRow('refund', await take(subject), 600);
  await subject.delayRefund!(row.key);
  assert.equal((await refund(subject, row)).kind, 'pending');
  await waitForLater(subject, 'it is processed', async () => {
    const found = await subject.processor.findRefund(row.sent());
    return found?.kind === 'processed';
  });
  await assertBooks(subject, row.charge, { captured: 1000, refunded: 600 });
});

it('takes a refund back, however often', ['reversals'], async (subject) => {
  const row = new MoneyRow('refund', await take(subject), 1000);
  await refund(subject, row);
  const request = { key: row.key, charge: row.charge.sent() };
  for (let times = 0; times < 2; times += 1)
    assert.equal((await subject.processor.reverseRefund!(request)).kind, 'reversed');
  assert.equal((await subject.processor.findRefund(row.sent()))?.kind, 'reversed');
});

it('gives a reversed amount back again', ['reversals'], async (subject) => {
  const row = new MoneyRow('refund', await take(subject), 1000);
  await refund(subject, row);
  await subject.processor.reverseRefund!({ key: row.key, charge: row.charge.sent() });
  assert.equal((await refund(subject, new MoneyRow('refund', row.charge, 1000))).kind, 'processed');
});
