import type { ApiVersion } from '#domain/versions/version-change.ts';
import {
  defaultRetryScheduleMs,
  type WebhookEndpointStatus,
  type WebhookOrdering,
} from '#domain/webhook-endpoints.ts';
import { isActive } from '../writes/begin.ts';
import { hasRow, prepared, type Database } from '../knex.ts';
import { isNotSetAside } from '../maintenance-faults.ts';

/**
 * The right of one process to deliver to an endpoint, and the endpoint as it was read then. It holds until another
 * lease is taken.
 */
export interface Lease {
  id: string;
  endpointId: string;
  accountId: string;
  url: string;
  status: WebhookEndpointStatus;
  ordering: WebhookOrdering;
  apiVersion: ApiVersion;
  version: number;
  failingSince: Date | null;
  /** How long the endpoint is still left alone. (ms; 0: it is not parked) */
  parkedForMs: number;
  /** Whether there are deliveries to cancel. */
  isCancelling: boolean;
  /** The wait before each attempt. (ms) */
  scheduleMs: readonly number[];
  /** An endpoint that fails for longer is disabled. (ms) */
  disableAfterMs: number;
}

interface LeaseRow extends Omit<Lease, 'id' | 'scheduleMs'> {
  scheduleMs: number[] | null;
}

/**
 * Takes a lease, and marks the endpoint as awake.
 *
 * @param heldLeaseId takes it only if this lease holds the endpoint. (Default: in any case)
 * @returns `null` if there is no such endpoint, another lease holds it, or its account is disabled.
 */
export async function takeLease(
  db: Database,
  endpointId: string,
  leaseId: string,
  heldLeaseId: string | null = null,
): Promise<Lease | null> {
  const [row] = await prepared<LeaseRow>(
    db,
    'take-endpoint-lease',
    `update webhook_endpoints e set turn_id = $2, last_turn_at = clock_timestamp(), awake = true
     from accounts a where e.id = $1 and a.id = e.account_id and a.status = 'active' and ($3::text is null or e.turn_id = $3)
     returning e.id as endpoint_id, e.account_id, e.url, e.status, e.ordering,
       e.api_version, e.version, e.failing_since,
       greatest(0, ceil(extract(epoch from e.parked_until - clock_timestamp()) * 1000))::int8 as parked_for_ms,
       e.cancelled_before is not null as is_cancelling,
       a.webhook_retry_schedule_ms::float8[] as schedule_ms, a.webhook_disable_after_ms as disable_after_ms`,
    [endpointId, leaseId, heldLeaseId],
  );
  return row ? { ...row, id: leaseId, scheduleMs: row.scheduleMs ?? defaultRetryScheduleMs } : null;
}

/**
 * Marks the endpoint as asleep. From then on, the process that commits a delivery wakes it. So the caller must read
 * once more what is due, by a statement that begins after this one was committed.
 *
 * @returns `false` if another lease holds the endpoint.
 */
export function markAsleep(db: Database, lease: Pick<Lease, 'id' | 'endpointId'>): Promise<boolean> {
  return hasRow(
    db,
    'mark-endpoint-asleep',
    `update webhook_endpoints set
       awake = false, last_turn_at = clock_timestamp(),
       parked_until = case when parked_until > clock_timestamp() then parked_until end
     where id = $1 and turn_id = $2
     returning id`,
    [lease.endpointId, lease.id],
  );
}

/** Returns how long an endpoint has nothing to do. (ms; 0: something is due; `null`: until the next event) */
export async function nextDueInMs(db: Database, endpointId: string): Promise<number | null> {
  const [row] = await prepared<{ ms: number | null }>(
    db,
    'next-due-delivery',
    `select case
       when e.cancelled_before is not null then 0
       when e.parked_until > clock_timestamp()
         then ceil(extract(epoch from e.parked_until - clock_timestamp()) * 1000)::int8
       when exists (select from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending'
         and (e.ordering = 'none' or not exists (
           select from webhook_deliveries r where r.endpoint_id = e.id and r.status = 'retrying'))) then 0
       else (
         select ceil(extract(epoch from min(d.next_attempt_at) - clock_timestamp()) * 1000)::int8
         from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'retrying')
       end as ms
     from webhook_endpoints e where e.id = $1`,
    [endpointId],
  );
  // `greatest` of Postgres would make 0 of nothing.
  const ms = row?.ms ?? null;
  return ms === null ? null : Math.max(0, ms);
}

/** Returns those of the endpoints whose account is disabled: nothing is sent to them until it is enabled again. */
export async function findHeldEndpoints(db: Database, endpointIds: readonly string[]): Promise<string[]> {
  const rows = await prepared<{ id: string }>(
    db,
    'find-held-endpoints',
    `select e.id from webhook_endpoints e join accounts a on a.id = e.account_id
     where e.id = any($1) and a.status = 'disabled'`,
    [endpointIds],
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns endpoints with something overdue that had no lease for `idleMs`, whether they are marked as awake or not: a
 * signal was lost, or a run. Steps along the indexes of open deliveries, one step for each endpoint.
 */
export async function findOverdueEndpoints(
  db: Database,
  idleMs: number,
  limit: number,
): Promise<{ id: string; accountId: string }[]> {
  const hop = (status: string) => `
    select (select min(endpoint_id) from webhook_deliveries where status = '${status}') as id
    union all
    select (select min(endpoint_id) from webhook_deliveries where status = '${status}' and endpoint_id > hop.id)
    from hop where hop.id is not null`;
  return prepared(
    db,
    'find-overdue-endpoints',
    `with recursive pending as (${hop('pending').replaceAll('hop', 'pending')}),
     retrying as (${hop('retrying').replaceAll('hop', 'retrying')})
     select e.id, e.account_id from webhook_endpoints e
     where (e.last_turn_at is null or e.last_turn_at < clock_timestamp() - $1 * interval '1 ms')
       and (e.parked_until is null or e.parked_until < clock_timestamp())
       and ${isActive('e.account_id')}
       and (e.cancelled_before is not null
         or e.id in (select id from pending) and (e.ordering = 'none' or e.id not in (select id from retrying where id is not null))
         or e.id in (select id from retrying) and exists (
           select from webhook_deliveries d
           where d.endpoint_id = e.id and d.status = 'retrying' and d.next_attempt_at < clock_timestamp()))
       and ${isNotSetAside('wakeOverdueEndpoints', 'e.id')}
     order by coalesce(e.last_turn_at, e.created_at) limit $2`,
    [idleMs, limit],
  );
}
