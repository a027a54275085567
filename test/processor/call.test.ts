import assert from 'node:assert/strict';
import type { TimelineStep } from '#domain/timeline.ts';
import { Circuit } from '#processor/breaker.ts';
import { call } from '#processor/call.ts';
import { ProcessorFault, type PaymentProcessor, type ProcessorFaultCode } from '#processor/port.ts';
import { openFixed } from '../support/resources/fixed-processor.ts';
import { sentCapture, sentCharge } from '../support/resources/sent-charge.ts';

const captured = { kind: 'captured', processorId: 'p', amountCaptured: 1000 } as const;

const open = (adapter: object) => openFixed(adapter as PaymentProcessor);
const answers = (verb: string, answer: unknown) => open({ [verb]: () => Promise.resolve(answer) });
const fails = (fault: Error) => open({ authorize: () => Promise.reject(fault) });
const charge = sentCharge({ key: 'ch_1', amount: 1000, currency: 'EUR' });

describe('A call to a processor', () => {
  const impossible: [what: string, answer: object][] = [
    ['more than was sent', { ...captured, amountCaptured: 1001 }],
    ['nothing', { ...captured, amountCaptured: 0 }],
    ['a part of a minor unit', { ...captured, amountCaptured: 0.5 }],
    ['money of another currency', { ...captured, currency: 'USD' }],
    ['a question to a buyer without a way back', { kind: 'requires_action', processorId: 'p', url: 'x' }],
  ];
  for (const [what, answer] of impossible)
    for (const verb of ['authorize', 'findCharge'] as const)
      it(`does not believe ${what} of ${verb}`, async () => {
        const fault = await call({ processor: answers(verb, answer) }, verb, charge);
        assert.ok(fault instanceof ProcessorFault);
        assert.deepEqual([fault.moneyMoved, fault.code], ['unknown', 'processor_invalid_response']);
      });

  it('believes no capture beyond its own amount', async () => {
    const sent = sentCapture(charge, { amount: 600 });
    for (const verb of ['capture', 'findCapture'] as const) {
      const capture = (amountCaptured: number) =>
        call({ processor: answers(verb, { kind: 'captured', amountCaptured }) }, verb, sent);
      assert.ok((await capture(601)) instanceof ProcessorFault);
      assert.deepEqual(await capture(600), { kind: 'captured', amountCaptured: 600 });
    }
  });

  const moved: [ProcessorFaultCode, 'no' | 'unknown'][] = [
    ['processor_unavailable', 'no'],
    ['processor_timeout', 'unknown'],
    ['processor_invalid_response', 'unknown'],
  ];
  for (const [code, moneyMoved] of moved)
    it(`returns ${code} and whether money may have moved`, async () => {
      const fault = new ProcessorFault(code, 'none');
      assert.equal(await call({ processor: fails(fault) }, 'authorize', charge), fault);
      assert.equal(fault.moneyMoved, moneyMoved);
    });

  it('throws an error that is no fault', async () => {
    const processor = fails(new TypeError('ours'));
    await assert.rejects(call({ processor }, 'authorize', charge), new TypeError('ours'));
  });

  it('is counted by metrics and timeline as a fault, too', async () => {
    const counted: string[] = [];
    const steps: TimelineStep[] = [];
    const processor = {
      ...answers('authorize', { ...captured, currency: 'USD' }),
      observe: (verb: string, outcome: string) => void counted.push(`${verb} ${outcome}`),
    };
    await call({ processor, timeline: { record: (step) => steps.push(step) } }, 'authorize', charge);
    assert.deepEqual(counted, ['authorize processor_invalid_response']);
    assert.deepEqual(
      steps.map(({ type }) => type),
      ['sent', 'processor_fault'],
    );
  });

  it('is not made and not counted while the circuit is open', async () => {
    const circuit = new Circuit();
    const counted: string[] = [];
    const lost = fails(new ProcessorFault('processor_timeout', 'none'));
    const processor = { ...lost, circuit, observe: (verb: string) => void counted.push(verb) };
    const steps: TimelineStep[] = [];
    for (let times = 0; times < 21; times += 1)
      await call({ processor, timeline: { record: (step) => steps.push(step) } }, 'authorize', charge);
    assert.equal(counted.length, 20);
    const detail = { call: 'charge', code: 'processor_unavailable', circuit: 'open' };
    assert.deepEqual(steps.at(-1), { type: 'processor_fault', detail });
  });

  describe('about a key that may be forgotten', () => {
    const old = sentCharge({ key: 'ch_1', amount: 1000, createdAt: new Date(Date.now() - 60_000) });
    const entry = (chargeKey: string) =>
      ({ kind: 'capture', key: chargeKey, chargeKey, amount: 1000 }) as const;
    const forgets = (listMovementsOf: PaymentProcessor['listMovementsOf']) =>
      open({ keysKnownMs: 30_000, findCharge: () => Promise.resolve(null), listMovementsOf });

    it('takes the outcome from the books of its charge', async () => {
      const books = (...keys: string[]) => forgets(() => Promise.resolve(keys.map(entry)));
      const found = await call({ processor: books('ch_2', 'ch_1') }, 'findCharge', old);
      assert.deepEqual(found, { kind: 'captured', processorId: 'ch_1', amountCaptured: 1000 });
      assert.ok((await call({ processor: books('ch_2') }, 'findCharge', old)) instanceof ProcessorFault);
    });

    it('believes that a young key was never seen', async () => {
      const processor = forgets(() => Promise.reject(new Error('asked')));
      assert.equal(await call({ processor }, 'findCharge', { ...old, createdAt: new Date() }), null);
    });

    it('is one call to the circuit, with one signal', async () => {
      const circuit = new Circuit();
      const { signal } = new AbortController();
      const signals = new Set<unknown>();
      const processor = {
        ...forgets((_charge, options) => {
          signals.add(options?.signal);
          return Promise.reject(new ProcessorFault('processor_timeout', 'none'));
        }),
        circuit,
      };
      for (let times = 0; times < 20; times += 1) await call({ processor }, 'findCharge', old, signal);
      assert.equal(circuit.state, 'open');
      assert.deepEqual([...signals], [signal]);
    });
  });

  it('fails with the reason where it cannot be opened', async () => {
    const processor = { ...open({}), adapter: 'there is none' };
    const fault = await call({ processor }, 'authorize', charge);
    assert.ok(fault instanceof ProcessorFault && fault.misconfigured);
    assert.match(fault.message, /there is none/);
  });
});
