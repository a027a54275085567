import type { ValidationFault } from '#domain/problems.ts';
import type { Circuit } from './breaker.ts';
import type { Capabilities, MoneyTerms, PaymentProcessor, Verb } from './port.ts';

/** A processor as this process has opened it, and what it says without a call. `call.ts` makes its calls. */
export interface OpenProcessor {
  /** Why it cannot be called, if it is a text. */
  readonly adapter: PaymentProcessor | string;
  readonly capabilities: Capabilities;
  /** `null`: the row names none that this release knows. */
  readonly kind: string | null;
  /** (Default: each call is made) */
  readonly circuit?: Circuit;
  /** (Default: nobody hears of its calls) */
  readonly observe?: ObserveCall | undefined;
  /** The clock that makes our ids, in ms since 1970. */
  readonly now: () => number;
}

/**
 * Called after every request with its name, outcome and duration, and with what an operator may read of an answer that could
 * not be used.
 */
export type ObserveCall = (call: string, outcome: string, seconds: number, evidence: string | null) => void;

/** Returns whether the processor has this call: a method that its adapter has is what it can do. */
export function can({ adapter }: OpenProcessor, verb: Verb): boolean {
  return typeof adapter !== 'string' && adapter[verb] !== undefined;
}

/** Returns whether it surely cannot do this. One that cannot be called lacks no call: it fails. */
export function lacks(processor: OpenProcessor, needed: Verb | keyof Capabilities): boolean {
  if (needed in processor.capabilities) return !processor.capabilities[needed as keyof Capabilities];
  return typeof processor.adapter !== 'string' && !can(processor, needed as Verb);
}

/** Returns whether `token` can be one of its own. One that cannot be called refuses none by itself. */
export function acceptsToken({ adapter }: OpenProcessor, token: string): boolean {
  return typeof adapter === 'string' || adapter.acceptsToken(token);
}

/** Returns what of these terms it cannot take. */
export function findTermFaults({ adapter }: OpenProcessor, terms: MoneyTerms): ValidationFault[] {
  return (typeof adapter !== 'string' && adapter.findFaults?.(terms)) || [];
}
