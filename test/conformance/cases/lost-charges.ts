import assert from 'node:assert/strict';
import type { ProcessorFaultCode } from '#processor/port.ts';
import { assertBooks, collectCases, isFault } from '../case.ts';
import type { FaultMode } from '../faults.ts';
import type { ChargeRow } from '../rows.ts';
import { resolveCharge, send } from '../steps.ts';
import { describeOutcome, type Feature, type Subject } from '../subject.ts';
import { ask } from './actions.ts';

const { cases, lost } = collectCases('lost answers');
export const lostChargeCases = cases;

interface Loss {
  title: string;
  mode: FaultMode;
  code: ProcessorFaultCode;
  needs?: readonly Feature[];
}

const losses: Loss[] = [
  { title: 'given up before it was sent', mode: 'unsent', code: 'processor_unavailable' },
  { title: 'never arrived', mode: 'lost', code: 'processor_timeout' },
  { title: 'arrived, and silence', mode: 'silent', code: 'processor_timeout' },
  { title: 'arrived, and half an answer', mode: 'garbled', code: 'processor_invalid_response' },
  { title: 'arrived, and a 502 with a page', mode: 'gateway', code: 'processor_invalid_response' },
  {
    title: 'never arrived, and a 502 with a page',
    mode: 'gateway_before',
    code: 'processor_invalid_response',
  },
  { title: 'too many requests', mode: 'rate_limited', code: 'processor_unavailable', needs: ['rate_limits'] },
  { title: 'locked by another request', mode: 'locked', code: 'processor_unavailable', needs: ['locks'] },
  {
    title: 'still under way, then its answer',
    mode: 'running',
    code: 'processor_timeout',
    needs: ['running_keys'],
  },
  {
    title: 'took effect, and a failure was stored',
    mode: 'stored_failure',
    code: 'processor_invalid_response',
    needs: ['stored_failures'],
  },
  {
    title: 'had no effect, and a failure was stored',
    mode: 'stored_failure_before',
    code: 'processor_invalid_response',
    needs: ['stored_failures'],
  },
  {
    title: 'the key was used with other members',
    mode: 'key_reused',
    code: 'processor_invalid_response',
    needs: ['bound_keys'],
  },
];

async function assertTaken(subject: Subject, row: ChargeRow): Promise<void> {
  const outcome = describeOutcome(await resolveCharge(subject, row));
  assert.deepEqual(outcome, { kind: 'captured', amountCaptured: 1000 });
  await assertBooks(subject, row, { captured: 1000 });
}

for (const [call, word, features] of [
  ['prepare', 'prepare', ['prepare']],
  ['authorize', 'charge', []],
] as const) {
  for (const { title, mode, code, needs = [] } of losses) {
    lost(`${word}: ${title}`, [...features, ...needs], async (subject) => {
      const row = subject.newCharge();
      subject.faults.next(call, mode);
      await assert.rejects(send(subject, row), isFault(code));
      await assertTaken(subject, row);
    });
  }
}

lost('charge: arrived late, after the next send', [], async (subject) => {
  const row = subject.newCharge();
  subject.faults.next('authorize', 'late');
  await assert.rejects(send(subject, row), isFault('processor_timeout'));
  await assertTaken(subject, row);
  await subject.faults.deliver();
  await assertTaken(subject, row);
});

lost('charge: silence twice, and a page between', [], async (subject) => {
  const row = subject.newCharge();
  subject.faults.next('authorize', 'silent');
  await assert.rejects(send(subject, row), isFault('processor_timeout'));
  subject.faults.next('find', 'gateway');
  subject.faults.next('find', 'silent');
  await assertTaken(subject, row);
});

lost('charge: a decline', [], async (subject) => {
  const row = subject.newCharge({ token: subject.tokens.declines['insufficient_funds']! });
  subject.faults.next('authorize', 'silent');
  await assert.rejects(send(subject, row), isFault('processor_timeout'));
  const outcome = await resolveCharge(subject, row);
  assert.equal(outcome.kind === 'declined' && outcome.declineCode, 'insufficient_funds');
  await assertBooks(subject, row, { captured: 0 });
});

lost('charge: a reservation', [], async (subject) => {
  const row = subject.newCharge({ capture: false });
  subject.faults.next('authorize', 'silent');
  await assert.rejects(send(subject, row), isFault('processor_timeout'));
  assert.deepEqual(describeOutcome(await resolveCharge(subject, row)), { kind: 'authorized' });
  await assertBooks(subject, row, { captured: 0 });
});

lost('charge: it asks its buyer', ['actions'], async (subject) => {
  const row = subject.newCharge({ token: subject.tokens.asksBuyer!, returnUrl: 'https://shop.example/' });
  subject.faults.next('authorize', 'silent');
  await assert.rejects(send(subject, row), isFault('processor_timeout'));
  assert.equal((await resolveCharge(subject, row)).kind, 'requires_action');
  await assertBooks(subject, row, { captured: 0 });
});

lost('charge: after its buyer has confirmed', ['actions'], async (subject) => {
  const { row, url } = await ask(subject);
  await subject.actAsBuyer!(url, 'confirm');
  subject.faults.next('authorize', 'silent');
  await assert.rejects(send(subject, row), isFault('processor_timeout'));
  await assertTaken(subject, row);
});

lost('charge: found late, when keys are forgotten', [], async (subject) => {
  const row = subject.newCharge();
  subject.faults.next('authorize', 'silent');
  await assert.rejects(send(subject, row), isFault('processor_timeout'));
  row.age(30 * 3_600_000);
  await assertTaken(subject, row);
});

lost('prepare: its reference was not saved, a day ago', ['prepare'], async (subject) => {
  const row = subject.newCharge();
  subject.faults.next('authorize', 'silent');
  await assert.rejects(send(subject, row), isFault('processor_timeout'));
  row.loseRef();
  row.age(30 * 3_600_000);
  await assertTaken(subject, row);
});

lost('prepare: made twice, and the first reference wins', ['prepare'], async (subject) => {
  const row = subject.newCharge();
  subject.faults.next('prepare', 'silent');
  await assert.rejects(send(subject, row), isFault('processor_timeout'));
  row.nextAttempt();
  const [one, two] = await Promise.all([1, 2].map(() => subject.processor.prepare!(row.sent())));
  for (const prepared of [one, two]) if (prepared?.kind === 'prepared') row.keepRef(prepared.ref);
  await assertTaken(subject, row);
});

for (const [title, call, mode, needs] of [
  ['arrived, and silence', 'token', 'silent', []],
  ['had no effect, and a failure was stored', 'token', 'stored_failure_before', ['stored_failures']],
  ['used, and the prepare fails for good', 'prepare', 'stored_failure', ['stored_failures']],
] as const) {
  lost(`one-off token: ${title}`, ['one_off_tokens', 'kept_keys', ...needs], async (subject) => {
    const row = subject.newCharge({ token: await subject.makeToken!() });
    subject.faults.next(call, mode);
    await assert.rejects(send(subject, row));
    await assertTaken(subject, row);
  });
}
