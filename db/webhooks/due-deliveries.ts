import { isActive } from '../writes/begin.ts';
import { prepared, type Database } from '../knex.ts';

/** A delivery that is due now. */
export interface DueDelivery {
  id: string;
  endpointId: string;
  eventId: string;
  sequence: number;
  type: string;
  /** Attempts made so far. */
  attempts: number;
}

/** The deliveries that an endpoint's queue asks for. */
export interface Want {
  endpointId: string;
  leaseId: string;
  /** Untried deliveries only above this sequence: the others were read before. */
  afterSequence: number;
  limit: number;
}

/** The deliveries that are due for an endpoint. */
export interface Due {
  /** The endpoint's current version. If it differs from the lease's, the lease is out of date. */
  version: number;
  deliveries: DueDelivery[];
  /** Milliseconds until the next retry; `null`: there is none. */
  nextRetryInMs: number | null;
}

type DueRow = { endpointId: string; version: number; nextRetryInMs: number | null; sequence: number } & (
  Omit<DueDelivery, 'endpointId'> | { id: null }
);

const columns = 'd.id, d.event_id, d.sequence, d.type, d.attempts';

/** Selects due deliveries, retries first. */
const inAnyOrder = `
  (select ${columns} from webhook_deliveries d
   where d.endpoint_id = e.id and d.status = 'retrying' and d.next_attempt_at <= clock_timestamp()
   order by d.next_attempt_at limit w.wanted)
  union all
  (select ${columns} from webhook_deliveries d
   where d.endpoint_id = e.id and d.status = 'pending' and d.sequence > w.after
   order by d.sequence limit w.wanted)`;

/** Selects due deliveries in the order of events, up to the first that is not due. Few wait for a retry. */
const inOrder = `
  select ${columns} from (
    select d.*, bool_or(d.next_attempt_at > clock_timestamp() and d.status = 'retrying')
      over (order by d.sequence, d.id) as is_behind
    from (
      (select * from webhook_deliveries where endpoint_id = e.id and status = 'retrying')
      union all
      (select * from webhook_deliveries where endpoint_id = e.id and status = 'pending'
       order by sequence limit w.wanted)
    ) d
  ) d where not d.is_behind order by d.sequence, d.id limit w.wanted`;

const buildStatement = (due: string) => `
  select e.id as endpoint_id, e.version, d.id, d.event_id, d.sequence, d.type, d.attempts,
    (select ceil(extract(epoch from min(r.next_attempt_at) - clock_timestamp()) * 1000)::int8
     from webhook_deliveries r
     where r.endpoint_id = e.id and r.status = 'retrying' and r.next_attempt_at > clock_timestamp()) as next_retry_in_ms
  from unnest($1::text[], $2::text[], $3::int8[], $4::int4[]) as w (endpoint_id, lease_id, after, wanted)
  join webhook_endpoints e on e.id = w.endpoint_id and e.turn_id = w.lease_id and e.status = 'enabled'
    and e.cancelled_before is null and ${isActive('e.account_id')}
  left join lateral (${due}) d on true`;

const statements = { none: buildStatement(inAnyOrder), fifo: buildStatement(inOrder) };

/**
 * Returns the due deliveries of several endpoints, by endpoint. An endpoint is missing if another lease holds it, if it has
 * deliveries to cancel, or if its account is disabled.
 */
export async function readDue(
  db: Database,
  ordering: keyof typeof statements,
  wants: readonly Want[],
): Promise<Map<string, Due>> {
  const rows = await prepared<DueRow>(db, `read-due-${ordering}`, statements[ordering], [
    wants.map(({ endpointId }) => endpointId),
    wants.map(({ leaseId }) => leaseId),
    wants.map(({ afterSequence }) => afterSequence),
    wants.map(({ limit }) => limit),
  ]);
  const found = new Map<string, Due>();
  for (const { version, nextRetryInMs, ...delivery } of rows) {
    const due = found.get(delivery.endpointId) ?? { version, nextRetryInMs, deliveries: [] };
    if (delivery.id !== null) due.deliveries.push(delivery);
    found.set(delivery.endpointId, due);
  }
  return found;
}

/** Deliveries of each kind that are counted at most. A larger number means a backlog in any case. */
const countedAtMost = 10_000;

/** Counts deliveries that were never tried, and deliveries whose retry is due. */
export async function countOpenDeliveries(db: Database): Promise<{ pending: number; due: number }> {
  const [row] = await prepared<{ pending: number; due: number }>(
    db,
    'count-open-deliveries',
    `select
       (select count(*) from (select from webhook_deliveries where status = 'pending' limit $1) p) as pending,
       (select count(*) from (select next_attempt_at from webhook_deliveries where status = 'retrying' limit $1) r
        where r.next_attempt_at <= clock_timestamp()) as due`,
    [countedAtMost],
  );
  return row ?? { pending: 0, due: 0 };
}
