import assert from 'node:assert/strict';
import type { TakenCharge, TakenRefund } from '#processor/port.ts';
import { collectCases } from '../case.ts';
import { MoneyRow, type ChargeRow } from '../rows.ts';
import { refund, resolveVoid, send } from '../steps.ts';
import type { Subject } from '../subject.ts';

const { cases, it } = collectCases('requests');
export const requestCases = cases;

/** What the processor tells of these keys, read to its end. */
async function listTaken(subject: Subject, keys: readonly string[]) {
  const since = new Date(Date.now() - 30_000);
  const found: (TakenCharge | TakenRefund)[] = [];
  for (let after: string | null = null; ;) {
    const page = await subject.processor.listTaken!({ since, after });
    found.push(...page.taken.filter(({ key }) => keys.includes(key)));
    if (page.next === null) return found;
    after = page.next;
  }
}

const request = (of: string) => JSON.stringify({ key: of, reference: '"€😀' });

async function take(subject: Subject, how: Parameters<Subject['newCharge']>[0] = {}): Promise<ChargeRow> {
  const row = subject.newCharge(how);
  await send(subject, row);
  return row;
}

it('come back with the charge that they made', ['requests'], async (subject) => {
  const origin = request('one');
  const row = await take(subject, { capture: false, origin });
  const [taken, ...more] = await listTaken(subject, [row.key]);
  assert.deepEqual(more, []);
  assert.ok(taken?.kind === 'charge');
  const { ref, amount, currency } = row.sent();
  assert.deepEqual(
    [taken.origin, taken.amount, taken.currency, taken.capture, taken.isOver],
    [origin, amount, currency, false, false],
  );
  // The row is made again with it, before anything is asked.
  assert.equal(taken.ref, ref);
});

it('come back with the refund that they made', ['requests'], async (subject) => {
  const charge = await take(subject);
  const row = new MoneyRow('refund', charge, 300);
  row.origin = request('two');
  await refund(subject, row);
  assert.deepEqual(await listTaken(subject, [row.key]), [
    { kind: 'refund', key: row.key, chargeKey: charge.key, amount: 300, isOver: false, origin: row.origin },
  ]);
});

it('say that a decline and a void are over', ['requests'], async (subject) => {
  const declined = await take(subject, { token: Object.values(subject.tokens.declines)[0]! });
  const voided = await take(subject, { capture: false });
  await resolveVoid(subject, voided);
  const taken = await listTaken(subject, [declined.key, voided.key]);
  assert.deepEqual(
    taken.map(({ isOver }) => isOver),
    [true, true],
  );
});

it('are of use as long as a text may be', ['requests'], async (subject) => {
  const origin = request('x'.repeat(1_960));
  const row = await take(subject, { origin });
  const [taken] = await listTaken(subject, [row.key]);
  assert.equal(taken?.origin, origin);
});
