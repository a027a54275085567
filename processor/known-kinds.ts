import * as kinds from './kinds.ts';
import type { ProcessorKind } from './port.ts';

/** The kinds that this release knows. */
export const processorKinds: readonly ProcessorKind[] = Object.values(kinds);

/** Returns the kind with this name, or `null` if this release has none. */
export function findKind(name: string): ProcessorKind | null {
  return processorKinds.find(({ kind }) => kind === name) ?? null;
}
