import type { OperationInput, OperationOutcome } from './contract.ts';
import { runOperation, work } from './operations.ts';

/** An export: its file is written in one activity, which goes on where the last attempt stopped. */
export function runExport(input: OperationInput): Promise<OperationOutcome> {
  return runOperation(input, work.exportRows);
}
