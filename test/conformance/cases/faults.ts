import assert from 'node:assert/strict';
import { call } from '#processor/call.ts';
import { openFixed } from '../../support/resources/fixed-processor.ts';
import { assertBooks, collectCases, isFault } from '../case.ts';
import { MoneyRow } from '../rows.ts';
import { resolveCharge, send } from '../steps.ts';
import { reserve } from './captures.ts';

const { cases, it } = collectCases('faults');
export const faultCases = cases;

it('is unavailable where no connection stands', [], async (subject) => {
  const { unreachable, processor } = subject;
  const row = subject.newCharge(processor.prepare ? { ref: 'pi_unreachable' } : {});
  await assert.rejects(unreachable.findCharge(row.sent()), isFault('processor_unavailable'));
  await assert.rejects(unreachable.authorize(row.sent()), isFault('processor_unavailable'));
  await assert.rejects(unreachable.void({ charge: row.sent() }), isFault('processor_unavailable'));
});

it('gives up when the caller does', [], async (subject) => {
  const { unreachable, processor } = subject;
  const row = subject.newCharge(processor.prepare ? { ref: 'pi_unreachable' } : {});
  const options = { signal: AbortSignal.abort() };
  await assert.rejects(unreachable.findCharge(row.sent(), options), isFault('processor_unavailable'));
});

it('declines nobody when its credentials are refused', [], async (subject) => {
  const row = subject.newCharge();
  subject.faults.next(subject.processor.prepare ? 'prepare' : 'authorize', 'unauthorized');
  await assert.rejects(send(subject, row));
  assert.equal((await resolveCharge(subject, row)).kind, 'captured');
  await assertBooks(subject, row, { captured: 1000 });
});

it('does not read a missing payment as never seen', ['prepare'], async (subject) => {
  const row = subject.newCharge();
  await send(subject, row);
  subject.faults.next('find', 'not_found');
  await assert.rejects(subject.processor.findCharge(row.sent()), isFault('processor_invalid_response'));
});

it('uses no answer about another charge', [], async (subject) => {
  const [row, other] = [subject.newCharge(), subject.newCharge()];
  await send(subject, row);
  const change = (body: string) => body.replaceAll(row.key, other.key);
  subject.faults.next('find', 'changed', { change });
  await assert.rejects(subject.processor.findCharge(row.sent()), isFault('processor_invalid_response'));
});

it('uses no answer that says more than was sent', [], async (subject) => {
  const row = subject.newCharge();
  await send(subject, row);
  const change = (body: string) => body.replaceAll(/("amount_(?:captured|received)": ?)1000\b/g, '$11001');
  subject.faults.next('find', 'changed', { change });
  const found = await call({ processor: openFixed(subject.processor) }, 'findCharge', row.sent());
  assert.ok(isFault('processor_invalid_response')(found));
});

it('uses no answer with a status that it does not know', [], async (subject) => {
  const row = subject.newCharge();
  await send(subject, row);
  const change = (body: string) => body.replaceAll(/("status": ?)"(?:captured|succeeded)"/g, '$1"sold"');
  subject.faults.next('find', 'changed', { change });
  await assert.rejects(subject.processor.findCharge(row.sent()), isFault('processor_invalid_response'));
});

it('uses no answer of the other mode', ['modes'], async (subject) => {
  const row = subject.newCharge();
  await send(subject, row);
  const change = (body: string) => body.replaceAll(/("livemode": ?)false/g, '$1true');
  subject.faults.next('find', 'changed', { change });
  await assert.rejects(subject.processor.findCharge(row.sent()), isFault('processor_invalid_response'));
});

it('keeps no text of an answer that it could not use', [], async (subject) => {
  const row = subject.newCharge();
  await send(subject, row);
  const harmful = 'HARMFUL text of somebody';
  const change = () => JSON.stringify({ object: 'payment_intent', client_secret: harmful, status: harmful });
  subject.faults.next('find', 'changed', { change });
  const fault = await subject.processor.findCharge(row.sent()).catch((error: unknown) => error);
  assert.ok(isFault('processor_invalid_response')(fault));
  const { message, evidence } = fault as { message: string; evidence: string | null };
  assert.doesNotMatch(`${message} ${evidence}`, /HARMFUL/);
});

it('says of a capture that cannot be read that it is unknown', [], async (subject) => {
  const row = new MoneyRow('claim', await reserve(subject), 600);
  subject.faults.next('find', 'gateway');
  await assert.rejects(subject.processor.findCapture(row.sent()), isFault('processor_invalid_response'));
});
