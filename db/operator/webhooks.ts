import { idTime } from '#domain/ids.ts';
import { prepared, type Database } from '../knex.ts';
import type { Page } from '../pages.ts';
import type { Backlog } from './unknown-outcomes.ts';

/** Webhooks that do not arrive, of all accounts: dead letters, and endpoints that fail. */

export interface DeadLetter {
  id: string;
  account: { id: string; name: string };
  endpointId: string;
  eventId: string;
  type: string;
  attempts: number;
  /** Of the event. */
  createdAt: Date;
  /** Of its last attempt. */
  updatedAt: Date;
}

const letterColumns = `d.id, d.account_id, d.endpoint_id, d.event_id, d.type, d.attempts, d.updated_at`;

/** Selects dead letters of all accounts, and those of one: of each of its endpoints, of which there are at most 100. */
const deadLetters = {
  all: `select ${letterColumns} from webhook_deliveries d
    where d.status = 'dead_letter' and d.id < $1 order by d.id desc limit $2`,
  account: `select d.* from webhook_endpoints e cross join lateral (
      select ${letterColumns} from webhook_deliveries d
      where d.endpoint_id = e.id and d.status = 'dead_letter' and d.id < $1 order by d.id desc limit $2) d
    where e.account_id = $3 and e.deleted_at is null order by d.id desc limit $2`,
};

/** Returns a page of deliveries whose last attempt failed, newest first. */
export async function listDeadLetters(
  db: Database,
  accountId: string | undefined,
  { after, limit }: Page,
): Promise<DeadLetter[]> {
  const of = accountId === undefined ? 'all' : 'account';
  const rows = await prepared<Omit<DeadLetter, 'createdAt'>>(
    db,
    `list-dead-letters-${of}`,
    `select d.id, json_build_object('id', a.id, 'name', a.name) as account, d.endpoint_id, d.event_id, d.type, d.attempts,
       d.updated_at
     from (${deadLetters[of]}) d join accounts a on a.id = d.account_id order by d.id desc`,
    [after ?? '~', limit, ...(accountId === undefined ? [] : [accountId])],
  );
  return rows.map((row) => ({ ...row, createdAt: new Date(idTime(row.id)) }));
}

/** Counts dead letters of events from the id `from` on, up to `most`, and their accounts. */
export async function countDeadLetters(
  db: Database,
  from: string,
  most: number,
): Promise<{ count: number; accounts: number }> {
  const [row] = await prepared<{ count: number; accounts: number }>(
    db,
    'count-dead-letters',
    `select count(*)::int as count, count(distinct account_id)::int as accounts from (
       select account_id from webhook_deliveries where status = 'dead_letter' and id >= $1 order by id limit $2) d`,
    [from, most],
  );
  return row ?? { count: 0, accounts: 0 };
}

export interface FailingEndpoint {
  id: string;
  account: { id: string; name: string };
  failingSince: Date;
  /** It sleeps until then; `null`: it is not parked. */
  parkedUntil: Date | null;
  /** When it will be disabled if it fails until then. */
  disabledAt: Date;
  /** {at, status_code, message} */
  lastFailure: { at: string; status_code: number | null; message: string } | null;
  /** Events that wait, up to a bound. */
  waiting: number;
  /** Of the list. */
  position: string;
}

/** Waiting events that are counted for each endpoint of a page. */
export const waitingCounted = 1_000;

const isFailing = `e.failing_since is not null and e.status = 'enabled'`;

/** Returns a page of enabled endpoints that fail, those first that have failed for longest. */
export function listFailingEndpoints(
  db: Database,
  accountId: string | undefined,
  { after, limit }: Page,
): Promise<FailingEndpoint[]> {
  const [since = null, id = null] = after?.split(' ') ?? [];
  return prepared<FailingEndpoint & Record<string, unknown>>(
    db,
    'list-failing-endpoints',
    `select e.id, json_build_object('id', a.id, 'name', a.name) as account, e.failing_since, e.last_failure,
       case when e.parked_until > statement_timestamp() then e.parked_until end as parked_until,
       e.failing_since + a.webhook_disable_after_ms * interval '1 millisecond' as disabled_at,
       (extract(epoch from e.failing_since) * 1000000)::int8::text || ' ' || e.id as position, (
         select count(*) from (
           select from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending' limit ${waitingCounted}
         ) w)::int as waiting
     from webhook_endpoints e join accounts a on a.id = e.account_id
     where ${isFailing} and ($1::text is null or e.account_id = $1)
       and ($2::int8 is null or (e.failing_since, e.id) > (to_timestamp($2::int8 / 1000000.0), $3))
     order by e.failing_since, e.id limit $4`,
    [accountId ?? null, since, id, limit],
  );
}

/** Counts enabled endpoints that fail, up to `most`, and those that are parked. */
export async function countFailingEndpoints(
  db: Database,
  most: number,
): Promise<{ failing: Backlog; parked: number }> {
  const [row] = await prepared<Backlog & { parked: number } & Record<string, unknown>>(
    db,
    'count-failing-endpoints',
    `select count(*)::int as count, min(failing_since) as oldest_at,
       (count(*) filter (where parked_until > statement_timestamp()))::int as parked
     from (select failing_since, parked_until from webhook_endpoints e where ${isFailing}
       order by failing_since, id limit $1) x`,
    [most],
  );
  const { count = 0, oldestAt = null, parked = 0 } = row ?? {};
  return { failing: { count, oldestAt }, parked };
}
