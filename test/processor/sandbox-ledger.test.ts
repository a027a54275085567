import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { sendCapture, sendCharge, sendVoid } from '../../local/processor/charges.ts';
import type { BookEntry, Ledger } from '../../local/processor/ledger.ts';
import { reverseRefund, sendRefund } from '../../local/processor/refunds.ts';
import { openSandbox, type Sandbox } from '../../local/processor/sandbox.ts';

// Few keys and small amounts, so that the calls of a run meet.
const chargeKey = fc.constantFrom('ch_a', 'ch_b');
const amount = fc.integer({ min: 1, max: 5 });
const token = fc.constantFrom(
  'tok_visa',
  'tok_declined',
  'tok_refund_fails',
  'tok_reset',
  'tok_async',
  'tok_silent',
);

const step = fc.oneof(
  fc.record({ key: chargeKey, token, amount, capture: fc.boolean() }).map((sent) => (sandbox: Sandbox) => {
    sendCharge(sandbox, { ...sent, currency: 'EUR' });
  }),
  fc
    .record({ key: fc.constantFrom('cap_a', 'cap_b'), charge_key: chargeKey, amount })
    .map((sent) => (sandbox: Sandbox) => void sendCapture(sandbox, sent)),
  chargeKey.map((charge_key) => (sandbox: Sandbox) => void sendVoid(sandbox, { charge_key })),
  fc
    .record({
      key: fc.constantFrom('re_a', 're_b', 're_c'),
      charge_key: chargeKey,
      amount,
      isPending: fc.boolean(),
    })
    .map(
      ({ isPending, ...sent }) =>
        (sandbox: Sandbox) =>
          void sendRefund(sandbox, sent, isPending),
    ),
  fc
    .constantFrom('re_a', 're_b', 're_c')
    .map((refund_key) => (sandbox: Sandbox) => void reverseRefund(sandbox, { refund_key })),
  fc.constant((sandbox: Sandbox) => sandbox.outcomes.settleAllDue()),
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
function comparable({ charges, captures, refunds, fruitlessSends, books }: Ledger): object {
  return { charges, captures, refunds, fruitlessSends, books };
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
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        runs += 1;
        const store = join(folder, `${runs}.jsonl`);
        const sandbox = open(store);
        for (const take of steps) take(sandbox);
        sandbox.outcomes.settleAllDue();
        await sandbox.stop();
        checkOncePerKey(sandbox.ledger.books);
        for (const charge of sandbox.ledger.charges.values()) {
          checkCharge(charge.entries, charge.status === 'voided');
        }
        const replayed = open(store);
        await replayed.stop();
        assert.deepEqual(comparable(replayed.ledger), comparable(sandbox.ledger));
      }),
      { numRuns: 300 },
    );
  });
});
