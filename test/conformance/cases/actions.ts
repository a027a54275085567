import assert from 'node:assert/strict';
import { assertBooks, collectCases } from '../case.ts';
import type { ChargeRow } from '../rows.ts';
import { resolveCharge, resolveVoid, send } from '../steps.ts';
import { describeOutcome, type Subject } from '../subject.ts';

const { cases, it } = collectCases('actions');
export const actionCases = cases;

const returnUrl = 'https://shop.example/return';

/** Returns a charge that waits for its buyer, and the page where it does. */
export async function ask(subject: Subject, token = subject.tokens.asksBuyer!) {
  const row = subject.newCharge({ token, returnUrl });
  const outcome = await send(subject, row);
  assert.equal(outcome.kind, 'requires_action');
  // The service counts on with the statement that records the action.
  row.nextAttempt();
  return { row, url: outcome.kind === 'requires_action' ? outcome.url : '' };
}

async function confirmLater(subject: Subject, row: ChargeRow) {
  assert.equal(await subject.processor.findCharge(row.sent()), null, 'confirmed, and not taken');
  return describeOutcome(await send(subject, row));
}

it('names a page where there is a way back', ['actions'], async (subject) => {
  const { row, url } = await ask(subject);
  assert.match(url, /^https?:/);
  await assertBooks(subject, row, { captured: 0 });
});

it('declines where there is no way back', ['actions'], async (subject) => {
  const row = subject.newCharge({ token: subject.tokens.asksBuyer! });
  const outcome = await send(subject, row);
  assert.equal(outcome.kind === 'declined' && outcome.declineCode, 'authentication_required');
  await assertBooks(subject, row, { captured: 0 });
});

it('takes the money by our own confirm, not before', ['actions'], async (subject) => {
  const { row, url } = await ask(subject);
  await subject.actAsBuyer!(url, 'confirm');
  await assertBooks(subject, row, { captured: 0 });
  assert.deepEqual(await confirmLater(subject, row), { kind: 'captured', amountCaptured: 1000 });
  await assertBooks(subject, row, { captured: 1000 });
});

it('declines when the buyer fails', ['actions'], async (subject) => {
  const { row, url } = await ask(subject);
  await subject.actAsBuyer!(url, 'fail');
  const outcome = await subject.processor.findCharge(row.sent());
  assert.equal(outcome?.kind === 'declined' && outcome.declineCode, 'authentication_failed');
  await assertBooks(subject, row, { captured: 0 });
});

it('declines what the bank refuses after the buyer', ['actions'], async (subject) => {
  const { row, url } = await ask(subject, subject.tokens.asksBuyerThenDeclines);
  await subject.actAsBuyer!(url, 'confirm');
  const outcome = await send(subject, row);
  assert.equal(outcome.kind, 'declined');
  await assertBooks(subject, row, { captured: 0 });
});

it('finds the page again', ['actions'], async (subject) => {
  const { row, url } = await ask(subject);
  const found = await subject.processor.findCharge(row.sent());
  assert.deepEqual(describeOutcome(found), { kind: 'requires_action', url });
});

it('takes nothing after it was voided', ['actions'], async (subject) => {
  const { row, url } = await ask(subject);
  await resolveVoid(subject, row);
  await subject.actAsBuyer!(url, 'confirm');
  assert.equal((await resolveCharge(subject, row)).kind, 'voided');
  await assertBooks(subject, row, { captured: 0 });
});

it('asks what holds, when its first answer comes again', ['actions'], async (subject) => {
  const row = subject.newCharge({ token: subject.tokens.asksBuyer!, returnUrl });
  const outcome = await send(subject, row);
  await subject.actAsBuyer!(outcome.kind === 'requires_action' ? outcome.url : '', 'confirm');
  // The row did not count on: the same key answers `requires_action` again, which holds no longer.
  assert.deepEqual(describeOutcome(await resolveCharge(subject, row)), {
    kind: 'captured',
    amountCaptured: 1000,
  });
  await assertBooks(subject, row, { captured: 1000 });
});
