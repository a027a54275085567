import { SpanKind } from '@opentelemetry/api';
import type { ProcessorCall, TimelineStep } from '#domain/timeline.ts';
import { inSpan } from '#telemetry/spans.ts';
import { believe } from './belief.ts';
import { CircuitOpen } from './breaker.ts';
import { lookBehindKey } from './key-memory.ts';
import type { OpenProcessor } from './open-processor.ts';
import { ProcessorFault, type OrFault, type OutcomeOf, type SentBy, type Verb } from './port.ts';

/**
 * The one way to call a processor. Each call goes through these layers, from the outside to the inside:
 *
 * 1. The timeline gets what is sent or asked, and what came of it.
 * 2. The circuit makes no call while the processor does not answer. It counts a whole call, with both questions of 3.
 * 3. The memory of keys: "never seen" of a key that may be forgotten is looked up in the books.
 * 4. Metrics and evidence: each request counts with its outcome and duration.
 * 5. The trace has a span for each request.
 * 6. The adapter sends, within its own time limit and until `signal` ends it.
 * 7. Belief: an answer that cannot be true is a fault.
 *
 * A fault is a value and is never thrown. Nobody repeats a call here: `activities/payments/settle.ts` says who does.
 */

/** Who makes a call: a step of a payment, say. */
interface Caller {
  processor: OpenProcessor;
  /** (Default: no entry is kept) */
  timeline?: { record(step: TimelineStep): void };
}

/** The entries of the timeline. Other calls have none. */
const entries: Partial<Record<Verb, { type: 'sent' | 'asked'; call: ProcessorCall }>> = {
  prepare: { type: 'sent', call: 'preparation' },
  authorize: { type: 'sent', call: 'charge' },
  capture: { type: 'sent', call: 'capture' },
  void: { type: 'sent', call: 'void' },
  refund: { type: 'sent', call: 'refund' },
  reverseRefund: { type: 'sent', call: 'reversal' },
  findCharge: { type: 'asked', call: 'charge' },
  findCapture: { type: 'asked', call: 'capture' },
  findRefund: { type: 'asked', call: 'refund' },
};

/**
 * Makes the call once. Returns its outcome, or the fault.
 *
 * @param signal gives the call up. (Default: the adapter's time limit alone does)
 */
export async function call<V extends Verb>(
  { processor, timeline }: Caller,
  verb: V,
  sent: SentBy<V>,
  signal?: AbortSignal,
): Promise<OrFault<OutcomeOf<V>>> {
  const entry = entries[verb];
  if (entry) timeline?.record({ type: entry.type, detail: { call: entry.call } });
  const make = () => askTwice(processor, verb, sent, signal);
  const outcome = await (processor.circuit?.run(make, signal) ?? make()).catch(toValue);
  if (entry) timeline?.record(describe(entry.call, outcome as OrFault<Described>));
  return outcome;
}

function toValue(error: unknown): ProcessorFault {
  if (error instanceof ProcessorFault) return error;
  throw error;
}

/** Returns the outcome. Throws the fault: it ends what the caller does. */
export function orThrow<T>(outcome: OrFault<T>): T {
  if (outcome instanceof ProcessorFault) throw outcome;
  return outcome;
}

/** Asks the books where the processor may have forgotten the key. */
async function askTwice<V extends Verb>(
  processor: OpenProcessor,
  verb: V,
  sent: SentBy<V>,
  signal: AbortSignal | undefined,
): Promise<OutcomeOf<V>> {
  const outcome = await request(processor, verb, sent, signal);
  const { adapter, now } = processor;
  if (outcome !== null || typeof adapter === 'string') return outcome;
  const books = lookBehindKey(verb, sent, adapter.keysKnownMs, now());
  if (!books) return outcome;
  const entries = await request(processor, 'listMovementsOf', books.charge, signal);
  return books.read(entries.filter(({ chargeKey }) => chargeKey === books.charge.key));
}

/** @throws {ProcessorFault} */
async function request<V extends Verb>(
  { adapter, observe }: OpenProcessor,
  verb: V,
  sent: SentBy<V>,
  signal: AbortSignal | undefined,
): Promise<OutcomeOf<V>> {
  if (typeof adapter === 'string')
    throw new ProcessorFault('processor_unavailable', `The processor cannot be called: ${adapter}`, {
      misconfigured: true,
    });
  const make = adapter[verb] as
    ((sent: SentBy<V>, options?: { signal: AbortSignal }) => Promise<OutcomeOf<V>>) | undefined;
  if (!make) throw new Error(`This processor cannot ${verb}`);
  const since = performance.now();
  const report = (outcome: string, evidence: string | null = null) =>
    observe?.(verb, outcome, (performance.now() - since) / 1_000, evidence);
  try {
    const answer = await inSpan(`processor ${verb}`, { kind: SpanKind.CLIENT }, async () =>
      believe(verb, sent, await make.call(adapter, sent, signal && { signal })),
    );
    report(nameOutcome(answer));
    return answer;
  } catch (error) {
    if (error instanceof ProcessorFault) report(error.code, error.evidence);
    else report('failed');
    throw error;
  }
}

function nameOutcome(answer: unknown): string {
  const { kind } = (answer ?? {}) as { kind?: unknown };
  if (typeof kind === 'string') return kind;
  return answer === null ? 'not_found' : 'answered';
}

type Described = OutcomeOf<Exclude<Verb, 'describeToken' | `list${string}`>>;

function describe(called: ProcessorCall, outcome: OrFault<Described>): TimelineStep {
  if (!(outcome instanceof ProcessorFault))
    return { type: 'processor_answered', detail: { call: called, ...describeAnswer(outcome) } };
  // A call that the circuit did not make is told apart: nothing went out.
  const circuit = outcome instanceof CircuitOpen ? { circuit: 'open' as const } : {};
  return { type: 'processor_fault', detail: { call: called, code: outcome.code, ...circuit } };
}

function describeAnswer(outcome: Described) {
  if (!outcome) return { outcome: 'not_found' } as const;
  const { kind } = outcome;
  if (kind === 'captured') return { outcome: kind, amount: outcome.amountCaptured };
  if (kind === 'failed' || kind === 'refused') return { outcome: kind, code: outcome.code };
  return kind === 'declined' ? { outcome: kind, decline_code: outcome.declineCode } : { outcome: kind };
}
