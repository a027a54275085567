import type { OperationInput, OperationOutcome } from './contract.ts';
import { runOperation, work } from './operations.ts';

/** A replay of many events to one endpoint. */
export function replayDeliveries(input: OperationInput): Promise<OperationOutcome> {
  return runOperation(input, work.replayEvents);
}
