import { beginChargeBatch } from '#db/operations/charge-batches.ts';
import { endOperation } from '#db/operations/operation-ends.ts';
import { beginOperation } from '#db/operations/operations.ts';
import { replyToOperation } from '#domain/operations.ts';
import type { OperationType } from '#domain/operations/operation-kinds.ts';
import type { OperationInput, OperationProgress } from '#temporal/operations.ts';
import type { ActivityDeps } from '../deps.ts';
import { storeReply } from '../payments/settle.ts';
import { chargeRows } from './charge-batches.ts';
import { exportRows } from './exports.ts';
import { startNext } from './operation-queue.ts';

/** The begin of kinds whose rows are made with their operation. (Default: {@link beginOperation}) */
const begins: { [Type in OperationType]?: typeof beginOperation } = { charge_batch: beginChargeBatch };

/** The steps of operations: those that all kinds share, and the work of each. Each is safe to run twice. */
export const operations = { acceptOperation, failOperation, startNext, chargeRows, exportRows };

/** Begins the claim, which makes the operation, and stores its 202. */
async function acceptOperation(
  deps: ActivityDeps,
  input: OperationInput & { workflowId: string },
): Promise<OperationProgress> {
  const begin = begins[input.type] ?? beginOperation;
  const held = await begin(deps.db, input);
  if (!held) return { status: 'not_started' };
  const { operation, claim } = held;
  if (claim && !claim.answered) await storeReply(deps, claim, replyToOperation(operation));
  return { status: operation.status };
}

/** Ends an operation whose work cannot be completed. */
function failOperation(deps: ActivityDeps, { operationId }: OperationInput): Promise<OperationProgress> {
  return endOperation(deps, operationId, { status: 'failed', code: 'operation_failed' });
}
