import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { currentTimeMs } from '#db/clock.ts';
import { markAsleep, nextDueInMs, takeLease, type Lease } from '#db/webhooks/endpoint-leases.ts';
import { cancelDeliveries } from '#db/webhooks/webhook-deliveries.ts';
import { endpointStart, wakeRun } from '#temporal/client/starts.ts';
import { disableEndpoint } from '#webhooks/disable.ts';
import type { LeaseEnd } from '#webhooks/lease.ts';
import type { ActivityDeps } from '../deps.ts';

type SessionDeps = Pick<ActivityDeps, 'db' | 'dispatcher' | 'idleTimeoutMs' | 'client'>;

/** How long a session delivers, and listens for more. */
const sessionMs = 10_000;

/** How long the process resumes an endpoint by itself after a session. Differs, so that sessions do not end together. */
const chooseResumedMs = () => 20_000 + Math.random() * 20_000;

/** The workflow begins a session so long after that, if it was not woken: the process was lost. */
const lostAfterMs = 5_000;

/** Hundreds of time-outs end together: keeps the next attempts apart. */
const spreadMs = () => Math.random() * 2_000;

/** Deliveries that one statement cancels: few, so that its locks are short. */
const cancelBatch = 1_000;

/** The end of a session. */
export interface SessionResult {
  /** `on_turn`: the endpoint stays awake. `asleep`: the process that commits a delivery wakes it. */
  state: 'on_turn' | 'asleep';
  /** When the next session begins, unless a signal comes before; `null`: only after a signal. */
  resumeInMs: number | null;
  /** For how long there was nothing to do. */
  idleMs: number;
  /** How many attempts were made; for operators. */
  attempts: number;
  accountId: string | null;
}

/**
 * Runs one delivery session of an endpoint: delivers what is due, listens for more, and says when the next session begins.
 * Safe to run twice: the later session takes the endpoint, and the earlier one reads nothing more.
 */
export async function deliverDue(
  deps: SessionDeps,
  { endpointId, idleMs }: { endpointId: string; idleMs: number },
): Promise<SessionResult> {
  const lease = await takeLease(deps.db, endpointId, randomUUID());
  if (!lease) return { state: 'asleep', resumeInMs: null, idleMs: 0, attempts: 0, accountId: null };
  return runSession(deps, lease, idleMs);
}

async function runSession(deps: SessionDeps, lease: Lease, idleMs: number): Promise<SessionResult> {
  const { db, dispatcher } = deps;
  const startedAt = currentTimeMs();
  const until = startedAt + sessionMs;
  if (lease.status === 'disabled' || lease.isCancelling) {
    if (!(await cancelAll(deps, lease, until))) return stayAwake(lease);
    return lease.status === 'disabled' ? rest(deps, lease, 0) : stayAwake(lease);
  }
  if (lease.parkedForMs > 0) return rest(deps, lease, 0);
  const restAt = startedAt + deps.idleTimeoutMs - idleMs;
  const end = await dispatcher.deliver(lease, { until, restAt, holdsSlot: true });
  if (end.reason === 'failed') throw end.error;
  if (end.reason === 'idle' || end.reason === 'parked') return rest(deps, lease, end.attempts);
  if (end.disable) await disableEndpoint(db, lease, end.disable);
  else if (end.underWayMs > 0) {
    const resumedMs = chooseResumedMs();
    // The session after it meets the same fault, and reports it.
    resume(deps, lease, currentTimeMs() + resumedMs).catch(() => undefined);
    const resumeInMs = Math.round(resumedMs + dispatcher.timeoutMs + lostAfterMs);
    return stayAwake(lease, { attempts: end.attempts, resumeInMs });
  }
  return stayAwake(lease, { attempts: end.attempts, idleMs: measureIdle(end, startedAt - idleMs) });
}

/** Cancels the open deliveries of a disabled endpoint. Returns `false` if time ran out before. */
async function cancelAll({ db }: SessionDeps, lease: Lease, until: number): Promise<boolean> {
  while (currentTimeMs() < until) {
    if (await cancelDeliveries(db, lease.endpointId, cancelBatch)) return true;
  }
  return false;
}

/**
 * Resumes an endpoint in this process, without a slot, when its attempts outlived their session. A session costs 20 ms of
 * CPU in Temporal, and a slow receiver would need one for each answer. Wakes the workflow at the end. Leaves an endpoint
 * that is parked for longer to the session that begins by itself.
 */
async function resume(deps: SessionDeps, ended: Lease, until: number): Promise<void> {
  const { db, dispatcher } = deps;
  for (let held = ended; currentTimeMs() < until && !dispatcher.isStopping;) {
    const lease = await takeLease(db, held.endpointId, randomUUID(), held.id);
    // Another session has begun.
    if (!lease) return;
    if (lease.status === 'disabled' || lease.isCancelling) break;
    if (lease.parkedForMs > 0) {
      if (currentTimeMs() + lease.parkedForMs > until) return;
      await sleep(lease.parkedForMs + spreadMs(), undefined, { ref: false });
      held = lease;
      continue;
    }
    const bounds = {
      until: Math.min(currentTimeMs() + sessionMs, until),
      restAt: currentTimeMs(),
      holdsSlot: false,
    };
    const end = await dispatcher.deliver(lease, bounds);
    if (end.disable) await disableEndpoint(db, lease, end.disable);
    if (!['over', 'changed', 'parked'].includes(end.reason)) break;
    held = lease;
  }
  await wakeRun(deps, endpointStart(ended.endpointId));
}

/** Marks the endpoint as asleep first, and reads last what is due. So no commit falls between the two. */
async function rest({ db }: SessionDeps, lease: Lease, attempts: number): Promise<SessionResult> {
  if (!(await markAsleep(db, lease))) return stayAwake(lease, { attempts });
  const dueInMs = lease.status === 'disabled' ? null : await nextDueInMs(db, lease.endpointId);
  if (dueInMs === 0) return stayAwake(lease, { attempts });
  return { state: 'asleep', resumeInMs: dueInMs, idleMs: 0, attempts, accountId: lease.accountId };
}

function stayAwake(lease: Lease, result: Partial<SessionResult> = {}): SessionResult {
  return { state: 'on_turn', resumeInMs: 0, idleMs: 0, attempts: 0, accountId: lease.accountId, ...result };
}

/** Returns for how long there was nothing to do. Without any attempt, the time before this lease counts too. */
function measureIdle({ attempts, idleSince }: LeaseEnd, idleBefore: number): number {
  if (idleSince === null) return 0;
  return currentTimeMs() - (attempts === 0 ? idleBefore : idleSince);
}
