import assert from 'node:assert/strict';
import { call } from '#processor/call.ts';
import type { ObserveCall } from '#processor/open-processor.ts';
import { ProcessorFault } from '#processor/port.ts';
import { createStripeProcessor } from '#processor/stripe/adapter.ts';
import { createEvidenceLog } from '#startup/processors.ts';
import { createLogger } from '#telemetry/log.ts';
import { openFixed } from '../support/resources/fixed-processor.ts';
import { sentCharge } from '../support/resources/sent-charge.ts';

describe('an answer of a processor that cannot be used', () => {
  const body = JSON.stringify({ object: 'payment_intent', status: 'sold', client_secret: 'HARMFUL' });

  /** What an operator reads after one call that was answered so. */
  async function observe(): Promise<Parameters<ObserveCall>[]> {
    const calls: Parameters<ObserveCall>[] = [];
    const transport = {
      exchange: () => Promise.resolve({ status: 200, headers: { 'request-id': 'req_1' }, body }),
      close: () => Promise.resolve(),
    };
    const settings = { key: 'sk_test_0123456789', url: null };
    const adapter = createStripeProcessor(settings, transport);
    const observed = {
      ...openFixed(adapter),
      observe: (...made: Parameters<ObserveCall>) => void calls.push(made),
    };
    assert.ok(
      (await call({ processor: observed }, 'findCharge', sentCharge({ ref: 'pi_1' }))) instanceof
        ProcessorFault,
    );
    return calls;
  }

  it('is kept for the operator, without its secrets', async () => {
    const lines: string[] = [];
    const log = createLogger('worker', 'warn', { write: (line) => void lines.push(line) });
    const keep = createEvidenceLog(log);
    const [[name, outcome, , evidence] = []] = await observe();
    for (let times = 0; times < 3; times += 1)
      keep({ processor: 'prc_1', call: name!, outcome: outcome!, evidence: evidence! });
    assert.equal(lines.length, 1, 'one a second, however many come');
    const line = JSON.parse(lines[0]!) as Record<string, string>;
    assert.equal(line['processor'], 'prc_1');
    assert.match(line['evidence']!, /^status 200, request req_1: .*"status":"sold"/);
    assert.doesNotMatch(lines.join(), /HARMFUL/);
  });

  it('is told with the call, and only then', async () => {
    const [[name, outcome, , evidence] = []] = await observe();
    assert.deepEqual([name, outcome], ['findCharge', 'processor_invalid_response']);
    assert.ok(evidence);
  });
});
