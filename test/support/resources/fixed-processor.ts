import type { OpenProcessor } from '#processor/open-processor.ts';
import type { PaymentProcessor } from '#processor/port.ts';
import type { Processors } from '#processor/registry.ts';

/** Returns the processor as a process opens it, without a circuit. */
export function openFixed(adapter: PaymentProcessor): OpenProcessor {
  return { adapter, kind: 'sandbox', capabilities: adapter.capabilities, now: Date.now };
}

/** Returns processors that are all this one. */
export function fixedProcessor(adapter: PaymentProcessor): Processors {
  return { hasBuiltIn: true, of: () => Promise.resolve(openFixed(adapter)) };
}
