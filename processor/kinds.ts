import type { ProcessorKind } from './port.ts';
import { sandboxKind } from './sandbox/kind.ts';
import { stripeKind } from './stripe/kind.ts';

/** All kinds of processors. A new one is a folder beside `sandbox/`, and a line here. */
export const processorKinds: readonly ProcessorKind[] = [sandboxKind, stripeKind];

/** Returns the kind with this name, or `null` if this release has none. */
export function findKind(name: string): ProcessorKind | null {
  return processorKinds.find(({ kind }) => kind === name) ?? null;
}
