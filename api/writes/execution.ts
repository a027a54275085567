import { setTimeout as sleep } from 'node:timers/promises';
import { isWorkedOn } from '#db/payments/charge-leases.ts';
import { findClaim } from '#db/writes/idempotency-keys.ts';
import type { CallResult } from '#temporal/client/gateway.ts';
import type { ClaimStart } from '#temporal/client/starts.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { ClaimedWrite, Execution, Taken } from './definition.ts';

/** Who carries a write out once its key is claimed: the run of a workflow, or this process. */

/** A write that a run carries out. */
export interface RunWrite<Request, Subject> extends Pick<Execution<Request, Subject>, 'findFault'> {
  /** Returns the start of the run. A repeat has no subject, which is then read again. */
  toStart(write: ClaimedWrite<Request, Subject>): ClaimStart | Promise<ClaimStart>;
  /** The run belongs to the resource, and may be open. It is woken, and finds the claim. (Default: the claim's own run) */
  isCommand?: boolean;
  /** Takes the first steps of a fresh claim without a workflow; `null` for a request that wants one. (Default: `null`) */
  takeInline?(write: ClaimedWrite<Request, Subject>): Promise<Begun> | null;
}

/** How the first steps ended. `not_started`: nobody goes on with them yet. */
type Begun = Taken | 'not_started';

type RunDeps = Pick<ApiDeps, 'db' | 'log' | 'temporal' | 'runs' | 'metrics'>;

/** Longest that Temporal may be away before the caller hears of it, in milliseconds: a restart takes less, an outage more. */
const unavailableForMs = 2_000;

/**
 * Returns the execution by a run. Temporal starts it here if it can, so that its first step hands the answer over in memory
 * (`worker/hosted-runs.ts`). Otherwise the run stores the answer, and whoever waits finds it at the claim.
 */
export function byRun<Request, Subject>(
  deps: RunDeps,
  write: RunWrite<Request, Subject>,
): Execution<Request, Subject> {
  const { db, temporal, runs, metrics } = deps;

  /** Starts or wakes the run. Repeats the call while Temporal restarts. */
  async function reach(
    start: ClaimStart,
    claimId: string,
    deadline: number,
    since = performance.now(),
  ): Promise<Taken> {
    for (;;) {
      const result: CallResult = await (write.isCommand
        ? temporal.wake(start, deadline)
        : temporal.start(start, deadline));
      if (result === 'done') return 'open';
      deps.log.warn({ claim: claimId, workflow: start.workflowId, result }, 'workflow not started');
      if (performance.now() >= Math.min(deadline, since + unavailableForMs)) return 'unavailable';
      await sleep(100);
      const now = await findClaim(db, claimId);
      if (!now || now.answer) return 'open';
    }
  }

  return {
    ...(write.findFault && { findFault: write.findFault }),
    async begin(claimed, deadline) {
      const since = performance.now();
      const start = await write.toStart(claimed);
      const inline = write.takeInline?.(claimed);
      const isHosted = start.queue === 'charges' && !write.isCommand;
      const steps = inline ?? (isHosted ? runs.run(start) : null);
      const begun = steps ? await answeredBy(deadline, steps) : 'not_started';
      if (start.queue === 'charges')
        metrics?.writeBegun(
          start.workflow,
          typeof begun === 'object' ? (inline ? 'inline' : 'eager') : 'run',
        );
      if (typeof begun === 'object' || begun === 'open') return begun;
      return reach(start, claimed.claim.claimId, deadline, begun === 'unavailable' ? since : undefined);
    },
    async resume(claimed, deadline) {
      const { claimId } = claimed.claim;
      while (performance.now() < deadline && (await isWorkedOn(db, claimId))) await sleep(50);
      const now = await findClaim(db, claimId);
      if (!now || now.answer || performance.now() >= deadline) return 'open';
      return reach(await write.toStart(claimed), claimId, deadline);
    },
  };
}

/** Returns the result of steps, or `open` at the deadline: the steps go on, and the caller's window is over. */
function answeredBy(deadline: number, steps: Promise<Begun>): Promise<Begun> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, deadline - performance.now(), 'open' as const);
    void steps.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
