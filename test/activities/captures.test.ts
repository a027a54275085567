import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { updateAccount } from '#db/access/accounts.ts';
import { requestCancel } from '#db/payments/charges.ts';
import { storeNotification } from '#db/payments/processor-notifications.ts';
import type { CaptureOutcome } from '#domain/charges.ts';
import { ProcessorFault } from '#processor/port.ts';
import {
  type Answers,
  type Bench,
  claim,
  claimCharge,
  justPast,
  openBench,
  openSteps,
  readAnswer,
  readEvents,
  readTimeline,
} from './payment-bench.ts';

let bench: Bench;

const captured = (amountCaptured = 1000): CaptureOutcome => ({ kind: 'captured', amountCaptured });
const declined: CaptureOutcome = { kind: 'declined', declineCode: 'lost_card', message: 'Lost' };
const lost = () => Promise.reject(new ProcessorFault('processor_timeout', 'no answer'));
const authorized = { kind: 'authorized', processorId: 'p' } as const;
const done = { status: 'succeeded', next: 'done' };
/** After a capture was carried out. */
const taken = { ...done, hadCommand: true };

const readRow = async (id: string) => bench.db('charges').where({ id }).first();
const setRow = (id: string, change: object) => bench.db('charges').where({ id }).update(change);

/** A charge that is authorized, and waits. */
async function authorizedCharge(on = bench) {
  const run = await claimCharge(on, { captureMethod: 'manual' });
  await openSteps(on, { authorize: authorized }).steps.authorizeCharge(run);
  return run;
}

type Run = Awaited<ReturnType<typeof authorizedCharge>>;

async function claimCapture(run: Run, amount: number | null = null, startWithinMs?: number) {
  const endpoint = 'POST /v1/charges/{id}:capture';
  const owner = { ...bench, accountId: run.accountId };
  const captureClaimId = await claim(
    owner,
    { resourceId: run.chargeId, endpoint, request: { amount } },
    startWithinMs,
  );
  return { ...run, captureClaimId };
}

/** A capture whose first answer was lost. */
async function lostCapture(amount: number | null = null) {
  const run = await claimCapture(await authorizedCharge(), amount);
  await openSteps(bench, { findCapture: null, capture: lost }).steps.captureCharge(run);
  return run;
}

/** Returns a progress without its time. */
function untimed({ expiresInMs: _time, ...progress }: object & { expiresInMs?: number }) {
  return progress;
}

async function prepare(this: Mocha.Context) {
  bench ??= await openBench();
}

describe('Capturing a charge', () => {
  before(prepare);

  it('takes all of it, once', async () => {
    const run = await claimCapture(await authorizedCharge());
    const { steps, calls } = openSteps(bench, { capture: captured() });
    assert.deepEqual(await steps.captureCharge(run), taken);
    assert.deepEqual(await steps.captureCharge(run), done);
    const key = run.captureClaimId;
    assert.deepEqual(calls, [`capture ${key} 1000`]);
    assert.equal(await readAnswer(bench, key), '200');
    assert.deepEqual(await readEvents(bench, run.chargeId), ['charge.authorized', 'charge.succeeded']);
    assert.deepEqual((await readTimeline(bench, run.chargeId)).slice(4), [
      'capture_requested 1000',
      'sent capture',
      'processor_answered capture captured 1000',
    ]);
  });

  it('takes the part that was asked for', async () => {
    const run = await claimCapture(await authorizedCharge(), 400);
    const { steps, calls } = openSteps(bench, { findCapture: null, capture: captured(400) });
    assert.deepEqual(await steps.captureCharge(run), taken);
    assert.equal(calls.at(-1), `capture ${run.captureClaimId} 400`);
    assert.equal((await readRow(run.chargeId)).amount_captured, 400);
    assert.ok((await readTimeline(bench, run.chargeId)).includes('capture_requested 400'));
  });

  it('takes the first of two, and refuses the other', async () => {
    const first = await claimCapture(await authorizedCharge(), 400);
    const second = await claimCapture(first, 500);
    const { steps, calls } = openSteps(bench, { capture: captured(400) });
    assert.deepEqual(await steps.captureCharge(first), taken);
    assert.deepEqual(calls, [`capture ${first.captureClaimId} 400`]);
    assert.equal(await readAnswer(bench, second.captureClaimId), '409 charge_already_captured');
  });

  it('takes the first that is not too much', async () => {
    const first = await claimCapture(await authorizedCharge(), 1001);
    const second = await claimCapture(first, 500);
    const { steps } = openSteps(bench, { capture: captured(500) });
    assert.deepEqual(await steps.captureCharge(first), taken);
    assert.equal(await readAnswer(bench, first.captureClaimId), '422 capture_exceeds_authorized');
    assert.equal(await readAnswer(bench, second.captureClaimId), '200');
  });

  it('answers one that began and was not answered', async () => {
    const run = await claimCapture(await authorizedCharge(), 1001);
    const begun_at = new Date();
    await bench.db('idempotency_keys').where('claim_id', run.captureClaimId).update({ begun_at });
    await openSteps(bench).steps.captureCharge(run);
    assert.equal(await readAnswer(bench, run.captureClaimId), '422 capture_exceeds_authorized');
  });

  const refusals: [what: string, amount: number | null, change: object, answer: string][] = [
    ['more than was authorized', 1001, {}, '422 capture_exceeds_authorized'],
    ['what is to be cancelled', null, { cancel_requested_at: new Date() }, '409 charge_not_capturable'],
    ['what is voided', null, { void_reason: 'expired' }, '409 charge_not_capturable'],
  ];
  for (const [what, amount, change, answer] of refusals) {
    it(`refuses ${what}, and asks nobody`, async () => {
      const run = await claimCapture(await authorizedCharge(), amount);
      if (Object.keys(change).length > 0) await setRow(run.chargeId, change);
      const { steps, calls } = openSteps(bench);
      assert.equal((await steps.captureCharge(run)).status, 'requires_capture');
      assert.equal(await readAnswer(bench, run.captureClaimId), answer);
      assert.deepEqual([calls, (await readRow(run.chargeId)).capture_claim_id], [[], null]);
    });
  }

  it('refuses a second one while the first is unknown', async () => {
    const first = await lostCapture();
    const second = await claimCapture(first);
    const { steps, calls } = openSteps(bench);
    assert.equal((await steps.captureCharge(second)).next, 'resolve_capture');
    assert.equal(await readAnswer(bench, second.captureClaimId), '409 charge_already_captured');
    assert.deepEqual(calls, []);
  });

  it('begins nothing late', async () => {
    const run = await claimCapture(await authorizedCharge(), null, 0);
    const { steps, calls } = openSteps(bench);
    assert.equal((await steps.captureCharge(run)).next, 'await_command');
    assert.deepEqual([calls, await readAnswer(bench, run.captureClaimId)], [[], null]);
  });

  it('leaves an unknown outcome to be asked for', async () => {
    const run = await lostCapture(400);
    assert.equal(await readAnswer(bench, run.captureClaimId), null);
    const row = await readRow(run.chargeId);
    assert.deepEqual([row.status, row.processor_fault], ['requires_capture', 'processor_timeout']);
    assert.equal(
      (await readTimeline(bench, run.chargeId)).at(-1),
      'processor_fault capture processor_timeout',
    );
  });

  it('that is declined frees the charge for another', async () => {
    const run = await claimCapture(await authorizedCharge());
    const { steps } = openSteps(bench, { findCapture: null, capture: declined });
    const end = { status: 'requires_capture', next: 'await_command', hadCommand: true };
    assert.deepEqual(untimed(await steps.captureCharge(run)), end);
    assert.equal(await readAnswer(bench, run.captureClaimId), '402 capture_declined');
    const timeline = await readTimeline(bench, run.chargeId);
    assert.deepEqual(timeline.slice(-2), [
      'processor_answered capture declined lost_card',
      'waiting capture',
    ]);
    const again = await claimCapture(run);
    const { steps: later } = openSteps(bench, { findCapture: null, capture: captured() });
    assert.deepEqual(await later.captureCharge(again), taken);
  });
});

describe('Resolving a capture', () => {
  before(prepare);

  it('settles what the processor knows, and sends nothing', async () => {
    const run = await lostCapture();
    const { steps, calls } = openSteps(bench, { findCapture: captured() });
    assert.deepEqual(await steps.resolveCapture(run), done);
    assert.deepEqual(await steps.resolveCapture(run), done);
    assert.deepEqual(calls, [`findCapture ${run.captureClaimId} 1000`]);
    assert.equal(await readAnswer(bench, run.captureClaimId), '200');
  });

  it('sends the same amount again by the same key', async () => {
    const run = await lostCapture(400);
    const { steps, calls } = openSteps(bench, { findCapture: null, capture: captured(400) });
    assert.deepEqual(await steps.resolveCapture(run), done);
    assert.equal(calls.at(-1), `capture ${run.captureClaimId} 400`);
  });

  it('takes another key once the processor kept a failure', async () => {
    const run = await lostCapture();
    const stored = () =>
      Promise.reject(new ProcessorFault('processor_timeout', 'no answer', { renewsKey: true }));
    const { steps, calls } = openSteps(bench, { findCapture: null, capture: stored });
    await assert.rejects(steps.resolveCapture(run), { type: 'processor_timeout', nonRetryable: false });
    await assert.rejects(steps.resolveCapture(run), { type: 'processor_timeout' });
    assert.equal(calls.at(-1), `capture ${run.captureClaimId} 1000 attempt 2`);
  });

  const disabled: [what: string, Answers, isTaken: boolean][] = [
    ['sends nothing', { findCapture: null }, false],
    ['settles what was taken', { findCapture: captured() }, true],
  ];
  for (const [what, answers, isTaken] of disabled) {
    it(`${what} for a disabled account`, async () => {
      const other = await openBench();
      const run = await claimCapture(await authorizedCharge(other));
      await openSteps(other, { findCapture: null, capture: lost }).steps.captureCharge(run);
      await updateAccount(other.db, other.accountId, { status: 'disabled' });
      const { steps, calls } = openSteps(other, answers);
      const end = steps.resolveCapture(run);
      if (isTaken) assert.deepEqual(await end, done);
      else await assert.rejects(end, { type: 'account_disabled', nonRetryable: false });
      assert.deepEqual(calls, [`findCapture ${run.captureClaimId} 1000`]);
    });
  }

  it('does nothing where no capture was begun', async () => {
    const run = await authorizedCharge();
    const { steps, calls } = openSteps(bench);
    assert.equal((await steps.resolveCapture(run)).next, 'await_command');
    assert.deepEqual(calls, []);
  });

  it('settles no capture but the one it asked for', async () => {
    const run = await lostCapture();
    const findCapture = async () => {
      await setRow(run.chargeId, { capture_claim_id: 'clm_other', version: 90 });
      return captured();
    };
    const { steps } = openSteps(bench, { findCapture });
    assert.equal((await steps.resolveCapture(run)).next, 'resolve_capture');
    assert.equal((await readRow(run.chargeId)).amount_captured, 0);
  });

  it('keeps a cancel that came before its outcome', async () => {
    const run = await lostCapture();
    await setRow(run.chargeId, { cancel_requested_at: new Date() });
    const { steps } = openSteps(bench, { findCapture: captured(), void: { kind: 'voided' } });
    assert.equal((await steps.resolveCapture(run)).next, 'void');
    assert.equal(await readAnswer(bench, run.captureClaimId), '409 charge_not_capturable');
    assert.equal((await steps.voidCharge(run)).status, 'cancelled');
    assert.deepEqual(await readEvents(bench, run.chargeId), ['charge.authorized', 'charge.cancelled']);
  });

  it('settles once, whoever comes first', async () => {
    const run = await lostCapture();
    const other = openSteps(bench, { findCapture: captured() });
    const findCapture = async () => {
      await other.steps.resolveCapture(run);
      return captured();
    };
    assert.deepEqual(await openSteps(bench, { findCapture }).steps.resolveCapture(run), done);
    assert.deepEqual(await readEvents(bench, run.chargeId), ['charge.authorized', 'charge.succeeded']);
  });
});

describe('An authorized charge', () => {
  before(prepare);

  const news = (kind: string) => ({ kind, processorId: 'p', amountCaptured: 400 });
  const cases: [what: string, outcome: unknown, status: string, event: string | null][] = [
    ['captured there is captured here', news('captured'), 'succeeded', 'charge.succeeded'],
    ['released there is cancelled here', news('voided'), 'cancelled', 'charge.cancelled'],
    ['still held there waits on', news('authorized'), 'requires_capture', null],
    ['unknown there waits on', null, 'requires_capture', null],
    ['waits on where nobody answers', lost, 'requires_capture', null],
  ];
  it('captured there is given back where it was cancelled', async () => {
    const run = await authorizedCharge();
    await setRow(run.chargeId, { cancel_requested_at: new Date() });
    const { steps } = openSteps(bench, { findCharge: news('captured') });
    assert.equal((await steps.resolveCharge(run)).next, 'void');
  });

  it('counts its news as delivered once it was asked', async () => {
    const run = await authorizedCharge();
    const tell = () => storeNotification(bench.db, { id: randomUUID(), key: run.chargeId });
    const isDelivered = async () =>
      (await bench.db('processor_notifications').where({ key: run.chargeId }).orderBy('received_at')).map(
        (row) => row.delivered_at !== null,
      );
    await tell();
    await tell();
    await openSteps(bench, { findCharge: lost }).steps.resolveCharge(run);
    assert.deepEqual(await isDelivered(), [false, false], 'nobody answered');
    const findCharge = async () => {
      await tell();
      return news('authorized');
    };
    await openSteps(bench, { findCharge }).steps.resolveCharge(run);
    assert.deepEqual(await isDelivered(), [true, true, false], 'the last one came after the question');
  });

  for (const [what, findCharge, status, event] of cases) {
    it(what, async () => {
      const run = await authorizedCharge();
      const { steps, calls } = openSteps(bench, { findCharge });
      assert.equal((await steps.resolveCharge(run)).status, status);
      assert.deepEqual(calls, [`findCharge ${run.chargeId} 1000`]);
      assert.deepEqual(await readEvents(bench, run.chargeId), [
        'charge.authorized',
        ...(event ? [event] : []),
      ]);
      assert.ok((await readTimeline(bench, run.chargeId)).includes('asked charge'));
    });
  }

  it('hears no news while a capture is under way', async () => {
    const run = await authorizedCharge();
    const capture = await claimCapture(run);
    const findCharge = async () => {
      await openSteps(bench, { findCapture: null, capture: lost }).steps.captureCharge(capture);
      return news('voided');
    };
    assert.equal((await openSteps(bench, { findCharge }).steps.resolveCharge(run)).next, 'resolve_capture');
    const { steps, calls } = openSteps(bench);
    assert.equal((await steps.resolveCharge(run)).next, 'resolve_capture');
    assert.deepEqual(calls, []);
  });
});

describe('Voiding a charge', () => {
  before(prepare);

  const cancelled = { status: 'cancelled', next: 'done' };

  it('on request gives the money back, once', async () => {
    const run = await authorizedCharge();
    await setRow(run.chargeId, { cancel_requested_at: new Date() });
    const { steps, calls } = openSteps(bench, { void: { kind: 'voided' } });
    assert.deepEqual(await steps.voidCharge(run), cancelled);
    assert.deepEqual(await steps.voidCharge(run), cancelled);
    assert.deepEqual(calls, [`void ${run.chargeId}`]);
    assert.deepEqual(await readEvents(bench, run.chargeId), ['charge.authorized', 'charge.cancelled']);
    assert.deepEqual((await readTimeline(bench, run.chargeId)).slice(4), [
      'void_requested cancelled',
      'sent void',
      'processor_answered void voided',
    ]);
  });

  it('comes once the authorization has lapsed, by the row', async () => {
    const run = await authorizedCharge();
    const { steps, calls } = openSteps(bench, { findCharge: authorized, void: { kind: 'voided' } });
    const { expiresInMs = 0, ...waits } = await steps.voidCharge(run);
    assert.deepEqual(waits, { status: 'requires_capture', next: 'await_command' });
    assert.ok(expiresInMs > 0);
    assert.deepEqual(calls, []);
    await setRow(run.chargeId, { expires_at: justPast() });
    assert.deepEqual(await steps.voidCharge(run), cancelled);
    assert.equal((await readRow(run.chargeId)).void_reason, 'expired');
    assert.deepEqual(calls, [`findCharge ${run.chargeId} 1000`, `void ${run.chargeId}`]);
  });

  async function lapsedCharge() {
    const run = await authorizedCharge();
    await setRow(run.chargeId, { expires_at: justPast() });
    return run;
  }
  const capturedThere = { kind: 'captured', processorId: 'p', amountCaptured: 400 };

  it('by time leaves what was captured at the processor', async () => {
    const run = await lapsedCharge();
    await assert.rejects(openSteps(bench, { findCharge: lost }).steps.voidCharge(run), {
      type: 'processor_timeout',
    });
    const { steps } = openSteps(bench, { findCharge: capturedThere });
    assert.deepEqual(await steps.voidCharge(run), done);
    const { amount_captured: amount, void_reason: reason } = await readRow(run.chargeId);
    assert.deepEqual([Number(amount), reason], [400, null]);
    assert.deepEqual(await readEvents(bench, run.chargeId), ['charge.authorized', 'charge.succeeded']);
  });

  it('by time gives back what its merchant cancels meanwhile', async () => {
    const run = await lapsedCharge();
    const findCharge = async () => {
      assert.ok(await requestCancel(bench.db, bench.accountId, run.chargeId, null, true));
      return capturedThere;
    };
    const { steps } = openSteps(bench, { findCharge, void: { kind: 'voided' } });
    assert.deepEqual(await steps.voidCharge(run), cancelled);
  });

  it('comes not without a request or the end of time', async () => {
    const run = await authorizedCharge();
    const { steps, calls } = openSteps(bench);
    assert.equal((await steps.voidCharge(run)).next, 'await_command');
    assert.deepEqual(calls, []);
    assert.equal((await readTimeline(bench, run.chargeId)).at(-1), 'waiting capture', 'nothing is recorded');
  });

  it('waits behind a capture of unknown outcome', async () => {
    const run = await lostCapture();
    await setRow(run.chargeId, { cancel_requested_at: new Date() });
    const { steps, calls } = openSteps(bench);
    assert.equal((await steps.voidCharge(run)).next, 'resolve_capture');
    assert.deepEqual(calls, []);
  });

  it('goes on until the processor confirms it', async () => {
    const run = await authorizedCharge();
    await setRow(run.chargeId, { cancel_requested_at: new Date() });
    const { steps } = openSteps(bench, { void: lost });
    await assert.rejects(steps.voidCharge(run), {
      type: 'processor_timeout',
      nonRetryable: false,
    });
    const { status, void_reason: reason, processor_fault: fault } = await readRow(run.chargeId);
    assert.deepEqual([status, reason, fault], ['requires_capture', 'cancelled', 'processor_timeout']);
    const { steps: later } = openSteps(bench, { void: { kind: 'voided' } });
    assert.deepEqual(await later.voidCharge(run), cancelled);
  });

  it('of an unknown outcome fails the charge, and says so', async () => {
    const run = await claimCharge(bench);
    await openSteps(bench, { authorize: lost }).steps.authorizeCharge(run);
    await setRow(run.chargeId, { void_reason: 'unresolved' });
    const { steps } = openSteps(bench, { void: { kind: 'voided' } });
    const failed = { status: 'failed', next: 'done' };
    assert.deepEqual(await steps.voidCharge(run), failed);
    assert.equal(await readAnswer(bench, run.claimId), '402 payment_voided');
    assert.deepEqual(await readEvents(bench, run.chargeId), ['charge.failed']);
  });

  it('is settled once, whoever comes first', async () => {
    const run = await authorizedCharge();
    await setRow(run.chargeId, { cancel_requested_at: new Date() });
    const other = openSteps(bench, { void: { kind: 'voided' } });
    const slow = async () => {
      await other.steps.voidCharge(run);
      return { kind: 'voided' };
    };
    const { steps } = openSteps(bench, { void: slow });
    assert.deepEqual(await steps.voidCharge(run), cancelled);
    assert.deepEqual(await readEvents(bench, run.chargeId), ['charge.authorized', 'charge.cancelled']);
  });

  it('is recorded by one of two that find it due', async () => {
    const run = await authorizedCharge();
    await setRow(run.chargeId, { cancel_requested_at: new Date() });
    const { steps } = openSteps(bench, { void: { kind: 'voided' } });
    const ends = await Promise.all([1, 2, 3].map(() => steps.voidCharge(run)));
    assert.deepEqual(ends, [cancelled, cancelled, cancelled]);
    const timeline = await readTimeline(bench, run.chargeId);
    assert.equal(timeline.filter((entry) => entry.startsWith('void_requested')).length, 1);
  });
});
