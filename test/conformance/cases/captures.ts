import assert from 'node:assert/strict';
import { assertBooks, collectCases } from '../case.ts';
import { MoneyRow, type ChargeRow } from '../rows.ts';
import { capture, refund, resolveVoid, send, waitForLater } from '../steps.ts';
import { describeOutcome, type Subject } from '../subject.ts';

const { cases, it } = collectCases('captures');
export const captureCases = cases;

/** Returns a charge whose money is reserved. */
export async function reserve(subject: Subject): Promise<ChargeRow> {
  const row = subject.newCharge({ capture: false });
  assert.equal((await send(subject, row)).kind, 'authorized');
  return row;
}

it('takes all of an authorization', [], async (subject) => {
  const row = await reserve(subject);
  const outcome = await capture(subject, new MoneyRow('claim', row, 1000));
  assert.deepEqual(outcome, { kind: 'captured', amountCaptured: 1000 });
  await assertBooks(subject, row, { captured: 1000 });
});

it('takes part of an authorization', ['partial_captures'], async (subject) => {
  const row = await reserve(subject);
  const outcome = await capture(subject, new MoneyRow('claim', row, 600));
  assert.deepEqual(outcome, { kind: 'captured', amountCaptured: 600 });
  const found = await subject.processor.findCharge(row.sent());
  assert.deepEqual(describeOutcome(found), { kind: 'captured', amountCaptured: 600 });
  await assertBooks(subject, row, { captured: 600 });
});

it('takes an authorization only once', ['partial_captures'], async (subject) => {
  const row = await reserve(subject);
  await capture(subject, new MoneyRow('claim', row, 600));
  assert.equal((await capture(subject, new MoneyRow('claim', row, 400))).kind, 'declined');
  await assertBooks(subject, row, { captured: 600 });
});

it('declines more than was authorized', [], async (subject) => {
  const row = await reserve(subject);
  assert.equal((await capture(subject, new MoneyRow('claim', row, 1001))).kind, 'declined');
  await assertBooks(subject, row, { captured: 0 });
});

it('declines what was voided', [], async (subject) => {
  const row = await reserve(subject);
  await resolveVoid(subject, row);
  assert.equal((await capture(subject, new MoneyRow('claim', row, 1000))).kind, 'declined');
  await assertBooks(subject, row, { captured: 0 });
});

it('answers a known key with its first answer', [], async (subject) => {
  const row = new MoneyRow('claim', await reserve(subject), 1000);
  const first = await capture(subject, row);
  assert.deepEqual(await capture(subject, row), first);
  assert.deepEqual(await subject.processor.findCapture(row.sent()), first);
  await assertBooks(subject, row.charge, { captured: 1000 });
});

it('finds null under a key never sent', [], async (subject) => {
  const row = new MoneyRow('claim', await reserve(subject), 600);
  assert.equal(await subject.processor.findCapture(row.sent()), null);
});

it('says that it failed later', ['late_capture_failures'], async (subject) => {
  const row = subject.newCharge({ token: subject.tokens.capturesFailLater! });
  assert.equal((await send(subject, row)).kind, 'captured');
  await waitForLater(subject, 'it has failed', async () => {
    return (await subject.processor.findCharge(row.sent()))?.kind === 'capture_failed';
  });
  assert.equal((await send(subject, row)).kind, 'capture_failed');
  assert.equal((await refund(subject, new MoneyRow('refund', row, 600))).kind, 'failed');
  await assertBooks(subject, row, { captured: 0 });
});

it('gives back up to what a part took', ['partial_captures'], async (subject) => {
  const row = await reserve(subject);
  await capture(subject, new MoneyRow('claim', row, 600));
  assert.equal((await refund(subject, new MoneyRow('refund', row, 601))).kind, 'failed');
  assert.equal((await refund(subject, new MoneyRow('refund', row, 600))).kind, 'processed');
  await assertBooks(subject, row, { captured: 600, refunded: 600 });
});

it('leaves no refund of ours behind a part', ['partial_captures'], async (subject) => {
  const row = await reserve(subject);
  await capture(subject, new MoneyRow('claim', row, 600));
  // What the part left is as much as this refund would be.
  const same = new MoneyRow('refund', row, 400);
  assert.equal(await subject.processor.findRefund(same.sent()), null);
  assert.equal((await subject.processor.findCharge(row.sent()))?.kind, 'captured');
});

it('tells what was captured elsewhere', ['charges_elsewhere', 'partial_captures'], async (subject) => {
  const row = await reserve(subject);
  await subject.actElsewhere!(row, { do: 'capture', amount: 600 });
  const found = await subject.processor.findCharge(row.sent());
  assert.deepEqual(describeOutcome(found), { kind: 'captured', amountCaptured: 600 });
  const own = await capture(subject, new MoneyRow('claim', row, 1000));
  assert.equal(own.kind, 'declined', 'it is none of ours');
  await assertBooks(subject, row, { captured: 600 });
});

it('tells what was released elsewhere', ['charges_elsewhere'], async (subject) => {
  const row = await reserve(subject);
  await subject.actElsewhere!(row, { do: 'void' });
  assert.equal((await subject.processor.findCharge(row.sent()))?.kind, 'voided');
});
