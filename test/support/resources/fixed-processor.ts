import type { PaymentProcessor } from '#processor/port.ts';
import type { Processors } from '#processor/registry.ts';

/** Returns processors that are all this one. */
export function fixedProcessor(processor: PaymentProcessor): Processors {
  return { hasBuiltIn: true, of: () => Promise.resolve(processor) };
}
