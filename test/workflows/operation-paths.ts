import { ApplicationFailure, TimeoutFailure, TimeoutType } from '@temporalio/common';
import { newId } from '#db/new-id.ts';
import type { OperationType } from '#domain/operations/operation-kinds.ts';
import { claimedIds, type KeyedWorkflow } from '#temporal/client/ids.ts';
import { operationStart } from '#temporal/client/starts.ts';
import type { Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { untilDone } from '../support/resources/exports.ts';
import type { Merchant } from '../support/resources/merchant.ts';
import { startAgain } from '../support/resources/runs.ts';
import { terminate, type Drive, type TakenPath } from './taken-path.ts';

/**
 * Every way that the workflow of an operation can take, each driven through HTTP from its claim to its close. One set for all
 * types, since they differ in the work only: charge batches record all of it, the others a success and a failure.
 */

export interface OpenedOperation extends TakenPath {
  id: string;
  merchant: Merchant;
}

/** What is recorded of a type. */
export interface OperationToRecord {
  type: OperationType;
  kind: KeyedWorkflow;
  /** One whose work is soon done. */
  open: Drive<OpenedOperation>;
  /** One that is at work for long enough that something can be done meanwhile. */
  openRunning: Drive<OpenedOperation>;
}

/** By the name of the file that its history is kept in. */
export function operationPaths({ type, kind, open, openRunning }: OperationToRecord) {
  /** It is acted upon while it runs, and then ends as `status` says. */
  const midway =
    (act: (opened: OpenedOperation, env: Environment) => Promise<unknown>, status: string): Drive =>
    async (env) => {
      const opened = await openRunning(env);
      await act(opened, env);
      const done = await untilDone(opened.merchant, opened.id);
      if (done.status !== status) throw new Error(`it ended ${done.status}: its work was done too soon`);
      return opened;
    };

  return {
    succeeded: async (env: Environment) => {
      const opened = await open(env);
      await untilDone(opened.merchant, opened.id);
      return opened;
    },
    cancelled: midway(
      ({ merchant, id }) => merchant.send('POST', `/v1/operations/${id}:cancel`),
      'cancelled',
    ),
    // A signal alone decides nothing: the work goes on.
    'signalled-only': midway(
      ({ workflowId: id }, env) => env.temporal.workflow.getHandle(id).signal('wake'),
      'succeeded',
    ),
    'signalled-and-lost': midway(loseSignalled, 'succeeded'),
    failed: midway(failWork, 'failed'),
    held: midway(holdForAWhile, 'succeeded'),
    async lost(env: Environment) {
      const opened = await openRunning(env);
      await terminate(env, opened);
      return opened;
    },
    // A start that came after its claim was deleted.
    async 'not-started'(env: Environment) {
      const claim = { claimId: newId('claim'), resourceId: newId('operation') };
      const ids = claimedIds(kind, newId('account'), 'late', claim);
      await startAgain(env, operationStart({ ...ids, type }));
      return ids;
    },
  };
}

/** Its account is disabled, so that it waits, and is enabled again. */
async function holdForAWhile(opened: OpenedOperation, env: Environment): Promise<void> {
  const { workflowId: id, merchant } = opened;
  const account = env.db('accounts').where('id', merchant.accountId);
  await account.clone().update('status', 'disabled');
  await eventually('it waits', async () => {
    const { status } = await env.db('operations').where('id', opened.id).first();
    const { raw } = await env.temporal.workflow.getHandle(id).describe();
    return status === 'queued' && !raw.pendingActivities?.length;
  });
  await account.update('status', 'active');
  await env.temporal.workflow.getHandle(id).signal('wake');
}

/** Its worker dies before it hears of the signal: Temporal gives the attempt up, and begins no other by itself. */
async function loseSignalled({ workflowId: id }: OpenedOperation, env: Environment): Promise<void> {
  const run = env.temporal.workflow.getHandle(id);
  await run.signal('wake');
  const cancelRequested = 3;
  const activityId = await eventually('the attempt is to be cut short', async () => {
    const { raw } = await run.describe();
    const attempt = raw.pendingActivities?.[0];
    return Number(attempt?.state) === cancelRequested && attempt?.activityId;
  });
  const failure = new TimeoutFailure('silent, for the recording', undefined, TimeoutType.HEARTBEAT);
  await env.temporal.activity.fail({ workflowId: id, activityId }, failure);
}

/** As an operator who sees that no attempt will mend it. */
export async function failWork({ workflowId: id }: TakenPath, env: Environment): Promise<void> {
  const activityId = await eventually('its work is under way', async () => {
    const { raw } = await env.temporal.workflow.getHandle(id).describe();
    return raw.pendingActivities?.[0]?.activityId;
  });
  const failure = ApplicationFailure.nonRetryable('failed, for the recording');
  await env.temporal.activity.fail({ workflowId: id, activityId }, failure);
}
