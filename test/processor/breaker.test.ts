import assert from 'node:assert/strict';
import { Circuit, CircuitOpen, type CircuitState } from '#processor/breaker.ts';
import { ProcessorFault } from '#processor/port.ts';
import { eventually } from '../support/eventually.ts';

describe('The circuit of a processor', () => {
  let circuit: Circuit;
  let changes: CircuitState[];
  beforeEach(() => {
    changes = [];
    circuit = new Circuit((state) => changes.push(state));
  });

  const answer = () => circuit.run(() => Promise.resolve('answer'), undefined);
  const fail = (fault: Error, signal?: AbortSignal) =>
    circuit.run(() => Promise.reject(fault), signal).catch((error: unknown) => error);
  const timeout = () => new ProcessorFault('processor_timeout', 'none');

  async function open(): Promise<void> {
    for (let call = 0; call < 20; call += 1) await fail(timeout());
    assert.equal(circuit.state, 'open');
  }

  it('opens after twenty faults in a row', async () => {
    for (let call = 0; call < 19; call += 1) await fail(timeout());
    await answer();
    for (let call = 0; call < 19; call += 1) await fail(timeout());
    assert.equal(circuit.state, 'closed');
    await fail(timeout());
    assert.deepEqual(changes, ['open']);
  });

  it('does not open for answers that put us off', async () => {
    const later = new ProcessorFault('processor_unavailable', 'too many requests', { presence: 'there' });
    for (let call = 0; call < 30; call += 1) await fail(later);
    for (let call = 0; call < 19; call += 1) await fail(timeout());
    await fail(later);
    await fail(timeout());
    assert.deepEqual(changes, [], 'the answer shows that the processor is there');
  });

  it('learns nothing from a time limit of ours', async () => {
    const ours = new ProcessorFault('processor_unavailable', 'no time left', { presence: 'unknown' });
    for (let call = 0; call < 30; call += 1) await fail(ours);
    assert.equal(circuit.state, 'closed');
    for (let call = 0; call < 19; call += 1) await fail(timeout());
    await fail(ours);
    await fail(timeout());
    assert.deepEqual(changes, ['open'], 'nor does it forget the faults before');
  });

  it('makes no call while it is open', async () => {
    await open();
    let calls = 0;
    const call = circuit.run(() => Promise.resolve((calls += 1)), undefined);
    await assert.rejects(
      call,
      (error) => error instanceof CircuitOpen && error.code === 'processor_unavailable',
    );
    assert.equal(calls, 0);
  });

  it('asks with one call at a time, and closes', async () => {
    await open();
    let calls = 0;
    let end: (value: string) => void = () => undefined;
    const ask = () =>
      circuit.run(() => {
        calls += 1;
        return new Promise<string>((resolve) => (end = resolve));
      }, undefined);
    const first = await eventually('a call is let through', async () => {
      const asked = ask().catch((error: unknown) => error);
      return calls > 0 ? [asked] : (await asked, null);
    });
    await assert.rejects(answer(), CircuitOpen);
    end('back');
    assert.equal(await first[0], 'back');
    assert.deepEqual([circuit.state, calls], ['closed', 1]);
    assert.equal(await answer(), 'answer');
  });

  it('opens at once when the key is refused', async () => {
    await fail(new ProcessorFault('processor_unavailable', 'refused', { misconfigured: true }));
    assert.equal(circuit.state, 'misconfigured');
  });

  it('does not count callers that gave up', async () => {
    for (let call = 0; call < 30; call += 1) await fail(timeout(), AbortSignal.abort());
    assert.equal(circuit.state, 'closed');
  });

  it('counts an answer that cannot be read as one', async () => {
    for (let call = 0; call < 30; call += 1)
      await fail(new ProcessorFault('processor_invalid_response', 'garbage'));
    assert.equal(circuit.state, 'closed');
  });
});
