import type pg from 'pg';
import { publishDeliveries } from '#db/writes/committed-deliveries.ts';
import { newId } from '#db/new-id.ts';
import type { Endpoint } from '../rig/merchants.ts';
import type { WebhookRig } from './webhook-rig.ts';

/** Events and their deliveries, committed at once as if a busy hour had passed. */
export interface Backlog {
  /** Of one account. */
  endpoints: readonly Endpoint[];
  events: number;
  /** Each event goes to all of the endpoints, or to one, by turns. */
  to: 'each' | 'one';
}

/** Commits a backlog, and wakes whom an effect would wake. Resolves at the commit. */
export async function commitBacklog(rig: WebhookRig, backlog: Backlog): Promise<void> {
  const ids = backlog.endpoints.map(({ id }) => id);
  await rig.sql.query('begin');
  await insertBacklog(rig.sql, backlog, ids);
  const { rows } = await rig.sql.query<{ id: string }>(wakeSql, [ids]);
  // The planner would learn of so many rows by itself, in a minute.
  await rig.sql.query('analyze webhook_deliveries, events');
  await rig.sql.query('commit');
  publishDeliveries(rig.db, { endpoints: ids, woken: rows.map(({ id }) => id) });
}

async function insertBacklog(
  sql: pg.Client,
  { endpoints, events, to }: Backlog,
  ids: string[],
): Promise<void> {
  const { rowCount } = await sql.query(insertSql, [
    endpoints[0]?.accountId,
    ids,
    events,
    to === 'each',
    newId('event'),
  ]);
  if (rowCount !== 1) throw new Error('there is no charge whose event could be sent');
}

/** The events to send: of charges that were really made. */
const templates = `
  select e.type, e.resource_id, e.object, row_number() over () - 1 as n, count(*) over () as count
  from (select * from events where type = 'charge.succeeded' order by id limit 40) e`;

/** The time of the last parameter, and 80 random bits. */
const freshId = `'evt_' || substr(new_webhook_delivery_id($5), 4)`;

const insertSql = `
  with template as (${templates}),
  made as materialized (select ${freshId} as id, n from generate_series(1, $3::int) as n),
  written as (
    insert into events (id, account_id, sequence, type, resource_id, object, created_at)
    select m.id, $1, s.sequence + m.n, t.type, t.resource_id, t.object, clock_timestamp()
    from made m join template t on t.n = m.n % t.count join account_sequences s on s.account_id = $1
  ),
  delivered as (
    insert into webhook_deliveries (id, account_id, endpoint_id, event_id, sequence, type, next_attempt_at)
    select new_webhook_delivery_id(m.id), $1, e.id, m.id, s.sequence + m.n, 'charge.succeeded', clock_timestamp()
    from made m
    join unnest($2::text[]) with ordinality as e (id, n) on $4 or e.n - 1 = m.n % cardinality($2)
    join account_sequences s on s.account_id = $1
    order by m.n
  )
  update account_sequences s set sequence = s.sequence + $3::int
  where s.account_id = $1 and exists (select from template)`;

const wakeSql = `
  update webhook_endpoints set awake = true
  where id = any($1::text[]) and not awake and parked_until is null returning id`;

/** Waits until nothing of a backlog that has arrived is open any more. @throws when it is not all delivered. */
export async function untilRecorded({ sql }: WebhookRig, endpoints: readonly Endpoint[]): Promise<void> {
  const ids = endpoints.map(({ id }) => id);
  const giveUpAt = Date.now() + 20_000;
  for (;;) {
    const { rows } = await sql.query<{ open: boolean }>(openSql, [ids]);
    if (!rows[0]?.open) return;
    if (Date.now() > giveUpAt) throw new Error('not all of the backlog was delivered');
  }
}

const openSql = `
  select exists (select from webhook_deliveries
    where endpoint_id = any($1) and status in ('pending', 'retrying')) as open`;
