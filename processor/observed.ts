import { SpanKind } from '@opentelemetry/api';
import { inSpan } from '#telemetry/spans.ts';
import { localMembers, ProcessorFault, type PaymentProcessor } from './port.ts';

/**
 * Called after every call to the processor with its name, outcome and duration, and with what an operator may read of an
 * answer that could not be used.
 */
export type ObserveCall = (call: string, outcome: string, seconds: number, evidence: string | null) => void;

/** Returns a processor that reports each call to `observe`. It answers and fails as the given one. */
export function observeProcessor<P extends PaymentProcessor>(processor: P, observe: ObserveCall): P {
  const members = Object.entries(processor).map(([name, member]) => [
    name,
    localMembers.has(name)
      ? member
      : (...args: unknown[]) => timed(name, () => traced(name, () => (member as Call)(...args)), observe),
  ]);
  return Object.fromEntries(members) as P;
}

type Call = (...args: unknown[]) => Promise<unknown>;

function traced(name: string, call: () => Promise<unknown>): Promise<unknown> {
  return inSpan(`processor ${name}`, { kind: SpanKind.CLIENT }, call);
}

async function timed(name: string, call: () => Promise<unknown>, observe: ObserveCall): Promise<unknown> {
  const since = performance.now();
  const report = (outcome: string, evidence: string | null = null) =>
    observe(name, outcome, (performance.now() - since) / 1_000, evidence);
  try {
    const answer = await call();
    report(describeOutcome(answer));
    return answer;
  } catch (error) {
    if (error instanceof ProcessorFault) report(error.code, error.evidence);
    else report('failed');
    throw error;
  }
}

function describeOutcome(answer: unknown): string {
  const { kind } = (answer ?? {}) as { kind?: unknown };
  if (typeof kind === 'string') return kind;
  return answer === null ? 'not_found' : 'answered';
}
