import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { sendCapture, sendCharge, sendVoid } from '#sandbox/charges.ts';
import type { BookEntry, Ledger } from '#sandbox/ledger.ts';
import { reverseRefund, sendRefund } from '#sandbox/refunds.ts';
import { openSandbox, type Sandbox } from '#sandbox/sandbox.ts';

// Few keys and small amounts, so that the calls of a run meet; refunds smaller still, so that several fit.
const chargeKey = fc.constantFrom('ch_a', 'ch_b');
const amount = fc.integer({ min: 1, max: 9 });
const refunded = fc.integer({ min: 1, max: 4 });
const token = fc.constantFrom(
  'tok_visa',
  'tok_declined',
  'tok_refund_fails',
  'tok_reset',
  'tok_async',
  'tok_silent',
);

const refundKey = fc.constantFrom('re_a', 're_b', 're_c');

type Step = (sandbox: Sandbox) => unknown;

const chargeStep = fc.record({ key: chargeKey, token, amount, capture: fc.boolean() }).map(
  (sent): Step =>
    (sandbox) =>
      sendCharge(sandbox, { ...sent, currency: 'EUR' }),
);
const captureStep = fc.record({ key: fc.constantFrom('cap_a', 'cap_b'), charge_key: chargeKey, amount }).map(
  (sent): Step =>
    (sandbox) =>
      sendCapture(sandbox, sent),
);
const voidStep = chargeKey.map(
  (charge_key): Step =>
    (sandbox) =>
      sendVoid(sandbox, { charge_key }),
);
const refundStep = fc.record({ key: refundKey, charge_key: chargeKey, amount: refunded }).chain((sent) =>
  fc.boolean().map(
    (isPending): Step =>
      (sandbox) =>
        sendRefund(sandbox, sent, { isPending, isForgotten: false }),
  ),
);
const reversalStep = refundKey.map(
  (refund_key): Step =>
    (sandbox) =>
      reverseRefund(sandbox, { refund_key }),
);
const settleStep = fc.constant<Step>((sandbox) => sandbox.outcomes.settleAllDue());

const step = fc.oneof(
  { arbitrary: chargeStep, weight: 6 },
  { arbitrary: captureStep, weight: 4 },
  { arbitrary: voidStep, weight: 1 },
  { arbitrary: refundStep, weight: 6 },
  { arbitrary: reversalStep, weight: 2 },
  { arbitrary: settleStep, weight: 2 },
);

const sum = (entries: BookEntry[], kind: BookEntry['kind']) =>
  entries.filter((entry) => entry.kind === kind).reduce((total, entry) => total + entry.amount, 0);

function checkCharge(entries: BookEntry[], voided: boolean): void {
  const [taken, reserved] = [sum(entries, 'capture'), sum(entries, 'authorization')];
  assert.ok(entries.filter((entry) => entry.kind === 'capture').length <= 1, 'captured at most once');
  assert.ok(entries.filter((entry) => entry.kind === 'void').length <= 1, 'voided at most once');
  if (reserved > 0) assert.ok(taken <= reserved, 'no more captured than authorized');
  const kept = taken - sum(entries, 'refund') + sum(entries, 'refund_reversal');
  assert.ok(kept >= 0 && kept <= taken, 'no more refunded than captured');
  // What is still to be refunded was no longer there to give back.
  if (voided && taken > 0) assert.ok(sum(entries, 'void') <= kept, 'no more given back than was kept');
}

function checkOncePerKey(books: BookEntry[]): void {
  const moved = books.map(({ kind, key }) => `${kind} ${key}`);
  assert.equal(new Set(moved).size, moved.length, 'each key moves money once');
}

/** The ledger without its timers' concern: plain data that two processes must agree on. */
function comparable({ charges, captures, refunds, fruitlessSends, entries }: Ledger): object {
  return { charges, captures, refunds, fruitlessSends, entries };
}

describe('sandbox ledger', () => {
  let folder: string;
  let runs = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-ledger-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  function open(store: string): Sandbox {
    return openSandbox({ store, secret: 'sixteen-letters!', asyncMs: 0, notifyUrl: null });
  }

  it('keeps the money right, and the same when replayed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        runs += 1;
        const store = join(folder, `${runs}.jsonl`);
        const sandbox = open(store);
        for (const take of steps) take(sandbox);
        sandbox.outcomes.settleAllDue();
        await sandbox.stop();
        checkOncePerKey(sandbox.ledger.entries);
        for (const charge of sandbox.ledger.charges.values()) {
          checkCharge(charge.entries, charge.status === 'voided');
        }
        const replayed = open(store);
        await replayed.stop();
        assert.deepEqual(comparable(replayed.ledger), comparable(sandbox.ledger));
      }),
      { numRuns: 1000 },
    );
  });
});
