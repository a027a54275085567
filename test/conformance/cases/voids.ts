import assert from 'node:assert/strict';
import { ProcessorFault } from '#processor/port.ts';
import { assertBooks, collectCases } from '../case.ts';
import { MoneyRow } from '../rows.ts';
import { capture, resolveVoid, send, waitForLater } from '../steps.ts';
import { reserve } from './captures.ts';

const { cases, it } = collectCases('voids');
export const voidCases = cases;

it('releases what was reserved, however often', [], async (subject) => {
  const row = await reserve(subject);
  for (let times = 0; times < 2; times += 1)
    assert.deepEqual(await subject.processor.void({ charge: row.sent() }), { kind: 'voided' });
  assert.equal((await subject.processor.findCharge(row.sent()))?.kind, 'voided');
  assert.equal((await send(subject, row)).kind, 'voided');
  await assertBooks(subject, row, { captured: 0 });
});

it('gives back what was taken, and only once', ['void_captures'], async (subject) => {
  const row = subject.newCharge();
  await send(subject, row);
  for (let times = 0; times < 2; times += 1)
    assert.deepEqual(await subject.processor.void({ charge: row.sent() }), { kind: 'voided' });
  assert.equal((await subject.processor.findCharge(row.sent()))?.kind, 'voided');
  assert.equal((await send(subject, row)).kind, 'voided');
  await assertBooks(subject, row, { captured: 1000, voided: 1000 });
});

it('gives back again what did not arrive', ['late_void_failures'], async (subject) => {
  const row = subject.newCharge({ token: subject.tokens.voidsFailLater! });
  await send(subject, row);
  await resolveVoid(subject, row);
  await waitForLater(subject, 'the money is back', async () => {
    return (await subject.processor.findCharge(row.sent()))?.kind === 'captured';
  });
  await assertBooks(subject, row, { captured: 1000, voided: 0 });
  assert.deepEqual(await resolveVoid(subject, row), { kind: 'voided' });
  assert.equal((await subject.processor.findCharge(row.sent()))?.kind, 'voided');
  await assertBooks(subject, row, { captured: 1000, voided: 1000 });
});

it('gives back what a part took', ['partial_captures', 'void_captures'], async (subject) => {
  const row = await reserve(subject);
  await capture(subject, new MoneyRow('claim', row, 600));
  assert.deepEqual(await resolveVoid(subject, row), { kind: 'voided' });
  await assertBooks(subject, row, { captured: 600, voided: 600 });
});

it('leaves what was captured where only a reservation goes', ['charges_elsewhere'], async (subject) => {
  const row = await reserve(subject);
  const sent = { charge: row.sent(), onlyReserved: true };
  await subject.actElsewhere!(row, { do: 'capture', amount: 1000 });
  await assert.rejects(subject.processor.void(sent), ProcessorFault);
  assert.equal((await subject.processor.findCharge(row.sent()))?.kind, 'captured');
  await assertBooks(subject, row, { captured: 1000 });
});

it('releases a reservation where only that goes', [], async (subject) => {
  const row = await reserve(subject);
  assert.deepEqual(await subject.processor.void({ charge: row.sent(), onlyReserved: true }), {
    kind: 'voided',
  });
  assert.equal((await subject.processor.findCharge(row.sent()))?.kind, 'voided');
});

it('remembers a key never seen', ['remembered_voids'], async (subject) => {
  const row = subject.newCharge();
  assert.deepEqual(await subject.processor.void({ charge: row.sent() }), { kind: 'voided' });
  assert.equal((await send(subject, row)).kind, 'voided');
  await assertBooks(subject, row, { captured: 0 });
});

it('needs no call for what was never prepared', ['prepare'], async (subject) => {
  const row = subject.newCharge();
  row.keepRef('void');
  assert.deepEqual(await subject.processor.void({ charge: row.sent() }), { kind: 'voided' });
  assert.deepEqual(await subject.unreachable.void({ charge: row.sent() }), { kind: 'voided' });
  assert.equal((await subject.processor.findCharge(row.sent()))?.kind, 'voided');
  assert.equal((await send(subject, row)).kind, 'voided');
  assert.equal(subject.faults.count(), 0);
});

it('stops what was prepared and not authorized', ['prepare'], async (subject) => {
  const row = subject.newCharge();
  const prepared = await subject.processor.prepare!(row.sent());
  row.keepRef(prepared.kind === 'prepared' ? prepared.ref : '');
  assert.deepEqual(await resolveVoid(subject, row), { kind: 'voided' });
  assert.equal((await send(subject, row)).kind, 'voided');
  await assertBooks(subject, row, { captured: 0 });
});

it('beats a prepare that comes later', ['prepare'], async (subject) => {
  const row = subject.newCharge();
  subject.faults.next('prepare', 'late');
  await assert.rejects(send(subject, row));
  await resolveVoid(subject, row);
  await subject.faults.deliver();
  assert.equal((await send(subject, row)).kind, 'voided');
  await assertBooks(subject, row, { captured: 0 });
});

it('beats a send that comes later, or loses to it', [], async (subject) => {
  const row = subject.newCharge();
  subject.faults.next('authorize', 'late');
  await assert.rejects(send(subject, row));
  await resolveVoid(subject, row);
  await subject.faults.deliver();
  assert.equal((await subject.processor.findCharge(row.sent()))?.kind, 'voided');
  await assertBooks(subject, row, { captured: 0 });
});

it('at the same time as a send leaves nothing taken', ['void_captures'], async (subject) => {
  const row = subject.newCharge();
  if (subject.processor.prepare) {
    const prepared = await subject.processor.prepare(row.sent());
    row.keepRef(prepared.kind === 'prepared' ? prepared.ref : '');
  }
  await Promise.allSettled([send(subject, row), resolveVoid(subject, row)]);
  await resolveVoid(subject, row);
  const { captured, voided } = await subject.books(row);
  assert.equal(captured - voided, 0);
});

it('stops a pending charge, or waits for it', ['pending_charges', 'void_captures'], async (subject) => {
  const row = subject.newCharge({ token: subject.tokens.succeedsLater! });
  await send(subject, row);
  assert.deepEqual(await resolveVoid(subject, row), { kind: 'voided' });
  const { captured, voided } = await subject.books(row);
  assert.equal(captured - voided, 0);
});
