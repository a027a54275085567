import assert from 'node:assert/strict';
import { assertBooks, collectCases, isFault } from '../case.ts';
import type { FaultMode } from '../faults.ts';
import { MoneyRow } from '../rows.ts';
import { capture, refund, resolveCapture, resolveRefund, resolveVoid, send } from '../steps.ts';
import type { Feature } from '../subject.ts';
import { reserve } from './captures.ts';
import { take } from './refunds.ts';

const { cases, it, lost } = collectCases('lost answers');
export const lostMoneyCases = cases;

const losses: [string, FaultMode, readonly Feature[]][] = [
  ['given up before it was sent', 'unsent', []],
  ['never arrived', 'lost', []],
  ['arrived, and silence', 'silent', []],
  ['arrived, and half an answer', 'garbled', []],
  ['arrived, and a 502 with a page', 'gateway', []],
  ['took effect, and a failure was stored', 'stored_failure', ['stored_failures']],
];

for (const [title, mode, needs] of losses) {
  lost(`capture: ${title}`, needs, async (subject) => {
    const row = new MoneyRow('claim', await reserve(subject), 1000);
    subject.faults.next('capture', mode);
    await assert.rejects(capture(subject, row));
    assert.deepEqual(await resolveCapture(subject, row), { kind: 'captured', amountCaptured: 1000 });
    await assertBooks(subject, row.charge, { captured: 1000 });
  });

  lost(`refund: ${title}`, needs, async (subject) => {
    const row = new MoneyRow('refund', await take(subject), 600);
    subject.faults.next('refund', mode);
    await assert.rejects(refund(subject, row));
    assert.equal((await resolveRefund(subject, row)).kind, 'processed');
    await assertBooks(subject, row.charge, { captured: 1000, refunded: 600 });
  });

  lost(`void of a reservation: ${title}`, needs, async (subject) => {
    const row = await reserve(subject);
    subject.faults.next('void', mode);
    await assert.rejects(subject.processor.void({ charge: row.sent() }));
    assert.deepEqual(await resolveVoid(subject, row), { kind: 'voided' });
    assert.equal((await subject.processor.findCharge(row.sent()))?.kind, 'voided');
    await assertBooks(subject, row, { captured: 0 });
  });
}

lost('capture: had no effect, and a failure was stored', ['stored_failures'], async (subject) => {
  const row = new MoneyRow('claim', await reserve(subject), 1000);
  subject.faults.next('capture', 'stored_failure_before');
  await assert.rejects(capture(subject, row), isFault('processor_invalid_response'));
  assert.deepEqual(await resolveCapture(subject, row), { kind: 'captured', amountCaptured: 1000 });
  await assertBooks(subject, row.charge, { captured: 1000 });
});

lost('void of a payment: silence, and half an answer', ['void_captures'], async (subject) => {
  const row = subject.newCharge();
  await send(subject, row);
  // A void of what was taken may be a refund.
  for (const call of ['void', 'refund'] as const) subject.faults.next(call, 'silent');
  for (const call of ['void', 'refund'] as const) subject.faults.next(call, 'garbled');
  await assert.rejects(subject.processor.void({ charge: row.sent() }));
  assert.deepEqual(await resolveVoid(subject, row), { kind: 'voided' });
  assert.equal((await subject.processor.findCharge(row.sent()))?.kind, 'voided');
  await assertBooks(subject, row, { captured: 1000, voided: 1000 });
});

lost(
  'refund: had no effect, and is not sent anew within a minute',
  ['stored_failures', 'kept_keys'],
  async (subject) => {
    const row = new MoneyRow('refund', await take(subject), 600);
    subject.faults.next('refund', 'stored_failure_before');
    await assert.rejects(refund(subject, row), isFault('processor_invalid_response'));
    // The same key answers the stored failure, which asks for the next key, and for time.
    const again = await refund(subject, row).catch((error: unknown) => error);
    assert.ok(isFault('processor_invalid_response')(again));
    assert.equal((again as { retryAfterMs: number }).retryAfterMs, 60_000);
    row.nextAttempt();
    const sent = subject.faults.count('refund');
    await assert.rejects(refund(subject, row), isFault('processor_unavailable'));
    assert.equal(subject.faults.count('refund'), sent);
    row.createdAt = new Date(row.createdAt.getTime() - 120_000);
    assert.equal((await resolveRefund(subject, row)).kind, 'processed');
    await assertBooks(subject, row.charge, { captured: 1000, refunded: 600 });
  },
);

lost('refund: the listing after it is cut', [], async (subject) => {
  const row = new MoneyRow('refund', await take(subject), 600);
  subject.faults.next('refund', 'silent');
  await assert.rejects(refund(subject, row), isFault('processor_timeout'));
  subject.faults.next('find_refund', 'garbled');
  subject.faults.next('find_refund', 'silent');
  assert.equal((await resolveRefund(subject, row)).kind, 'processed');
  await assertBooks(subject, row.charge, { captured: 1000, refunded: 600 });
});

lost('capture and refund: both in a row', [], async (subject) => {
  const charge = await reserve(subject);
  const taken = new MoneyRow('claim', charge, 1000);
  subject.faults.next('capture', 'silent');
  await assert.rejects(capture(subject, taken), isFault('processor_timeout'));
  assert.deepEqual(await resolveCapture(subject, taken), { kind: 'captured', amountCaptured: 1000 });
  const given = new MoneyRow('refund', charge, 1000);
  subject.faults.next('refund', 'garbled');
  await assert.rejects(refund(subject, given), isFault('processor_invalid_response'));
  assert.equal((await resolveRefund(subject, given)).kind, 'processed');
  await assertBooks(subject, charge, { captured: 1000, refunded: 1000 });
});

it(
  'a question after a send never says that nothing happened',
  ['rate_limits', 'running_keys'],
  async (subject) => {
    const row = new MoneyRow('claim', await reserve(subject), 1000);
    await capture(subject, row);
    // The same key again: its answer is asked about, and the question is refused.
    subject.faults.next('find', 'rate_limited');
    const again = await capture(subject, row).catch((error: unknown) => error);
    assert.ok(isFault('processor_timeout')(again));
  },
);
