import { beginChargeBatch } from '#db/operations/charge-batches.ts';
import { storeAnswer, toStoredAnswer } from '#db/writes/idempotency-keys.ts';
import { beginOperation } from '#db/operations/operations.ts';
import { answerOperation } from '#domain/answers.ts';
import type { OperationInput } from '#temporal/operations.ts';
import { endOperation, type OperationActivityDeps } from '#db/operations/operation-ends.ts';
import type { OperationProgress } from '#temporal/operations.ts';
import { createOperationQueue, type OperationQueueDeps } from './operation-queue.ts';

/** The steps that operations of every type share. Each is safe to run twice. */
export function createOperationActivities(deps: OperationActivityDeps & OperationQueueDeps) {
  const { db } = deps;
  const { startNext } = createOperationQueue(deps);

  /** Begins the claim, which makes the operation, and stores its 202. */
  async function acceptOperation(input: OperationInput & { workflowId: string }): Promise<OperationProgress> {
    const begin = input.type === 'charge_batch' ? beginChargeBatch : beginOperation;
    const held = await begin(db, input);
    if (!held) return { status: 'not_started' };
    const { operation, claim } = held;
    if (claim && !claim.answered) {
      await storeAnswer(db, claim.claimId, toStoredAnswer(answerOperation(operation)));
    }
    return { status: operation.status };
  }

  /** Ends an operation whose work cannot be completed. */
  function failOperation({ operationId }: OperationInput): Promise<OperationProgress> {
    return endOperation(deps, operationId, { status: 'failed', code: 'operation_failed' });
  }

  return { acceptOperation, failOperation, startNext };
}

export type OperationActivities = ReturnType<typeof createOperationActivities>;
