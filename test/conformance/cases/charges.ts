import assert from 'node:assert/strict';
import type { ToldReceipt } from '#domain/cards/receipt.ts';
import { assertBooks, collectCases } from '../case.ts';
import { send, waitForLater } from '../steps.ts';
import { describeOutcome } from '../subject.ts';

const { cases, it } = collectCases('charges');
export const chargeCases = cases;

it('takes the money at once', [], async (subject) => {
  const row = subject.newCharge();
  assert.deepEqual(describeOutcome(await send(subject, row)), { kind: 'captured', amountCaptured: 1000 });
  await assertBooks(subject, row, { captured: 1000 });
});

it('only reserves the money of a manual charge', [], async (subject) => {
  const row = subject.newCharge({ capture: false });
  assert.deepEqual(describeOutcome(await send(subject, row)), { kind: 'authorized' });
  await assertBooks(subject, row, { captured: 0 });
});

it('tells the card that pays, and tells it again', [], async (subject) => {
  for (const token of [subject.tokens.succeeds, Object.values(subject.tokens.declines)[0]!]) {
    const row = subject.newCharge({ token });
    const { told } = (await send(subject, row)) as { told?: ToldReceipt };
    assert.match(String(told?.card?.last4), /^\d{4}$/);
    const found = (await subject.processor.findCharge(row.sent())) as { told?: ToldReceipt };
    assert.deepEqual(found.told?.card, told?.card);
  }
});

it('says why it declined, code by code', [], async (subject) => {
  for (const [code, token] of Object.entries(subject.tokens.declines)) {
    const row = subject.newCharge({ token });
    const outcome = await send(subject, row);
    assert.equal(outcome.kind === 'declined' && outcome.declineCode, code);
    await assertBooks(subject, row, { captured: 0 });
  }
});

it('says what its bank advises after a decline', ['advice'], async (subject) => {
  for (const [advice, token] of Object.entries(subject.tokens.advises!)) {
    const row = subject.newCharge({ token });
    const outcome = await send(subject, row);
    assert.equal(outcome.kind === 'declined' && outcome.advice, advice);
    const found = await subject.processor.findCharge(row.sent());
    assert.equal(found?.kind === 'declined' && found.advice, advice);
  }
});

it('finds a declined charge by its key', [], async (subject) => {
  const row = subject.newCharge({ token: Object.values(subject.tokens.declines)[0]! });
  const outcome = await send(subject, row);
  assert.equal(outcome.kind, 'declined');
  assert.deepEqual(await subject.processor.findCharge(row.sent()), outcome);
});

it('takes nothing by a token that does not exist', [], async (subject) => {
  const row = subject.newCharge({ token: subject.tokens.unknown });
  const { kind } = await send(subject, row);
  assert.ok(kind === 'declined' || kind === 'refused', kind);
  await assertBooks(subject, row, { captured: 0 });
});

it('answers a known key with what holds', [], async (subject) => {
  for (const capture of [true, false]) {
    const row = subject.newCharge({ capture });
    const first = await send(subject, row);
    assert.deepEqual(await send(subject, row), first);
  }
});

it('answers a known key of a declined charge alike', [], async (subject) => {
  const row = subject.newCharge({ token: Object.values(subject.tokens.declines)[0]! });
  const first = await send(subject, row);
  assert.deepEqual(await send(subject, row), first);
});

it('makes one payment of twenty sends at once', [], async (subject) => {
  const row = subject.newCharge();
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => send(subject, row)));
  const kinds = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.kind] : []));
  assert.ok(kinds.length > 0, 'one is answered at least');
  assert.deepEqual([...new Set(kinds)], ['captured']);
  await assertBooks(subject, row, { captured: 1000 });
});

it('finds a charge by its key', [], async (subject) => {
  for (const capture of [true, false]) {
    const row = subject.newCharge({ capture });
    const first = await send(subject, row);
    assert.deepEqual(await subject.processor.findCharge(row.sent()), first);
  }
});

it('finds null under a key never seen', [], async (subject) => {
  const row = subject.newCharge();
  assert.equal(await subject.processor.findCharge(row.sent()), null);
});

it('finds what was only prepared as not sent', ['prepare'], async (subject) => {
  const row = subject.newCharge();
  const prepared = await subject.processor.prepare!(row.sent());
  row.keepRef(prepared.kind === 'prepared' ? prepared.ref : '');
  assert.equal(await subject.processor.findCharge(row.sent()), null);
  await assertBooks(subject, row, { captured: 0 });
});

it('tells the outcome of a pending charge in time', ['pending_charges'], async (subject) => {
  const row = subject.newCharge({ token: subject.tokens.succeedsLater! });
  assert.deepEqual(describeOutcome(await send(subject, row)), { kind: 'pending' });
  const found = await waitForLater(subject, 'the outcome is there', async () => {
    const charge = await subject.processor.findCharge(row.sent());
    return charge?.kind === 'pending' ? null : charge;
  });
  assert.deepEqual(describeOutcome(found), { kind: 'captured', amountCaptured: 1000 });
  await assertBooks(subject, row, { captured: 1000 });
});

it('refuses an amount or currency that it cannot take', ['exact_currencies'], async (subject) => {
  const refused = [
    { currency: 'UGX', amount: 1000 },
    { currency: 'KWD', amount: 1001 },
    { currency: 'MGA', amount: 1050 },
    { currency: 'EUR', amount: 100_000_000 },
    { currency: 'EUR', amount: 1 },
  ];
  for (const money of refused) {
    const row = subject.newCharge(money);
    assert.equal((await send(subject, row)).kind, 'refused', `${money.amount} ${money.currency}`);
  }
});

it('takes currencies of none and three decimals exactly', ['exact_currencies'], async (subject) => {
  for (const [currency, amount] of [
    ['JPY', 500],
    ['KWD', 12_340],
    ['ISK', 700],
    ['MGA', 500_000],
  ] as const) {
    const row = subject.newCharge({ currency, amount });
    assert.deepEqual(describeOutcome(await send(subject, row)), { kind: 'captured', amountCaptured: amount });
    await assertBooks(subject, row, { captured: amount });
  }
});

it('takes no money under the reference of another', ['prepare'], async (subject) => {
  const [mine, other] = [subject.newCharge({ capture: false }), subject.newCharge()];
  await send(subject, mine);
  other.keepRef(mine.sent().ref!);
  await assert.rejects(subject.processor.findCharge(other.sent()));
  await assert.rejects(send(subject, other));
  await assertBooks(subject, other, { captured: 0 });
  await assertBooks(subject, mine, { captured: 0 });
});

it('accepts its own tokens, and no card kept here', [], async ({ processor, tokens }) => {
  assert.ok(processor.acceptsToken(tokens.succeeds));
  if (!processor.describeToken) assert.ok(!processor.acceptsToken('pm_01HZZZZZZZZZZZZZZZZZZZZZZZ'));
});

it('describes a card, or says there is none', ['cards'], async ({ processor, tokens }) => {
  const card = await processor.describeToken!(tokens.succeeds);
  assert.deepEqual(card && Object.keys(card).toSorted(), ['brand', 'expMonth', 'expYear', 'last4']);
  assert.equal(await processor.describeToken!(tokens.unknown), null);
});

it('keeps two charges apart that are alike', [], async (subject) => {
  const rows = [subject.newCharge(), subject.newCharge()];
  const outcomes = await Promise.all(rows.map((row) => send(subject, row)));
  assert.equal(new Set(outcomes.map((one) => 'processorId' in one && one.processorId)).size, 2);
  for (const row of rows) await assertBooks(subject, row, { captured: 1000 });
});

it('uses a one-off token once', ['one_off_tokens'], async (subject) => {
  const token = await subject.makeToken!();
  const [first, second] = [subject.newCharge({ token }), subject.newCharge({ token })];
  assert.equal((await send(subject, first)).kind, 'captured');
  assert.equal((await send(subject, second)).kind, 'refused');
  await assertBooks(subject, second, { captured: 0 });
});
