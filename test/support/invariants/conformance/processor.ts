import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  ProcessorFault,
  type ChargeOutcome,
  type PaymentProcessor,
  type ProcessorFaultCode,
} from '#processor/port.ts';
import { eventually } from '../../eventually.ts';

/** An implementation of the port, and the means to bring about what the suite asks of it. */
export interface ProcessorUnderTest {
  processor: PaymentProcessor;
  tokens: {
    succeeds: string;
    /** Declined with `insufficient_funds`. */
    declines: string;
    /** Pending at first, a success within a few seconds. */
    succeedsLater: string;
    refundsFail: string;
    unknown: string;
  };
  /** The same adapter where nothing listens. */
  unreachable: PaymentProcessor;
  /** The next call that names `key` has its effect, and its answer is lost. */
  loseNextAnswer(key: string): Promise<void>;
  stop(): Promise<void>;
}

/** For `assert.rejects`: a fault of the port with this code. */
export function isFault(code: ProcessorFaultCode): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof ProcessorFault, `a ProcessorFault, not ${String(error)}`);
    assert.equal(error.code, code);
    return true;
  };
}

type Subject = () => ProcessorUnderTest;

async function sendNew(subject: ProcessorUnderTest, how: { token?: string; capture?: boolean } = {}) {
  const key = `ch_${randomUUID()}`;
  const { token = subject.tokens.succeeds, capture = true } = how;
  const request = { key, token, amount: 1000, currency: 'EUR', capture };
  return { key, request, outcome: await subject.processor.authorize(request) };
}

function withoutId<T extends object>(outcome: T): Omit<T, 'processorId'> {
  const { processorId: _, ...rest } = outcome as T & { processorId?: string };
  return rest;
}

function describeCharges(subject: Subject): void {
  it('takes the money of an automatic charge', async () => {
    const { outcome } = await sendNew(subject());
    assert.deepEqual(withoutId(outcome), { kind: 'captured', amountCaptured: 1000 });
  });

  it('only reserves the money of a manual charge', async () => {
    const { outcome } = await sendNew(subject(), { capture: false });
    assert.deepEqual(withoutId(outcome), { kind: 'authorized' });
  });

  it('gives a reason when it declines a charge', async () => {
    const { outcome } = await sendNew(subject(), { token: subject().tokens.declines });
    assert.equal(outcome.kind, 'declined');
    assert.equal(outcome.kind === 'declined' && outcome.declineCode, 'insufficient_funds');
  });

  it('declines a token that does not exist', async () => {
    const { outcome } = await sendNew(subject(), { token: subject().tokens.unknown });
    assert.equal(outcome.kind === 'declined' && outcome.declineCode, 'generic_decline');
  });

  it('answers a known key with its first answer', async () => {
    const tokens = subject().tokens;
    for (const token of [tokens.succeeds, tokens.declines, tokens.unknown]) {
      const { request, outcome } = await sendNew(subject(), { token });
      assert.deepEqual(await subject().processor.authorize(request), outcome);
    }
  });

  it('answers sends at the same time alike', async () => {
    const request = { ...(await sendNew(subject())).request, key: `ch_${randomUUID()}` };
    const sends = Array.from({ length: 20 }, () => subject().processor.authorize(request));
    const outcomes: ChargeOutcome[] = await Promise.all(sends);
    for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0]);
  });

  it('finds a charge by its key', async () => {
    const { key, outcome } = await sendNew(subject());
    assert.deepEqual(await subject().processor.findCharge({ key, amount: 1000 }), outcome);
  });

  it('finds null under a key never seen', async () => {
    const { processor } = subject();
    assert.equal(await processor.findCharge({ key: 'ch_never', amount: 1000 }), null);
    assert.equal(await processor.findCapture({ key: 'cap_never', amount: 1000 }), null);
    assert.equal(await processor.findRefund('re_never'), null);
  });

  it('tells the outcome of a pending charge in time', async () => {
    const { key, outcome } = await sendNew(subject(), { token: subject().tokens.succeedsLater });
    assert.deepEqual(withoutId(outcome), { kind: 'pending' });
    const found = await eventually('the outcome is there', async () => {
      const charge = await subject().processor.findCharge({ key, amount: 1000 });
      return charge?.kind === 'pending' ? null : charge;
    });
    assert.deepEqual(withoutId(found), { kind: 'captured', amountCaptured: 1000 });
  });
}

function describeCaptures(subject: Subject): void {
  async function authorized(): Promise<{ key: string; chargeKey: string }> {
    const { key } = await sendNew(subject(), { capture: false });
    return { key: `cap_${randomUUID()}`, chargeKey: key };
  }

  it('captures part of an authorization', async () => {
    const keys = await authorized();
    const outcome = await subject().processor.capture({ ...keys, amount: 600 });
    assert.deepEqual(outcome, { kind: 'captured', amountCaptured: 600 });
    const charge = await subject().processor.findCharge({ key: keys.chargeKey, amount: 1000 });
    assert.deepEqual(charge && withoutId(charge), { kind: 'captured', amountCaptured: 600 });
  });

  it('answers a known capture key with its first answer', async () => {
    const request = { ...(await authorized()), amount: 600 };
    const first = await subject().processor.capture(request);
    assert.deepEqual(await subject().processor.capture(request), first);
    assert.deepEqual(await subject().processor.findCapture(request), first);
  });

  it('captures an authorization only once', async () => {
    const request = { ...(await authorized()), amount: 600 };
    await subject().processor.capture(request);
    const second = await subject().processor.capture({ ...request, key: `cap_${randomUUID()}`, amount: 400 });
    assert.equal(second.kind, 'declined');
  });

  it('declines to capture more than was authorized', async () => {
    const outcome = await subject().processor.capture({ ...(await authorized()), amount: 1001 });
    assert.equal(outcome.kind, 'declined');
  });

  it('declines to capture what was voided', async () => {
    const keys = await authorized();
    await subject().processor.void({ chargeKey: keys.chargeKey });
    const outcome = await subject().processor.capture({ ...keys, amount: 1000 });
    assert.equal(outcome.kind, 'declined');
  });
}

function describeVoids(subject: Subject): void {
  for (const capture of [false, true]) {
    it(`voids what was ${capture ? 'taken' : 'reserved'}, however often`, async () => {
      const { key, request } = await sendNew(subject(), { capture });
      for (let times = 0; times < 2; times += 1) {
        assert.deepEqual(await subject().processor.void({ chargeKey: key }), { kind: 'voided' });
      }
      assert.equal((await subject().processor.findCharge({ key, amount: 1000 }))?.kind, 'voided');
      assert.equal((await subject().processor.authorize(request)).kind, 'voided');
    });
  }

  it('remembers the void of a key never seen', async () => {
    const request = { ...(await sendNew(subject())).request, key: `ch_${randomUUID()}` };
    assert.deepEqual(await subject().processor.void({ chargeKey: request.key }), { kind: 'voided' });
    assert.equal((await subject().processor.authorize(request)).kind, 'voided');
  });
}

function describeRefunds(subject: Subject): void {
  async function captured(token?: string): Promise<{ key: string; chargeKey: string }> {
    const { key } = await sendNew(subject(), token === undefined ? {} : { token });
    return { key: `re_${randomUUID()}`, chargeKey: key };
  }

  it('refunds in parts, up to what was captured', async () => {
    const { key, chargeKey } = await captured();
    const { processor } = subject();
    const refund = (suffix: string, amount: number) =>
      processor.refund({ key: `${key}_${suffix}`, chargeKey, amount });
    assert.equal((await refund('a', 600)).kind, 'processed');
    assert.equal((await refund('b', 401)).kind, 'failed');
    assert.equal((await refund('c', 400)).kind, 'processed');
  });

  it('answers a known refund key with its first answer', async () => {
    const request = { ...(await captured()), amount: 600 };
    const first = await subject().processor.refund(request);
    assert.deepEqual(await subject().processor.refund(request), first);
    assert.deepEqual(await subject().processor.findRefund(request.key), first);
  });

  it('says that a refund failed', async () => {
    const request = { ...(await captured(subject().tokens.refundsFail)), amount: 600 };
    const outcome = await subject().processor.refund(request);
    assert.equal(outcome.kind, 'failed');
    assert.deepEqual(await subject().processor.findRefund(request.key), outcome);
  });

  it('fails the refund of what was never captured', async () => {
    const { key } = await sendNew(subject(), { capture: false });
    const request = { key: `re_${randomUUID()}`, chargeKey: key, amount: 1 };
    assert.equal((await subject().processor.refund(request)).kind, 'failed');
  });

  it('reverses a refund, however often', async () => {
    const request = { ...(await captured()), amount: 1000 };
    await subject().processor.refund(request);
    for (let times = 0; times < 2; times += 1) {
      const outcome = await subject().processor.reverseRefund({ refundKey: request.key });
      assert.equal(outcome.kind, 'reversed');
    }
    assert.equal((await subject().processor.findRefund(request.key))?.kind, 'reversed');
  });

  it('makes a reversed amount refundable again', async () => {
    const request = { ...(await captured()), amount: 1000 };
    await subject().processor.refund(request);
    await subject().processor.reverseRefund({ refundKey: request.key });
    const outcome = await subject().processor.refund({ ...request, key: `re_${randomUUID()}` });
    assert.equal(outcome.kind, 'processed');
  });
}

function describeFaults(subject: Subject): void {
  it('calls it unavailable when no connection stands', async () => {
    const { unreachable } = subject();
    await assert.rejects(
      unreachable.findCharge({ key: 'ch_1', amount: 1000 }),
      isFault('processor_unavailable'),
    );
    await assert.rejects(unreachable.void({ chargeKey: 'ch_1' }), isFault('processor_unavailable'));
  });

  it('tells by key what a lost answer was', async () => {
    const { processor } = subject();
    const key = `ch_${randomUUID()}`;
    const request = { ...(await sendNew(subject())).request, key };
    await subject().loseNextAnswer(key);
    await assert.rejects(processor.authorize(request), isFault('processor_timeout'));
    assert.equal((await processor.findCharge({ key, amount: 1000 }))?.kind, 'captured');
    assert.equal((await processor.authorize(request)).kind, 'captured');
  });

  it('gives up when the caller does', async () => {
    const options = { signal: AbortSignal.abort() };
    await assert.rejects(
      subject().processor.findCharge({ key: 'ch_1', amount: 1000 }, options),
      isFault('processor_unavailable'),
    );
  });
}

/** The promises of the port, as tests. Every implementation runs them: `describeProcessor('sandbox', start)`. */
export function describeProcessor(name: string, start: () => Promise<ProcessorUnderTest>): void {
  describe(`payment processor: ${name}`, () => {
    let current: ProcessorUnderTest;
    const subject: Subject = () => current;
    before(async () => {
      current = await start();
    });
    after(() => current.stop());

    describe('charges', () => describeCharges(subject));
    describe('captures', () => describeCaptures(subject));
    describe('voids', () => describeVoids(subject));
    describe('refunds', () => describeRefunds(subject));
    describe('faults', () => describeFaults(subject));
    it('describes a token, or says there is none', async () => {
      const { processor, tokens } = subject();
      const card = await processor.describeToken(tokens.succeeds);
      assert.deepEqual(card && Object.keys(card).toSorted(), ['brand', 'expMonth', 'expYear', 'last4']);
      assert.equal(await processor.describeToken(tokens.unknown), null);
    });
  });
}
