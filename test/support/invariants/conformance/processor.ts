import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  ProcessorFault,
  type ChargeOutcome,
  type PaymentProcessor,
  type ProcessorFaultCode,
} from '#processor/port.ts';
import { eventually } from '../../eventually.ts';
import { sentCapture, sentCharge, sentRefund } from '../../resources/sent-charge.ts';

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
  const request = sentCharge({ key, token, capture });
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
    assert.deepEqual(await subject().processor.findCharge(sentCharge({ key })), outcome);
  });

  it('finds null under a key never seen', async () => {
    const { processor } = subject();
    const never = sentCharge();
    assert.equal(await processor.findCharge(never), null);
    assert.equal(await processor.findCapture(sentCapture(never)), null);
    assert.equal(await processor.findRefund(sentRefund(never)), null);
  });

  it('tells the outcome of a pending charge in time', async () => {
    const { key, outcome } = await sendNew(subject(), { token: subject().tokens.succeedsLater });
    assert.deepEqual(withoutId(outcome), { kind: 'pending' });
    const found = await eventually('the outcome is there', async () => {
      const charge = await subject().processor.findCharge(sentCharge({ key }));
      return charge?.kind === 'pending' ? null : charge;
    });
    assert.deepEqual(withoutId(found), { kind: 'captured', amountCaptured: 1000 });
  });
}

function describeCaptures(subject: Subject): void {
  const authorized = async () => (await sendNew(subject(), { capture: false })).request;

  it('captures part of an authorization', async () => {
    const charge = await authorized();
    const outcome = await subject().processor.capture(sentCapture(charge, { amount: 600 }));
    assert.deepEqual(outcome, { kind: 'captured', amountCaptured: 600 });
    const found = await subject().processor.findCharge(charge);
    assert.deepEqual(found && withoutId(found), { kind: 'captured', amountCaptured: 600 });
  });

  it('answers a known capture key with its first answer', async () => {
    const request = sentCapture(await authorized(), { amount: 600 });
    const first = await subject().processor.capture(request);
    assert.deepEqual(await subject().processor.capture(request), first);
    assert.deepEqual(await subject().processor.findCapture(request), first);
  });

  it('captures an authorization only once', async () => {
    const request = sentCapture(await authorized(), { amount: 600 });
    await subject().processor.capture(request);
    const second = await subject().processor.capture({ ...request, key: `cap_${randomUUID()}`, amount: 400 });
    assert.equal(second.kind, 'declined');
  });

  it('declines to capture more than was authorized', async () => {
    const outcome = await subject().processor.capture(sentCapture(await authorized(), { amount: 1001 }));
    assert.equal(outcome.kind, 'declined');
  });

  it('declines to capture what was voided', async () => {
    const charge = await authorized();
    await subject().processor.void({ charge });
    const outcome = await subject().processor.capture(sentCapture(charge));
    assert.equal(outcome.kind, 'declined');
  });
}

function describeVoids(subject: Subject): void {
  for (const capture of [false, true]) {
    it(`voids what was ${capture ? 'taken' : 'reserved'}, however often`, async () => {
      const { request } = await sendNew(subject(), { capture });
      for (let times = 0; times < 2; times += 1) {
        assert.deepEqual(await subject().processor.void({ charge: request }), { kind: 'voided' });
      }
      assert.equal((await subject().processor.findCharge(request))?.kind, 'voided');
      assert.equal((await subject().processor.authorize(request)).kind, 'voided');
    });
  }

  it('remembers the void of a key never seen', async () => {
    const request = { ...(await sendNew(subject())).request, key: `ch_${randomUUID()}` };
    assert.deepEqual(await subject().processor.void({ charge: request }), { kind: 'voided' });
    assert.equal((await subject().processor.authorize(request)).kind, 'voided');
  });
}

function describeRefunds(subject: Subject): void {
  const captured = async (token?: string) =>
    (await sendNew(subject(), token === undefined ? {} : { token })).request;

  it('refunds in parts, up to what was captured', async () => {
    const charge = await captured();
    const { processor } = subject();
    const refund = (amount: number) => processor.refund(sentRefund(charge, { amount }));
    assert.equal((await refund(600)).kind, 'processed');
    assert.equal((await refund(401)).kind, 'failed');
    assert.equal((await refund(400)).kind, 'processed');
  });

  it('answers a known refund key with its first answer', async () => {
    const request = sentRefund(await captured(), { amount: 600 });
    const first = await subject().processor.refund(request);
    assert.deepEqual(await subject().processor.refund(request), first);
    assert.deepEqual(await subject().processor.findRefund(request), first);
  });

  it('says that a refund failed', async () => {
    const request = sentRefund(await captured(subject().tokens.refundsFail), { amount: 600 });
    const outcome = await subject().processor.refund(request);
    assert.equal(outcome.kind, 'failed');
    assert.deepEqual(await subject().processor.findRefund(request), outcome);
  });

  it('fails the refund of what was never captured', async () => {
    const { request } = await sendNew(subject(), { capture: false });
    assert.equal((await subject().processor.refund(sentRefund(request, { amount: 1 }))).kind, 'failed');
  });

  it('reverses a refund, however often', async () => {
    const request = sentRefund(await captured());
    await subject().processor.refund(request);
    for (let times = 0; times < 2; times += 1) {
      const outcome = await subject().processor.reverseRefund(request);
      assert.equal(outcome.kind, 'reversed');
    }
    assert.equal((await subject().processor.findRefund(request))?.kind, 'reversed');
  });

  it('makes a reversed amount refundable again', async () => {
    const request = sentRefund(await captured());
    await subject().processor.refund(request);
    await subject().processor.reverseRefund(request);
    const outcome = await subject().processor.refund({ ...request, key: `re_${randomUUID()}` });
    assert.equal(outcome.kind, 'processed');
  });
}

function describeFaults(subject: Subject): void {
  it('calls it unavailable when no connection stands', async () => {
    const { unreachable } = subject();
    await assert.rejects(unreachable.findCharge(sentCharge()), isFault('processor_unavailable'));
    await assert.rejects(unreachable.void({ charge: sentCharge() }), isFault('processor_unavailable'));
  });

  it('tells by key what a lost answer was', async () => {
    const { processor } = subject();
    const key = `ch_${randomUUID()}`;
    const request = { ...(await sendNew(subject())).request, key };
    await subject().loseNextAnswer(key);
    await assert.rejects(processor.authorize(request), isFault('processor_timeout'));
    assert.equal((await processor.findCharge(sentCharge({ key })))?.kind, 'captured');
    assert.equal((await processor.authorize(request)).kind, 'captured');
  });

  it('gives up when the caller does', async () => {
    const options = { signal: AbortSignal.abort() };
    await assert.rejects(
      subject().processor.findCharge(sentCharge(), options),
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
