import assert from 'node:assert/strict';
import type { Movement } from '#domain/reconciliation.ts';
import { collectCases } from '../case.ts';
import { MoneyRow, type ChargeRow } from '../rows.ts';
import { capture, refund, resolveVoid, send, waitForLater } from '../steps.ts';
import type { Subject } from '../subject.ts';
import { reserve } from './captures.ts';
import { take } from './refunds.ts';

const { cases, it } = collectCases('books');
export const bookCases = cases;

/** Reads the movements after a position to their end. */
async function readBooks(subject: Subject, after: string | null) {
  const movements: Movement[] = [];
  let position = after;
  for (;;) {
    const page = await subject.processor.listMovements!(position);
    movements.push(...page.movements);
    if (page.next === null) return { movements, position };
    position = page.next;
  }
}

/** The order in which money moves. Pages come in any order. */
const kinds: readonly Movement['kind'][] = ['capture', 'void', 'refund', 'refund_reversal'];

/** Returns what moved of the money of a charge. A refund that others made may name the payment alone. */
const money = (
  movements: readonly Movement[],
  { key: chargeKey, ref }: { key: string; ref: string | null },
) =>
  movements
    .filter((one) => (one.chargeKey === null ? one.paymentRef === ref : one.chargeKey === chargeKey))
    .filter(({ kind }) => kind !== 'authorization')
    .map(({ kind, amount, key }) => ({ kind, amount, key }))
    .toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind));

it('show each movement of money once', ['books'], async (subject) => {
  const charge = await take(subject);
  const row = new MoneyRow('refund', charge, 300);
  await refund(subject, row);
  const { movements } = await readBooks(subject, null);
  const [taken, given, ...more] = money(movements, charge.sent());
  assert.deepEqual([taken?.kind, taken?.amount], ['capture', 1000]);
  assert.deepEqual(given, { kind: 'refund', amount: 300, key: row.key });
  assert.deepEqual(more, []);
});

it('show what a part took, and nothing more', ['books', 'partial_captures'], async (subject) => {
  const charge = await reserve(subject);
  await capture(subject, new MoneyRow('claim', charge, 600));
  const shown = money((await readBooks(subject, null)).movements, charge.sent());
  assert.deepEqual(
    shown.map(({ kind, amount }) => ({ kind, amount })),
    [{ kind: 'capture', amount: 600 }],
  );
});

it('show the void of what was taken', ['books', 'void_captures'], async (subject) => {
  const charge = await take(subject);
  await resolveVoid(subject, charge);
  const shown = money((await readBooks(subject, null)).movements, charge.sent());
  assert.deepEqual(
    shown.map(({ kind, amount }) => ({ kind, amount })),
    [
      { kind: 'capture', amount: 1000 },
      { kind: 'void', amount: 1000 },
    ],
  );
});

it('show both ways of a refund that failed later', ['books', 'late_refund_failures'], async (subject) => {
  const row = new MoneyRow('refund', await take(subject, subject.tokens.refundsFailLater), 600);
  await refund(subject, row);
  await waitForLater(subject, 'it has failed', async () => {
    return (await subject.processor.findRefund(row.sent()))?.kind === 'failed';
  });
  await assertShown(subject, row.charge, ['capture', 'refund', 'refund_reversal']);
});

it('show both ways of a void that failed later', ['books', 'late_void_failures'], async (subject) => {
  const row = subject.newCharge({ token: subject.tokens.voidsFailLater! });
  await send(subject, row);
  await resolveVoid(subject, row);
  await waitForLater(subject, 'the money is back', async () => {
    return (await subject.processor.findCharge(row.sent()))?.kind === 'captured';
  });
  await assertShown(subject, row, ['capture', 'void', 'void_reversal']);
});

/** The whole books and those of the charge show the same kinds of movements. */
async function assertShown(subject: Subject, row: ChargeRow, kinds: string[]): Promise<void> {
  const { movements } = await readBooks(subject, null);
  // A first reading may go back from the newest movement.
  const shown = money(movements, row.sent()).map(({ kind }) => kind);
  assert.deepEqual(shown.toSorted(), kinds.toSorted());
  const own = money(await subject.processor.listMovementsOf!(row.sent()), row.sent()).map(({ kind }) => kind);
  assert.deepEqual(own.toSorted(), kinds.toSorted());
}

it('go on from a position that was kept', ['books'], async (subject) => {
  const before = await take(subject);
  const { position } = await readBooks(subject, null);
  const after = await take(subject);
  const { movements } = await readBooks(subject, position);
  assert.equal(money(movements, after.sent()).length, 1);
  const again = await readBooks(subject, null);
  assert.equal(money(again.movements, before.sent()).length, 1);
});

it('name a refund that was made elsewhere', ['books', 'refunds_elsewhere'], async (subject) => {
  const charge = await take(subject);
  await subject.refundElsewhere!(charge, 250);
  const shown = money((await readBooks(subject, null)).movements, charge.sent());
  assert.deepEqual(shown.at(-1)?.kind, 'refund');
  assert.equal(shown.at(-1)?.amount, 250);
});

it('show the movements of one charge', ['books', 'partial_captures'], async (subject) => {
  const charge = await reserve(subject);
  await capture(subject, new MoneyRow('claim', charge, 600));
  const row = new MoneyRow('refund', charge, 100);
  await refund(subject, row);
  const shown = await subject.processor.listMovementsOf!(charge.sent());
  assert.deepEqual(
    shown.map(({ kind, amount }) => ({ kind, amount })),
    [
      { kind: 'authorization', amount: 1000 },
      { kind: 'capture', amount: 600 },
      { kind: 'refund', amount: 100 },
    ],
  );
});

it('hold nothing of a decline', ['books'], async (subject) => {
  const row = subject.newCharge({ token: Object.values(subject.tokens.declines)[0]!, capture: false });
  await send(subject, row);
  assert.deepEqual(await subject.processor.listMovementsOf!(row.sent()), []);
});
