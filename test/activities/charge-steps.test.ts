import assert from 'node:assert/strict';
import { updateAccount } from '#db/access/accounts.ts';
import { requestCancel } from '#db/payments/charges.ts';
import type { ChargeOutcome } from '#domain/charges.ts';
import { ProcessorFault, type SentCharge } from '#processor/port.ts';
import { sandboxCapabilities } from '#processor/sandbox/adapter.ts';
import {
  type Bench,
  claimCharge,
  justPast,
  openBench,
  openSteps,
  readAnswer,
  readEvents,
  readTimeline,
} from './payment-bench.ts';

let bench: Bench;

const captured: ChargeOutcome = { kind: 'captured', processorId: 'p', amountCaptured: 1000 };
const authorized: ChargeOutcome = { kind: 'authorized', processorId: 'p' };
const pending: ChargeOutcome = { kind: 'pending', processorId: 'p' };
const declined: ChargeOutcome = {
  kind: 'declined',
  processorId: 'p',
  declineCode: 'lost_card',
  message: 'Lost',
};
const toConfirm: ChargeOutcome = { kind: 'requires_action', processorId: 'p', url: 'https://bank.example' };

const fail =
  (code: 'processor_timeout' | 'processor_unavailable', options = {}) =>
  () =>
    Promise.reject(new ProcessorFault(code, 'no answer', options));
const lost = fail('processor_timeout');

const readRow = async (id: string) => bench.db('charges').where({ id }).first();
const setRow = (id: string, change: object) => bench.db('charges').where({ id }).update(change);
const unknown = { status: 'pending', next: 'resolve' };
const lostAnswer = { ...unknown, fault: 'processor_timeout' };
const noAnswer = { ...unknown, fault: 'processor_invalid_response' };

/** A charge whose first answer was lost. */
async function lostCharge(change = {}) {
  const run = await claimCharge(bench, change);
  await openSteps(bench, { authorize: lost }).steps.authorizeCharge(run);
  return run;
}

async function prepare(this: Mocha.Context) {
  bench ??= await openBench();
}

describe('Authorizing a charge', () => {
  before(prepare);

  it('sends it once and stores its answer', async () => {
    const run = await claimCharge(bench);
    const { steps, calls, told } = openSteps(bench, { authorize: captured });
    const end = { status: 'succeeded', next: 'done' };
    assert.deepEqual(await steps.authorizeCharge(run), end);
    assert.deepEqual(calls, [`authorize ${run.chargeId} 1000`]);
    assert.deepEqual(await readEvents(bench, run.chargeId), ['charge.succeeded']);
    assert.equal(await readAnswer(bench, run.claimId), '201');
    assert.deepEqual(
      told.map(([claimId, status, body]) => [claimId, status, (JSON.parse(body) as { id: string }).id]),
      [[run.claimId, 201, run.chargeId]],
    );
    assert.deepEqual(await readTimeline(bench, run.chargeId), [
      'began',
      'sent charge',
      'processor_answered charge captured 1000',
    ]);
  });

  it('tells the processor all of the charge', async () => {
    const run = await claimCharge(bench, { captureMethod: 'manual', returnUrl: 'https://shop.example/back' });
    let sent: SentCharge | undefined;
    const { steps } = openSteps(bench, { authorize: (charge: SentCharge) => ((sent = charge), declined) });
    await steps.authorizeCharge(run);
    const { returnUrl, createdAt, origin, ...rest } = sent!;
    assert.match(returnUrl ?? '', new RegExp(`^http://localhost/processor/returns/${run.chargeId}\\.`));
    assert.deepEqual(createdAt, (await readRow(run.chargeId)).created_at);
    const { claimId, accountId } = JSON.parse(origin ?? '') as Record<string, unknown>;
    assert.deepEqual(
      [claimId, accountId],
      [run.claimId, bench.accountId],
      'by which a lost row is made again',
    );
    assert.deepEqual(rest, {
      key: run.chargeId,
      ref: null,
      attempt: 1,
      accountId: bench.accountId,
      token: 'tok_visa',
      amount: 1000,
      currency: 'EUR',
      capture: false,
      statementDescriptor: 'SHOP 6735',
      description: 'Order 6735',
    });
    const timeline = await readTimeline(bench, run.chargeId);
    assert.equal(timeline.at(-1), 'processor_answered charge declined lost_card');
    assert.equal(await readAnswer(bench, run.claimId), '402 card_declined');
  });

  it('stores an answer with the links of its request', async () => {
    const run = await claimCharge(bench);
    const { steps, told } = openSteps(bench, { authorize: declined });
    await steps.authorizeCharge(run);
    const { type, instance, trace_id: trace } = JSON.parse(told[0]?.[2] ?? '') as Record<string, string>;
    assert.deepEqual(
      [type, instance, trace],
      ['http://localhost/problems/card_declined', '/v1/charges', '0'.repeat(32)],
    );
    const [event] = await bench.db('events').where('resource_id', run.chargeId);
    assert.match(event.id, /^evt_/);
  });

  it('ends without anybody who waits for the answer', async () => {
    const run = await claimCharge(bench);
    const { steps } = openSteps(bench, { authorize: captured }, false);
    assert.equal((await steps.authorizeCharge(run)).status, 'succeeded');
  });

  it('asks for the money where it is taken at once', async () => {
    const run = await claimCharge(bench);
    let sent: SentCharge | undefined;
    const { steps } = openSteps(bench, { authorize: (charge: SentCharge) => ((sent = charge), declined) });
    await steps.authorizeCharge(run);
    assert.deepEqual([sent?.capture, sent?.returnUrl], [true, null]);
  });

  it('waits for a capture until the authorization lapses', async () => {
    const run = await claimCharge(bench, { captureMethod: 'manual' });
    const { steps } = openSteps(bench, { authorize: authorized });
    const { expiresInMs = 0, ...end } = await steps.authorizeCharge(run);
    assert.deepEqual(end, { status: 'requires_capture', next: 'await_command' });
    assert.ok(expiresInMs > 30_000 && expiresInMs <= 61_000, `${expiresInMs}`);
    assert.equal((await readTimeline(bench, run.chargeId)).at(-1), 'waiting capture');
  });

  it('leaves an unknown outcome to be asked for', async () => {
    const run = await claimCharge(bench);
    const { steps, told } = openSteps(bench, { authorize: lost });
    assert.deepEqual(await steps.authorizeCharge(run), lostAnswer);
    assert.equal(await readAnswer(bench, run.claimId), null);
    assert.deepEqual(told, []);
    const {
      processor_fault: fault,
      sent_at: sentAt,
      processor_attempt: attempt,
    } = await readRow(run.chargeId);
    assert.deepEqual([fault, sentAt !== null, attempt], ['processor_timeout', true, 1]);
    assert.deepEqual(await readTimeline(bench, run.chargeId), [
      'began',
      'sent charge',
      'processor_fault charge processor_timeout',
    ]);
  });

  it('counts as unsent what the processor refused to hear', async () => {
    const run = await claimCharge(bench);
    await openSteps(bench, { authorize: fail('processor_unavailable') }).steps.authorizeCharge(run);
    assert.equal((await readRow(run.chargeId)).sent_at, null);
  });

  const unusable: [what: string, authorize: ChargeOutcome][] = [
    ['cannot be true', { ...captured, amountCaptured: 1001 }],
    ['sends a buyer away who cannot come back', toConfirm],
  ];
  for (const [what, authorize] of unusable)
    it(`takes an answer that ${what} for none`, async () => {
      const run = await claimCharge(bench);
      const { steps } = openSteps(bench, { authorize });
      assert.deepEqual(await steps.authorizeCharge(run), noAnswer);
      assert.equal((await readRow(run.chargeId)).processor_fault, 'processor_invalid_response');
    });

  it('lets a fault of its own be seen', async () => {
    const run = await claimCharge(bench);
    const { steps } = openSteps(bench, { authorize: () => Promise.reject(new TypeError('ours')) });
    await assert.rejects(steps.authorizeCharge(run), new TypeError('ours'));
    assert.equal((await readRow(run.chargeId)).processor_fault, null);
  });

  it('begins nothing late, and nothing twice', async () => {
    const late = await claimCharge(bench, {}, 0);
    const { steps, calls } = openSteps(bench, { authorize: lost });
    const nothing = { status: 'not_started', next: 'done' };
    assert.deepEqual(await steps.authorizeCharge(late), nothing);
    assert.deepEqual(await steps.acceptCharge(late), nothing);
    assert.deepEqual(calls, []);
    const run = await lostCharge();
    assert.deepEqual(await steps.authorizeCharge(run), unknown);
    assert.deepEqual(calls, []);
  });

  it('sends a buyer on, and keeps the address secret', async () => {
    const run = await claimCharge(bench, { returnUrl: 'https://shop.example/back' });
    const { steps, told } = openSteps(bench, { authorize: toConfirm });
    const { expiresInMs = 0, ...end } = await steps.authorizeCharge(run);
    assert.deepEqual(end, { status: 'requires_action', next: 'await_action' });
    assert.ok(expiresInMs > 3_500_000 && expiresInMs <= 3_600_000, `${expiresInMs}`);
    assert.equal(await readAnswer(bench, run.claimId), '202 encrypted');
    assert.match(told[0]?.[2] ?? '', /https:\/\/bank\.example/);
    assert.deepEqual(await readEvents(bench, run.chargeId), ['charge.requires_action']);
  });
});

describe('Authorizing a charge that is cancelled meanwhile', () => {
  before(prepare);

  for (const outcome of [captured, authorized]) {
    it(`gives back what was ${outcome.kind}, and answers 409`, async () => {
      const run = await claimCharge(bench);
      const authorize = async () => {
        assert.ok(await requestCancel(bench.db, bench.accountId, run.chargeId, null, true));
        return outcome;
      };
      const { steps, calls, told } = openSteps(bench, { authorize, void: { kind: 'voided' } });
      assert.equal((await steps.authorizeCharge(run)).next, 'void');
      assert.deepEqual(told, []);
      assert.equal((await steps.voidCharge(run)).status, 'cancelled');
      assert.equal(calls.at(-1), `void ${run.chargeId}`);
      assert.equal(await readAnswer(bench, run.claimId), '409 charge_cancelled');
    });
  }

  it('records no cancel that could not be kept', async () => {
    const cancel = (id: string) => requestCancel(bench.db, bench.accountId, id, null, false);
    const taken = await lostCharge();
    assert.equal(await cancel(taken.chargeId), null);
    const reserved = await lostCharge({ captureMethod: 'manual' });
    assert.ok(await cancel(reserved.chargeId));
    const ended = await claimCharge(bench);
    await openSteps(bench, { authorize: captured }).steps.authorizeCharge(ended);
    assert.equal(await requestCancel(bench.db, bench.accountId, ended.chargeId, null, true), null);
    assert.equal((await readRow(ended.chargeId)).cancel_requested_at, null);
  });
});

describe('Accepting a charge', () => {
  before(prepare);

  it('answers 202 once, and sends nothing', async () => {
    const run = await claimCharge(bench);
    const { steps, calls, told } = openSteps(bench);
    const accepted = { ...unknown };
    assert.deepEqual(await steps.acceptCharge(run), accepted);
    assert.deepEqual(await steps.acceptCharge(run), accepted);
    assert.equal(await readAnswer(bench, run.claimId), '202');
    assert.deepEqual([calls, told.map(([, status]) => status)], [[], [202]]);
    assert.deepEqual(await readTimeline(bench, run.chargeId), ['began']);
    assert.equal((await readRow(run.chargeId)).sent_at, null);
  });

  it('leaves a charge that has moved as it is', async () => {
    const run = await claimCharge(bench);
    const { steps } = openSteps(bench, { authorize: captured });
    await steps.authorizeCharge(run);
    const claims = bench.db('idempotency_keys').where('claim_id', run.claimId);
    const none = { answered_at: null, answer_status: null, answer_headers: null, answer_body: null };
    await claims.clone().update({ ...none, request: run.request });
    assert.deepEqual(await steps.acceptCharge(run), { status: 'succeeded', next: 'done' });
    assert.equal(await readAnswer(bench, run.claimId), null);
  });

  it('answers a claim that began and was not answered', async () => {
    const run = await lostCharge();
    const { steps } = openSteps(bench, {}, false);
    assert.deepEqual(await steps.acceptCharge(run), { ...unknown });
    assert.equal(await readAnswer(bench, run.claimId), '202');
    const timeline = await readTimeline(bench, run.chargeId);
    assert.deepEqual(timeline.filter((entry) => entry === 'began').length, 1);
  });
});

describe('Resolving a charge', () => {
  before(prepare);

  it('settles what the processor knows, and sends nothing', async () => {
    const run = await lostCharge();
    const { steps, calls } = openSteps(bench, { findCharge: captured });
    assert.deepEqual(await steps.resolveCharge(run), { status: 'succeeded', next: 'done' });
    assert.deepEqual(calls, [`findCharge ${run.chargeId} 1000`]);
    assert.equal(await readAnswer(bench, run.claimId), '201');
    assert.deepEqual((await readTimeline(bench, run.chargeId)).slice(3), [
      'asked charge',
      'processor_answered charge captured 1000',
    ]);
    assert.deepEqual(await steps.resolveCharge(run), { status: 'succeeded', next: 'done' });
    assert.equal(calls.length, 1, 'what is done is not asked for');
  });

  it('sends again what the processor has never seen', async () => {
    const run = await lostCharge();
    const { steps, calls } = openSteps(bench, { findCharge: null, authorize: captured });
    const { status } = await steps.resolveCharge(run);
    assert.equal(status, 'succeeded');
    assert.deepEqual(calls, [`findCharge ${run.chargeId} 1000`, `authorize ${run.chargeId} 1000`]);
    assert.equal((await readRow(run.chargeId)).sends, 2);
    assert.deepEqual((await readTimeline(bench, run.chargeId)).slice(3), [
      'asked charge',
      'processor_answered charge not_found',
      'sent charge',
      'processor_answered charge captured 1000',
    ]);
  });

  it('sends nothing again for a disabled account', async () => {
    const other = await openBench();
    const run = await claimCharge(other);
    await openSteps(other, { authorize: lost }).steps.authorizeCharge(run);
    await updateAccount(other.db, other.accountId, { status: 'disabled' });
    const { steps, calls } = openSteps(other, { findCharge: null });
    await assert.rejects(steps.resolveCharge(run), { type: 'account_disabled', nonRetryable: false });
    assert.deepEqual(calls, [`findCharge ${run.chargeId} 1000`]);
  });

  it('sends nothing that another has decided meanwhile', async () => {
    const run = await lostCharge();
    const findCharge = async () => {
      await setRow(run.chargeId, { void_reason: 'cancelled' });
      return null;
    };
    const { steps, calls } = openSteps(bench, { findCharge });
    assert.deepEqual(await steps.resolveCharge(run), { ...unknown, next: 'void' });
    assert.equal(calls.length, 1);
  });

  it('asks later when the processor says when', async () => {
    const run = await lostCharge();
    const { steps } = openSteps(bench, { findCharge: fail('processor_timeout', { retryAfterMs: 7_000 }) });
    const expected = { type: 'processor_timeout', nonRetryable: false, message: 'no answer' };
    await assert.rejects(steps.resolveCharge(run), { ...expected, nextRetryDelay: 7_000 });
    const { steps: again } = openSteps(bench, { findCharge: lost });
    await assert.rejects(again.resolveCharge(run), { ...expected, nextRetryDelay: undefined });
    assert.equal(
      (await readTimeline(bench, run.chargeId)).at(-1),
      'processor_fault charge processor_timeout',
    );
  });

  it('uses another key once the processor kept a failure', async () => {
    const run = await lostCharge();
    const { steps, calls } = openSteps(bench, {
      findCharge: null,
      authorize: fail('processor_timeout', { renewsKey: true }),
    });
    await assert.rejects(steps.resolveCharge(run), { type: 'processor_timeout' });
    await assert.rejects(steps.resolveCharge(run), { type: 'processor_timeout' });
    assert.equal(calls.at(-1), `authorize ${run.chargeId} 1000 attempt 2`);
  });

  const overdue = { authorizationTtlMs: 60_000, unknownTimeoutMs: 0, pendingTimeoutMs: 0 };
  const answers: [what: string, unknown][] = [
    ['does not know it', null],
    ['has not decided', pending],
    ['does not answer', lost],
  ];
  for (const [what, findCharge] of answers) {
    it(`gives it up past its time where the processor ${what}`, async () => {
      const run = await lostCharge();
      const { steps, calls } = openSteps(bench, { findCharge });
      const end = await steps.resolveCharge({ ...run, durations: overdue });
      assert.deepEqual(end, { ...unknown, next: 'void' });
      assert.deepEqual(calls, [`findCharge ${run.chargeId} 1000`]);
      assert.equal((await readRow(run.chargeId)).void_reason, 'unresolved');
      assert.equal((await readTimeline(bench, run.chargeId)).at(-1), 'void_requested unresolved');
    });
  }

  it('believes a decision that comes past its time', async () => {
    const run = await lostCharge();
    const { steps } = openSteps(bench, { findCharge: declined });
    assert.equal((await steps.resolveCharge({ ...run, durations: overdue })).status, 'failed');
    assert.equal(await readAnswer(bench, run.claimId), '402 card_declined');
  });

  it('gives up nothing that a void cannot give back', async () => {
    const capabilities = { ...sandboxCapabilities, voidsCaptures: false };
    const kept = await lostCharge();
    const { steps } = openSteps(bench, { capabilities, findCharge: lost });
    await assert.rejects(steps.resolveCharge({ ...kept, durations: overdue }), { type: 'processor_timeout' });
    assert.equal((await readRow(kept.chargeId)).void_reason, null);
    const reserved = await lostCharge({ captureMethod: 'manual' });
    assert.equal((await steps.resolveCharge({ ...reserved, durations: overdue })).next, 'void');
  });

  it('fails without a void what was never sent', async () => {
    const run = await claimCharge(bench);
    const { steps, calls } = openSteps(bench, {
      authorize: fail('processor_unavailable'),
      findCharge: fail('processor_unavailable'),
    });
    await steps.authorizeCharge(run);
    await assert.rejects(steps.resolveCharge(run), { type: 'processor_unavailable' });
    const end = await steps.resolveCharge({ ...run, durations: overdue });
    assert.deepEqual(end, { status: 'failed', next: 'done' });
    assert.equal(calls.filter((call) => call.startsWith('authorize')).length, 1);
    assert.equal(await readAnswer(bench, run.claimId), '402 payment_not_sent');
    assert.deepEqual(await readEvents(bench, run.chargeId), ['charge.failed']);
    assert.equal((await readTimeline(bench, run.chargeId)).at(-1), 'given_up not_sent');
  });

  it('fails it too where a void gives nothing back', async () => {
    const run = await claimCharge(bench);
    const unavailable = fail('processor_unavailable');
    const capabilities = { ...sandboxCapabilities, voidsCaptures: false };
    const { steps } = openSteps(bench, { capabilities, authorize: unavailable, findCharge: unavailable });
    await steps.authorizeCharge(run);
    assert.equal((await steps.resolveCharge({ ...run, durations: overdue })).status, 'failed');
  });

  it('answers nobody once its claim is gone', async () => {
    const run = await lostCharge();
    const kept = bench.db('idempotency_keys').where('claim_id', run.claimId);
    await kept.clone().update({ created_at: bench.db.raw(`clock_timestamp() - interval '25 hours'`) });
    await kept.clone().delete();
    const { steps, told } = openSteps(bench, { findCharge: pending });
    const waits = { status: 'pending', next: 'await_processor' };
    assert.deepEqual([await steps.resolveCharge(run), told], [waits, []]);
  });

  it('fails nothing that another sends meanwhile', async () => {
    const run = await claimCharge(bench);
    await openSteps(bench, { authorize: fail('processor_unavailable') }).steps.authorizeCharge(run);
    const findCharge = async () => {
      await setRow(run.chargeId, { sent_at: new Date(), sends: 2 });
      return null;
    };
    const { steps } = openSteps(bench, { findCharge });
    assert.deepEqual(await steps.resolveCharge({ ...run, durations: overdue }), unknown);
    assert.equal((await readRow(run.chargeId)).status, 'pending');
  });

  for (const [what, findCharge] of answers) {
    it(`cancels it on request where the processor ${what}`, async () => {
      const run = await lostCharge();
      await setRow(run.chargeId, { cancel_requested_at: new Date() });
      const { steps, calls } = openSteps(bench, { findCharge });
      const end = await steps.resolveCharge(run);
      assert.deepEqual(end, { ...unknown, next: 'void', cancelRequested: true });
      assert.equal((await readRow(run.chargeId)).void_reason, 'cancelled');
      assert.equal(calls.length, 1);
    });
  }

  for (const outcome of [captured, authorized, pending, toConfirm]) {
    it(`keeps a cancel that came before it is ${outcome.kind}`, async () => {
      const run = await lostCharge({ returnUrl: 'https://shop.example/back' });
      await setRow(run.chargeId, { cancel_requested_at: new Date() });
      const { steps } = openSteps(bench, { findCharge: outcome, void: { kind: 'voided' } });
      const isVoided = { ...unknown, next: 'void', cancelRequested: true };
      assert.deepEqual(await steps.resolveCharge(run), isVoided);
      assert.equal(await readAnswer(bench, run.claimId), null, 'nobody is told before it is given back');
      const end = { status: 'cancelled', next: 'done' };
      assert.deepEqual(await steps.voidCharge(run), end);
      assert.equal(await readAnswer(bench, run.claimId), '409 charge_cancelled');
      assert.deepEqual(await readEvents(bench, run.chargeId), ['charge.cancelled']);
      assert.ok((await readTimeline(bench, run.chargeId)).includes('void_requested cancelled'));
    });
  }

  it('settles a decline in spite of a cancel', async () => {
    const run = await lostCharge();
    await setRow(run.chargeId, { cancel_requested_at: new Date() });
    const { steps } = openSteps(bench, { findCharge: declined });
    assert.equal((await steps.resolveCharge(run)).status, 'failed');
    assert.equal(await readAnswer(bench, run.claimId), '402 card_declined');
  });

  it('lets no late answer undo a void that was begun', async () => {
    const run = await lostCharge();
    const findCharge = async () => {
      await setRow(run.chargeId, { void_reason: 'unresolved', version: 9 });
      return captured;
    };
    const { steps } = openSteps(bench, { findCharge });
    assert.deepEqual(await steps.resolveCharge(run), { ...unknown, next: 'void' });
    assert.equal((await readRow(run.chargeId)).amount_captured, 0);
    const timeline = await readTimeline(bench, run.chargeId);
    assert.equal(
      timeline.at(-1),
      'processor_answered charge captured 1000',
      'the answer is told all the same',
    );
  });

  it('has no charge that is not there', async () => {
    const run = await claimCharge(bench);
    const { steps } = openSteps(bench);
    const expected = {
      type: 'charge_missing',
      nonRetryable: true,
      message: `There is no charge ${run.chargeId}`,
    };
    await assert.rejects(steps.resolveCharge(run), expected);
  });
});

describe('Resolving a charge that the processor took', () => {
  before(prepare);

  const waits = { status: 'pending', next: 'await_processor' };

  async function takenCharge() {
    const run = await claimCharge(bench);
    await openSteps(bench, { authorize: pending }).steps.authorizeCharge(run);
    return run;
  }

  it('waits on while nothing is decided or answered', async () => {
    const run = await takenCharge();
    assert.deepEqual(await openSteps(bench, { findCharge: pending }).steps.resolveCharge(run), waits);
    const isLost = { ...waits, fault: 'processor_timeout' };
    assert.deepEqual(await openSteps(bench, { findCharge: lost }).steps.resolveCharge(run), isLost);
    assert.deepEqual((await readTimeline(bench, run.chargeId)).slice(3), [
      'waiting processor',
      'asked charge',
      'processor_answered charge pending',
      'asked charge',
      'processor_fault charge processor_timeout',
    ]);
    assert.equal(await readAnswer(bench, run.claimId), '202');
  });

  it('settles the decision, and keeps the first answer', async () => {
    const run = await takenCharge();
    await openSteps(bench, { findCharge: captured }).steps.resolveCharge(run);
    assert.deepEqual(await readEvents(bench, run.chargeId), ['charge.succeeded']);
    assert.equal(await readAnswer(bench, run.claimId), '202');
  });
});

describe('Resolving a charge that its buyer confirms', () => {
  before(prepare);

  async function waitingCharge() {
    const run = await claimCharge(bench, { returnUrl: 'https://shop.example/back' });
    await openSteps(bench, { authorize: toConfirm }).steps.authorizeCharge(run);
    return run;
  }

  it('changes nothing while the buyer has not', async () => {
    const run = await waitingCharge();
    const { version } = await readRow(run.chargeId);
    const { next } = await openSteps(bench, { findCharge: toConfirm }).steps.resolveCharge(run);
    assert.deepEqual([next, (await readRow(run.chargeId)).version], ['await_action', version]);
  });

  it('takes the address that the processor names now', async () => {
    const run = await waitingCharge();
    const findCharge = { ...toConfirm, url: 'https://bank.example/2' };
    await openSteps(bench, { findCharge }).steps.resolveCharge(run);
    assert.equal((await readRow(run.chargeId)).action_url, 'https://bank.example/2');
    assert.deepEqual(await readEvents(bench, run.chargeId), ['charge.requires_action']);
  });

  it('sends the confirmed charge again, with its next key', async () => {
    const run = await waitingCharge();
    const { steps, calls } = openSteps(bench, { findCharge: null, authorize: captured });
    assert.equal((await steps.resolveCharge(run)).status, 'succeeded');
    assert.equal(calls.at(-1), `authorize ${run.chargeId} 1000 attempt 2`);
  });

  it('voids it once the buyer’s time is over', async () => {
    const run = await waitingCharge();
    const long = { ...run, durations: { ...run.durations, unknownTimeoutMs: 0 } };
    assert.equal(
      (await openSteps(bench, { findCharge: toConfirm }).steps.resolveCharge(long)).next,
      'await_action',
    );
    await setRow(run.chargeId, { action_expires_at: justPast() });
    const { next } = await openSteps(bench, { findCharge: toConfirm }).steps.resolveCharge(run);
    assert.deepEqual([next, (await readRow(run.chargeId)).void_reason], ['void', 'action_expired']);
  });

  it('takes it at the end of its time once confirmed', async () => {
    const run = await waitingCharge();
    await setRow(run.chargeId, { action_expires_at: justPast() });
    await assert.rejects(openSteps(bench, { findCharge: lost }).steps.resolveCharge(run), {
      type: 'processor_timeout',
    });
    const { steps } = openSteps(bench, { findCharge: null, authorize: captured });
    assert.equal((await steps.resolveCharge(run)).status, 'succeeded');
  });

  it('keeps a cancel that comes while it is sent again', async () => {
    const run = await waitingCharge();
    const authorize = async () => {
      assert.ok(await requestCancel(bench.db, bench.accountId, run.chargeId, null, true));
      return captured;
    };
    const { steps } = openSteps(bench, { findCharge: null, authorize });
    assert.equal((await steps.resolveCharge(run)).next, 'void');
    assert.equal((await readRow(run.chargeId)).void_reason, 'cancelled');
  });

  it('takes nothing at that end for a disabled account', async () => {
    const disabled = await openBench();
    const run = await claimCharge(disabled, { returnUrl: 'https://shop.example/back' });
    await openSteps(disabled, { authorize: toConfirm }).steps.authorizeCharge(run);
    await setRow(run.chargeId, { action_expires_at: justPast() });
    await updateAccount(disabled.db, disabled.accountId, { status: 'disabled' });
    assert.equal((await openSteps(disabled, { findCharge: null }).steps.resolveCharge(run)).next, 'void');
  });
});
