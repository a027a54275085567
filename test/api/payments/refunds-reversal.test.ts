import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { addApi, restore } from '../../support/stack/stages.ts';
import { createMerchant, type AccountSettings, type Merchant } from '../../support/resources/merchant.ts';
import {
  amountRefunded,
  assertRefundsAgree,
  cancelRefund,
  findRefundEvents,
  findMovements,
  readRefund,
  refundCharge,
  refundReads,
  voidAtProcessor,
  type RefundAnswer,
  type RefundBody,
} from '../../support/resources/refunds.ts';
import { toStatusAndCode } from '../../support/status-and-code.ts';

let env: Environment;
let merchant: Merchant;
/** An API whose callers wait for a moment only. */
let hasty: Awaited<ReturnType<Environment['stack']['addApi']>>;

const isReplay = ({ headers }: RefundAnswer) => headers.get('idempotent-replayed') === 'true';

async function processedRefund(from = merchant, body: object = {}): Promise<RefundBody> {
  const { body: charge } = await from.charge();
  const answer = await refundCharge(from, charge.id, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** A process with these options reads a clock that is wrong by so many milliseconds. */
const clockAheadBy = (ms: number) => {
  const source = `const now = Date.now; const Real = Date;
    globalThis.Date = class extends Real { constructor(...given) { given.length ? super(...given) : super(now() + ${ms}); } };
    Date.now = () => now() + ${ms};`;
  return `--import=data:text/javascript,${encodeURIComponent(source)}`;
};

/** A merchant whose refunds can be reversed for so long, and settle so long after they were processed. */
const createRefundMerchant = (reversibleMs: number, settlementMs: number) => {
  const settings: AccountSettings = {
    refund_reversible_ms: reversibleMs,
    refund_settlement_ms: settlementMs,
  };
  return createMerchant(settings);
};

describe('POST /v1/refunds/{id}:cancel', () => {
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
    hasty = await env.stack.addApi({ SYNC_WINDOW_MS: '4000' });
    // It has its connections before the requests whose time is short.
    await merchant.charge({}, { url: hasty.url });
  });

  afterEach(() => restore(env));
  after(() => hasty.part.stop());

  it('reverses a processed refund; its amount is refundable again', async () => {
    const refund = await processedRefund(merchant, { amount: 400 });
    const answer = await cancelRefund(merchant, refund.id);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, { ...refund, status: 'reversed', updated: answer.body.updated });
    assert.deepEqual(await readRefund(merchant, refund.id), answer.body);
    assert.deepEqual(await findMovements(env, refund.id), [
      ['refund', 400],
      ['refund_reversal', 400],
    ]);
    assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.processed', 'refund.reversed']);
    assert.equal(await amountRefunded(merchant, refund.charge), 0);
    assert.equal((await refundCharge(merchant, refund.charge)).body.amount, 1000);
    await assertRefundsAgree(env, refund.charge);
  });

  it('answers the unchanged refund when it is reversed already', async () => {
    const refund = await processedRefund();
    const first = await cancelRefund(merchant, refund.id);
    const second = await cancelRefund(merchant, refund.id);
    assert.deepEqual([second.status, second.text], [200, first.text]);
    assert.equal((await findMovements(env, refund.id)).length, 2);
  });

  it('repeats its answer under its key, for itself alone', async () => {
    const refund = await processedRefund();
    const key = randomUUID();
    const first = await cancelRefund(merchant, refund.id, { key });
    const replay = await cancelRefund(merchant, refund.id, { key });
    assert.deepEqual([replay.status, isReplay(replay), replay.text], [200, true, first.text]);
    const other = await processedRefund();
    assert.deepEqual(toStatusAndCode(await cancelRefund(merchant, other.id, { key })), [
      422,
      'idempotency_key_reused',
    ]);
    assert.equal((await readRefund(merchant, other.id)).status, 'processed');
  });

  it('reverses once when twenty ask at the same time', async () => {
    const refund = await processedRefund();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        cancelRefund(merchant, refund.id, i % 2 === 0 ? {} : { key: randomUUID() }),
      ),
    );
    assert.deepEqual(
      [...new Set(answers.map(({ status, body }) => `${status} ${body.status}`))],
      ['200 reversed'],
      answers.find(({ status }) => status !== 200)?.text,
    );
    assert.equal((await findMovements(env, refund.id)).length, 2);
    assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.processed', 'refund.reversed']);
    await assertRefundsAgree(env, refund.charge);
  });

  it('goes by the database’s clock, not the API’s', async () => {
    const own = await createRefundMerchant(60_000, 120_000);
    const ahead = await addApi(env, { NODE_OPTIONS: clockAheadBy(300_000) });
    const refund = await processedRefund(own);
    const answer = await cancelRefund(own, refund.id, { url: ahead.url });
    assert.deepEqual([answer.status, answer.body.status], [200, 'reversed'], answer.text);
  });

  it('answers 409 after reversible_until, also to a replay', async () => {
    const own = await createRefundMerchant(300, 60_000);
    const refund = await processedRefund(own);
    await sleep(350);
    const key = randomUUID();
    const late = await cancelRefund(own, refund.id, { key });
    assert.deepEqual(toStatusAndCode(late), [409, 'refund_not_reversible']);
    assert.equal((await cancelRefund(own, refund.id, { key })).text, late.text);
    assert.equal((await readRefund(own, refund.id)).status, 'processed');
    assert.deepEqual(await findMovements(env, refund.id), [['refund', 1000]]);
  });

  it('answers 409 for a settled or failed refund', async () => {
    const own = await createRefundMerchant(100, 200);
    const refund = await processedRefund(own);
    await refundReads(own, refund.id, 'settled');
    assert.deepEqual(toStatusAndCode(await cancelRefund(own, refund.id)), [409, 'refund_not_reversible']);
    const { body: charge } = await merchant.charge({ payment_method: 'tok_refund_fails' });
    const failed = (await refundCharge(merchant, charge.id)).body.refund ?? '';
    assert.deepEqual(toStatusAndCode(await cancelRefund(merchant, failed)), [409, 'refund_not_reversible']);
    assert.equal(await amountRefunded(merchant, charge.id), 0);
  });

  it('refuses a pending refund, and releases the key', async () => {
    const { body: charge } = await merchant.charge();
    await env.stageFault({ route: 'refunds', mode: 'pending', when: 'before', times: 1 });
    const { body: refund } = await refundCharge(merchant, charge.id);
    const key = randomUUID();
    const early = await cancelRefund(merchant, refund.id, { key });
    assert.deepEqual(toStatusAndCode(early), [409, 'refund_not_reversible']);
    assert.ok(Number(early.headers.get('retry-after')) > 0);
    await refundReads(merchant, refund.id, 'processed');
    assert.equal((await cancelRefund(merchant, refund.id, { key })).status, 200);
    await assertRefundsAgree(env, charge.id);
  });

  it('answers 409 if the processor refuses; the refund settles', async () => {
    const own = await createRefundMerchant(6_000, 6_000);
    const refund = await processedRefund(own);
    // What is left of the charge goes back some other way: to the processor the refund is final.
    await voidAtProcessor(env, refund.charge);
    const answer = await cancelRefund(own, refund.id);
    assert.deepEqual(toStatusAndCode(answer), [409, 'refund_not_reversible']);
    const [row] = await env.db('refunds').where('id', refund.id);
    assert.deepEqual([row.status, row.reversal_claim_id], ['processed', null]);
    assert.equal(await amountRefunded(own, refund.charge), 1000);
    await refundReads(own, refund.id, 'settled');
  });

  const faults: [mode: 'unavailable' | 'timeout' | 'garbage' | 'reset', when: 'before' | 'after'][] = [
    ['unavailable', 'before'],
    ['timeout', 'after'],
    ['garbage', 'after'],
    ['reset', 'before'],
  ];
  for (const [mode, when] of faults) {
    it(`finds the outcome after ${mode} ${when} the money moved`, async () => {
      const refund = await processedRefund();
      await env.stageFault({ route: 'refund-reversals', mode, when, times: 1 });
      const answer = await cancelRefund(merchant, refund.id);
      assert.deepEqual([answer.status, answer.body.status], [200, 'reversed'], answer.text);
      assert.equal((await findMovements(env, refund.id)).length, 2);
      await assertRefundsAgree(env, refund.charge);
    });
  }

  it('answers 502; the amount stays refunded while unknown', async () => {
    const refund = await processedRefund();
    await env.stageFault({ route: 'refund-reversals', mode: 'garbage', when: 'after', times: 10_000 });
    const options = { key: randomUUID(), url: hasty.url };
    const first = await cancelRefund(merchant, refund.id, options);
    assert.deepEqual(toStatusAndCode(first), [502, 'processor_invalid_response']);
    assert.equal((await readRefund(merchant, refund.id)).status, 'processed');
    assert.equal(await amountRefunded(merchant, refund.charge), 1000);
    assert.deepEqual(toStatusAndCode(await cancelRefund(merchant, refund.id, options)), [
      409,
      'idempotency_key_in_progress',
    ]);
    await env.clearFaults();
    await refundReads(merchant, refund.id, 'reversed');
    const retry = await cancelRefund(merchant, refund.id, options);
    assert.deepEqual([retry.status, isReplay(retry)], [200, true]);
    assert.equal((await findMovements(env, refund.id)).length, 2);
    await assertRefundsAgree(env, refund.charge);
  });

  it('prevents settling as long as its outcome is unknown', async () => {
    const own = await createRefundMerchant(6_000, 6_000);
    const refund = await processedRefund(own);
    await env.stageFault({ route: 'refund-reversals', mode: 'unavailable', when: 'before', times: 10_000 });
    const answer = await cancelRefund(own, refund.id, { url: hasty.url });
    assert.deepEqual(toStatusAndCode(answer), [503, 'processor_unavailable']);
    await sleep(Math.max(0, Date.parse(String(refund.reversible_until)) + 1_000 - Date.now()));
    assert.equal((await readRefund(own, refund.id)).status, 'processed');
    await env.clearFaults();
    await refundReads(own, refund.id, 'reversed');
    assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.processed', 'refund.reversed']);
    await assertRefundsAgree(env, refund.charge);
  });

  it('and settling at the same moment: one wins', async () => {
    const own = await createRefundMerchant(600, 600);
    const unhurried = await createRefundMerchant(60_000, 60_000);
    const seen = new Set<string>();
    for (let i = 0; i < 12; i += 1) {
      const isHurried = i > 0;
      const asker = isHurried ? own : unhurried;
      const refund = await processedRefund(asker);
      // At once, then nearer and nearer to the moment itself, and behind it.
      const left = Date.parse(String(refund.reversible_until)) - Date.now();
      await sleep(isHurried ? Math.max(0, left - 60 + 10 * i) : 0);
      const answer = await cancelRefund(asker, refund.id);
      const final = await eventually('the refund is terminal', async () => {
        const body = await readRefund(asker, refund.id);
        return body.status !== 'processed' && body;
      });
      const movements = (await findMovements(env, refund.id)).length;
      const expected = final.status === 'reversed' ? [200, 2] : [409, 1];
      assert.deepEqual([answer.status, movements], expected, `round ${i} ended ${final.status}`);
      assert.deepEqual(await findRefundEvents(env, refund.id), [
        'refund.processed',
        `refund.${final.status}`,
      ]);
      await assertRefundsAgree(env, refund.charge);
      seen.add(final.status);
    }
    assert.deepEqual([...seen].toSorted(), ['reversed', 'settled']);
  });
});
