import assert from 'node:assert/strict';
import type { RestorationDeps } from '#activities/maintenance/lost-payments.ts';
import { restoreLostReversal } from '#activities/maintenance/lost-rows.ts';
import { updateAccount } from '#db/access/accounts.ts';
import { findClaimedRefund } from '#db/payments/refunds.ts';
import type { RefundOutcome } from '#domain/refunds.ts';
import { CircuitOpen } from '#processor/breaker.ts';
import { ProcessorFault, type SentRefund } from '#processor/port.ts';
import { newId } from '#db/new-id.ts';
import { findClaim } from '#db/writes/idempotency-keys.ts';
import {
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

const processed: RefundOutcome = { kind: 'processed', processorId: 'p' };
const pending: RefundOutcome = { kind: 'pending', processorId: 'p' };
const reversed: RefundOutcome = { kind: 'reversed', processorId: 'p' };
const failed: RefundOutcome = { kind: 'failed', processorId: 'p', code: 'no_money', message: 'No' };
const fail =
  (options = {}) =>
  () =>
    Promise.reject(new ProcessorFault('processor_timeout', 'no answer', options));
const lost = fail();

const unknown = { status: 'pending', next: 'resolve' };
const isOver = (status: string) => ({ status, next: 'done' });
const waits = { status: 'processed', next: 'await_settlement' };

const readRow = async (id: string) => bench.db('refunds').where({ id }).first();
const setRow = (id: string, change: object) => bench.db('refunds').where({ id }).update(change);

/** Returns how much of the charge is held. */
async function readHeld(chargeId: string): Promise<number> {
  return (await bench.db('charges').where('id', chargeId).first()).amount_refunded;
}

/** Returns the timeline of a refund: what comes after the charge's own three entries. */
async function readRefundTimeline(chargeId: string): Promise<string[]> {
  return (await readTimeline(bench, chargeId)).slice(3);
}

/** A refund of a charge of 10.00 that is claimed and has not begun, as its run is given it. */
async function claimRefund({ amount = 300, on = bench, startWithinMs = 60_000 } = {}) {
  const charge = await claimCharge(on);
  const captured = { kind: 'captured', processorId: 'p', amountCaptured: 1000 };
  await openSteps(on, { authorize: captured }).steps.authorizeCharge(charge);
  const refundId = newId('refund');
  const request = { chargeId: charge.chargeId, amount, reason: null, metadata: {} };
  const endpoint = 'POST /v1/refunds';
  const claimId = await claim(on, { resourceId: refundId, endpoint, request }, startWithinMs);
  return {
    accountId: on.accountId,
    chargeId: charge.chargeId,
    refundId,
    claimId,
    respondAsync: false,
    durations: { reversibleMs: 60_000, settlementMs: 90_000 },
    workflowId: `refund/${on.accountId}/${refundId}`,
  };
}

/** A refund whose first answer was lost. */
async function lostRefund(on = bench) {
  const run = await claimRefund({ on });
  await openSteps(on, { refund: lost }).steps.refundCharge(run);
  return run;
}

/** A refund that can be reversed, with the claim of a reversal. */
async function claimReversal(startWithinMs?: number) {
  const run = await claimRefund();
  await openSteps(bench, { refund: processed }).steps.refundCharge(run);
  const endpoint = 'POST /v1/refunds/{id}:cancel';
  const request = { resourceId: run.refundId, endpoint, request: {} };
  return { ...run, reversalClaimId: await claim(bench, request, startWithinMs) };
}

/** Returns a progress without its time. */
function untimed({ settlesInMs: _time, ...progress }: object & { settlesInMs?: number }) {
  return progress;
}

async function prepare(this: Mocha.Context) {
  bench ??= await openBench();
}

describe('Refunding a charge', () => {
  before(prepare);

  it('holds the amount, sends it once, and answers', async () => {
    const run = await claimRefund();
    let sent: SentRefund | undefined;
    const { steps, calls, told } = openSteps(bench, {
      refund: (one: SentRefund) => ((sent = one), processed),
    });
    const { settlesInMs = 0, ...end } = await steps.refundCharge(run);
    assert.deepEqual(end, waits);
    assert.ok(settlesInMs > 60_000 && settlesInMs <= 91_000, `${settlesInMs}`);
    assert.deepEqual(untimed(await steps.refundCharge(run)), waits);
    assert.deepEqual(calls, [`refund ${run.refundId} 300`]);
    assert.deepEqual([sent?.charge.key, sent?.charge.amount, sent?.attempt], [run.chargeId, 1000, 1]);
    assert.deepEqual(sent?.createdAt, (await readRow(run.refundId)).created_at);
    assert.equal(await readHeld(run.chargeId), 300);
    assert.equal(await readAnswer(bench, run.claimId), '201');
    assert.deepEqual(
      told.map(([claimId, status]) => [claimId, status]),
      [[run.claimId, 201]],
    );
    assert.deepEqual(await readEvents(bench, run.refundId), ['refund.processed']);
    assert.deepEqual(await readRefundTimeline(run.chargeId), [
      'refund_requested 300',
      'sent refund',
      'processor_answered refund processed',
      'waiting settlement',
    ]);
  });

  it('names the refund in each entry of the timeline', async () => {
    const run = await claimRefund();
    await openSteps(bench, { refund: failed }).steps.refundCharge(run);
    const rows = await bench.db('charge_timeline').where('charge_id', run.chargeId).orderBy('id');
    const entries = rows.flatMap(({ entries: kept }: { entries: { detail: { refund?: string } }[] }) => kept);
    assert.deepEqual([...new Set(entries.slice(3).map(({ detail }) => detail.refund))], [run.refundId]);
    assert.deepEqual((await readRefundTimeline(run.chargeId)).slice(2), [
      'processor_answered refund failed no_money',
      'refund_failed 300',
    ]);
    assert.equal(await readHeld(run.chargeId), 0);
    assert.equal(await readAnswer(bench, run.claimId), '422 refund_failed');
  });

  it('leaves an unknown outcome to be asked for', async () => {
    const run = await lostRefund();
    assert.equal(await readAnswer(bench, run.claimId), null);
    const row = await readRow(run.refundId);
    assert.deepEqual([row.status, row.processor_fault], ['pending', 'processor_timeout']);
    assert.equal(await readHeld(run.chargeId), 300);
    const { steps, calls } = openSteps(bench);
    assert.deepEqual([await steps.refundCharge(run), calls], [{ ...unknown }, []]);
  });

  it('tells a call that was not made apart', async () => {
    const run = await claimRefund();
    const refund = () => Promise.reject(new CircuitOpen('open'));
    await openSteps(bench, { refund }).steps.refundCharge(run);
    const timeline = await readRefundTimeline(run.chargeId);
    assert.equal(timeline.at(-1), 'processor_fault refund processor_unavailable open');
  });

  it('records no fault that is its own', async () => {
    const run = await claimRefund();
    const { steps } = openSteps(bench, { refund: () => Promise.reject(new TypeError('ours')) });
    await assert.rejects(steps.refundCharge(run), new TypeError('ours'));
    assert.deepEqual(await readRefundTimeline(run.chargeId), []);
  });

  it('of more than is left is refused, and sent nowhere', async () => {
    const run = await claimRefund({ amount: 1001 });
    const { steps, calls } = openSteps(bench);
    const refused = { status: 'refused', next: 'done' };
    assert.deepEqual(await steps.refundCharge(run), refused);
    assert.deepEqual(await steps.acceptRefund(run), refused);
    assert.equal(await readAnswer(bench, run.claimId), '422 refund_exceeds_captured');
    assert.deepEqual([calls, await readHeld(run.chargeId)], [[], 0]);
  });

  it('begins nothing late', async () => {
    const run = await claimRefund({ startWithinMs: 0 });
    const { steps, calls } = openSteps(bench);
    const nothing = { status: 'not_started', next: 'done' };
    assert.deepEqual(await steps.refundCharge(run), nothing);
    assert.deepEqual(await steps.acceptRefund(run), nothing);
    assert.deepEqual([calls, await readHeld(run.chargeId)], [[], 0]);
  });

  it('is accepted with a 202, and sent later', async () => {
    const run = await claimRefund();
    const { steps, calls } = openSteps(bench, { findRefund: null, refund: processed });
    const accepted = { ...unknown };
    assert.deepEqual(await steps.acceptRefund(run), accepted);
    assert.deepEqual([await steps.acceptRefund(run), calls], [{ ...accepted }, []]);
    assert.equal(await readAnswer(bench, run.claimId), '202');
    assert.deepEqual(await readRefundTimeline(run.chargeId), ['refund_requested 300']);
    assert.deepEqual(untimed(await steps.resolveRefund(run)), waits);
    assert.equal(await readAnswer(bench, run.claimId), '202');
  });
});

describe('Resolving a refund', () => {
  before(prepare);

  it('settles what the processor knows, and sends nothing', async () => {
    const run = await lostRefund();
    const { steps, calls } = openSteps(bench, { findRefund: processed });
    assert.deepEqual(untimed(await steps.resolveRefund(run)), waits);
    assert.deepEqual(untimed(await steps.resolveRefund(run)), waits);
    const asked = `findRefund ${run.refundId} 300`;
    assert.deepEqual(calls, [asked, asked], 'the second run asks whether it has failed since');
    assert.equal(await readAnswer(bench, run.claimId), '201');
    assert.deepEqual((await readRefundTimeline(run.chargeId)).slice(3), [
      'asked refund',
      'processor_answered refund processed',
      'waiting settlement',
      'asked refund',
      'processor_answered refund processed',
    ]);
  });

  it('leaves a reversal that a restore lost to the repair', async () => {
    const other = await openBench();
    const run = await lostRefund(other);
    await openSteps(other, { findRefund: processed }).steps.resolveRefund(run);
    await other.db('database_restores').insert({ restored_to: new Date(), sequence_gap: 1 });
    const { steps } = openSteps(other, { findRefund: reversed });
    assert.equal((await steps.resolveRefund(run)).status, 'processed');
    await other.db('database_restores').update({ repaired_at: new Date() });
    assert.equal((await steps.resolveRefund(run)).status, 'failed');
  });

  it('sends again what the processor has never seen', async () => {
    const run = await lostRefund();
    const { steps, calls } = openSteps(bench, { findRefund: null, refund: processed });
    assert.deepEqual(untimed(await steps.resolveRefund(run)), waits);
    assert.deepEqual(calls, [`findRefund ${run.refundId} 300`, `refund ${run.refundId} 300`]);
  });

  it('asks later when the processor says when', async () => {
    const run = await lostRefund();
    const { steps } = openSteps(bench, { findRefund: fail({ retryAfterMs: 7_000 }) });
    const expected = { type: 'processor_timeout', nonRetryable: false, nextRetryDelay: 7_000 };
    await assert.rejects(steps.resolveRefund(run), expected);
  });

  it('sends nothing for a disabled account', async () => {
    const other = await openBench();
    const run = await lostRefund(other);
    await updateAccount(other.db, other.accountId, { status: 'disabled' });
    const { steps, calls } = openSteps(other, { findRefund: null });
    await assert.rejects(steps.resolveRefund(run), { type: 'account_disabled', nonRetryable: false });
    assert.equal(calls.length, 1);
    const { steps: asked } = openSteps(other, { findRefund: processed });
    assert.equal((await asked.resolveRefund(run)).status, 'processed');
  });

  const renewals: [what: string, retryAfterMs: number | undefined, waitMs: number][] = [
    ['a minute', undefined, 60_000],
    ['the processor’s own time', 120_000, 120_000],
  ];
  for (const [what, retryAfterMs, waitMs] of renewals) {
    it(`uses another key ${what} after a stored failure`, async () => {
      const run = await lostRefund();
      const stored = fail({ renewsKey: true, ...(retryAfterMs && { retryAfterMs }) });
      const { steps, calls } = openSteps(bench, { findRefund: null, refund: stored });
      await assert.rejects(steps.resolveRefund(run), { type: 'processor_timeout' });
      const early = await steps.resolveRefund(run).catch((error: unknown) => error);
      const { type, nextRetryDelay, message } = early as {
        type: string;
        nextRetryDelay: number;
        message: string;
      };
      assert.equal(type, 'processor_timeout');
      assert.match(message, /^The processor stored a failure/);
      assert.ok(nextRetryDelay > waitMs - 30_000 && nextRetryDelay <= waitMs + 1_000, `${nextRetryDelay}`);
      assert.deepEqual(calls.slice(2), [`findRefund ${run.refundId} 300 attempt 2`], 'it waits');
      await setRow(run.refundId, { send_after: justPast() });
      await assert.rejects(steps.resolveRefund(run), { type: 'processor_timeout' });
      assert.equal(calls.at(-1), `refund ${run.refundId} 300 attempt 2`);
    });
  }

  it('waits on while the processor has not decided', async () => {
    const run = await claimRefund();
    await openSteps(bench, { refund: pending }).steps.refundCharge(run);
    const taken = { status: 'pending', next: 'await_processor' };
    const { version } = await readRow(run.refundId);
    assert.deepEqual(await openSteps(bench, { findRefund: pending }).steps.resolveRefund(run), taken);
    assert.deepEqual(await openSteps(bench, { findRefund: lost }).steps.resolveRefund(run), {
      ...taken,
      fault: 'processor_timeout',
    });
    assert.equal((await readRow(run.refundId)).version, version);
    assert.equal((await readRefundTimeline(run.chargeId))[3], 'waiting processor');
    await openSteps(bench, { findRefund: failed }).steps.resolveRefund(run);
    assert.deepEqual([await readHeld(run.chargeId), await readAnswer(bench, run.claimId)], [0, '202']);
    assert.deepEqual(await readEvents(bench, run.refundId), ['refund.failed']);
  });

  it('answers nobody once its claim is gone', async () => {
    const run = await lostRefund();
    const kept = bench.db('idempotency_keys').where('claim_id', run.claimId);
    await kept.clone().update({ created_at: bench.db.raw(`clock_timestamp() - interval '25 hours'`) });
    await kept.clone().delete();
    const { steps, told } = openSteps(bench, { findRefund: pending });
    const taken = { status: 'pending', next: 'await_processor' };
    assert.deepEqual([await steps.resolveRefund(run), told], [taken, []]);
  });

  it('has no refund that is not there', async () => {
    const run = await claimRefund();
    const expected = {
      type: 'refund_missing',
      nonRetryable: true,
      message: `There is no refund ${run.refundId}`,
    };
    await assert.rejects(openSteps(bench).steps.resolveRefund(run), expected);
  });
});

describe('Reversing a refund', () => {
  before(prepare);

  it('gives the amount back, once', async () => {
    const run = await claimReversal();
    const { steps, calls } = openSteps(bench, { reverseRefund: reversed });
    const end = { ...isOver('reversed'), hadCommand: true };
    assert.deepEqual(untimed(await steps.reverseRefund(run)), end);
    assert.deepEqual(untimed(await steps.reverseRefund(run)), isOver('reversed'));
    assert.deepEqual(calls, [`reverseRefund ${run.refundId}`]);
    assert.equal(await readHeld(run.chargeId), 0);
    assert.equal(await readAnswer(bench, run.reversalClaimId), '200');
    assert.deepEqual(await readEvents(bench, run.refundId), ['refund.processed', 'refund.reversed']);
    assert.deepEqual((await readRefundTimeline(run.chargeId)).slice(4), [
      'reversal_requested',
      'sent reversal',
      'processor_answered reversal reversed',
      'refund_reversed 300',
    ]);
  });

  it('that the processor refuses leaves the refund as it was', async () => {
    const run = await claimReversal();
    const { steps } = openSteps(bench, { reverseRefund: processed });
    assert.deepEqual(untimed(await steps.reverseRefund(run)), { ...waits, hadCommand: true });
    assert.equal(await readAnswer(bench, run.reversalClaimId), '409 refund_not_reversible');
    assert.deepEqual(
      [await readHeld(run.chargeId), (await readRow(run.refundId)).reversal_claim_id],
      [300, null],
    );
  });

  it('begins once the refund is processed, and in time', async () => {
    const late = await claimReversal(0);
    const { steps, calls } = openSteps(bench);
    assert.deepEqual(untimed(await steps.reverseRefund(late)), waits);
    assert.equal(await readAnswer(bench, late.reversalClaimId), null);
    const over = await claimReversal();
    await setRow(over.refundId, { reversible_until: justPast() });
    assert.deepEqual(untimed(await steps.reverseRefund(over)), { ...waits, hadCommand: true });
    assert.equal(await readAnswer(bench, over.reversalClaimId), '409 refund_not_reversible');
    assert.deepEqual(calls, []);
  });

  for (const [what, answer] of [
    ['lost', lost],
    ['undecided', pending],
  ] as const) {
    it(`goes on where the answer is ${what}`, async () => {
      const run = await claimReversal();
      const { steps, calls } = openSteps(bench, { reverseRefund: answer });
      const next = { ...waits, next: 'resolve_reversal' };
      const isLost = { ...next, fault: 'processor_timeout', hadCommand: true };
      assert.deepEqual(untimed(await steps.reverseRefund(run)), isLost);
      await assert.rejects(steps.resolveReversal(run), { type: 'processor_timeout', nonRetryable: false });
      assert.equal(await readAnswer(bench, run.reversalClaimId), null);
      assert.equal(calls.length, 2);
      assert.deepEqual(untimed(await openSteps(bench).steps.settleRefund(run)), next, 'it does not settle');
      const { steps: later } = openSteps(bench, { reverseRefund: reversed });
      assert.deepEqual(untimed(await later.resolveReversal(run)), isOver('reversed'));
      assert.equal(await readAnswer(bench, run.reversalClaimId), '200');
    });
  }

  it('is made again though a run took it', async () => {
    const run = await claimReversal();
    await openSteps(bench, { reverseRefund: lost }).steps.reverseRefund(run);
    const held = await findClaimedRefund(bench.db, run.refundId);
    assert.ok(held);
    const { deps } = openSteps(bench, { reverseRefund: reversed });
    const of = { ...held, id: run.refundId, kind: 'reversal', processorId: null, origin: null } as const;
    assert.ok(await restoreLostReversal(deps as RestorationDeps, { ...of, amount: 300 }, 'trace'));
    assert.equal((await readRow(run.refundId)).status, 'reversed');
    assert.equal(await readAnswer(bench, run.reversalClaimId), '200');
  });

  it('is not resolved where none was begun', async () => {
    const run = await claimReversal();
    const { steps, calls } = openSteps(bench);
    assert.deepEqual(untimed(await steps.resolveReversal(run)), waits);
    assert.deepEqual(calls, []);
  });

  it('is settled once, whoever comes first', async () => {
    const run = await claimReversal();
    await openSteps(bench, { reverseRefund: lost }).steps.reverseRefund(run);
    const other = openSteps(bench, { reverseRefund: reversed });
    const reverseRefund = async () => {
      await other.steps.resolveReversal(run);
      return reversed;
    };
    const { steps } = openSteps(bench, { reverseRefund });
    assert.deepEqual(untimed(await steps.resolveReversal(run)), isOver('reversed'));
    assert.deepEqual(await readEvents(bench, run.refundId), ['refund.processed', 'refund.reversed']);
    assert.equal((await readRefundTimeline(run.chargeId)).at(-1), 'processor_answered reversal reversed');
  });

  it('is answered with the tag of the reversed refund', async () => {
    const run = await claimReversal();
    await openSteps(bench, { reverseRefund: reversed }).steps.reverseRefund(run);
    const { version } = await readRow(run.refundId);
    const { headers } = (await findClaim(bench.db, run.reversalClaimId))?.answer ?? {};
    assert.equal(headers?.['etag'], `"${run.refundId}.${version}.2026-11-01"`);
  });

  it('settles no reversal but the one that it sent', async () => {
    const run = await claimReversal();
    const reverseRefund = async () => {
      await setRow(run.refundId, { reversal_claim_id: 'clm_other', version: 90 });
      return reversed;
    };
    const { next } = await openSteps(bench, { reverseRefund }).steps.reverseRefund(run);
    assert.deepEqual([next, await readHeld(run.chargeId)], ['resolve_reversal', 300]);
  });
});

describe('Settling a refund', () => {
  before(prepare);

  it('waits for its time, and happens once', async () => {
    const run = await claimReversal();
    const { steps, calls } = openSteps(bench, { findRefund: processed });
    assert.deepEqual(untimed(await steps.settleRefund(run)), waits);
    await setRow(run.refundId, { reversible_until: new Date(0), settles_at: new Date(0) });
    assert.deepEqual(untimed(await steps.settleRefund(run)), isOver('settled'));
    assert.deepEqual(untimed(await steps.settleRefund(run)), isOver('settled'));
    assert.deepEqual([calls, await readHeld(run.chargeId)], [[`findRefund ${run.refundId} 300`], 300]);
    assert.deepEqual(await readEvents(bench, run.refundId), ['refund.processed', 'refund.settled']);
    assert.equal((await readRefundTimeline(run.chargeId)).at(-1), 'refund_settled 300');
  });
});
