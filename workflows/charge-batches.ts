import type { OperationInput, OperationOutcome } from './contract.ts';
import { runOperation, work } from './operations.ts';

/** A batch of charges: its rows are charged in one activity, which goes on where the last attempt stopped. */
export function chargeBatch(input: OperationInput): Promise<OperationOutcome> {
  return runOperation(input, work.chargeRows);
}
