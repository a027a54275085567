import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  TimeoutFailure,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { otherClaim } from '#temporal/messages.ts';
import { resourceStatus } from '#temporal/search-attributes.ts';

/**
 * What the runs of every resource do alike: hear of news while they wait, and show how far they are.
 */

/** News from outside that a waiting step is cut short by. */
export interface News {
  /** Something was said since the last look: what waits should look again. */
  news: boolean;
  /** Cuts the step that waits now, if it can be cut. */
  cutWait: () => void;
}

export function tell(inbox: News): void {
  inbox.news = true;
  inbox.cutWait();
}

/** Runs a step that news cuts short; it is then begun again, and so reads the row anew. */
export async function unlessNews<Progress>(
  inbox: News,
  from: Progress,
  step: () => Promise<Progress>,
): Promise<Progress> {
  const scope = new CancellationScope();
  inbox.cutWait = () => scope.cancel();
  try {
    return await scope.run(step);
  } catch (error) {
    if (CancellationScope.current().consideredCancelled) throw error;
    if (isCancellation(error) || (scope.consideredCancelled && isLost(error))) return from;
    throw error;
  } finally {
    inbox.cutWait = () => undefined;
    inbox.news = false;
  }
}

/** The worker died before it heard that it was cut short; Temporal gives such an attempt no other. */
function isLost(error: unknown): boolean {
  return error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
}

/** 1 s after the processor took it, then at growing intervals of up to an hour; its notification cuts the wait. */
export function askAgainMs(asked: number): number {
  return Math.min(1_000 * 2 ** asked, 3_600_000);
}

/** @throws {ApplicationFailure} `other_claim`, in an update's validator. */
export function refuseUnless(own: boolean): void {
  if (!own) throw ApplicationFailure.nonRetryable('This run answers for another claim', otherClaim);
}

/** Operators filter by it; an unchanged status costs nothing. */
export function showStatus(status: string): void {
  const shown = workflowInfo().typedSearchAttributes.get(resourceStatus);
  if (shown !== status) upsertSearchAttributes([{ key: resourceStatus, value: status }]);
}
