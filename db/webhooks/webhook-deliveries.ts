import { idTime } from '#domain/ids.ts';
import {
  deliveryStatuses,
  openDeliveryStatuses,
  type DeliveryStatus,
  type WebhookAttempt,
  type WebhookDelivery,
} from '#domain/webhook-deliveries.ts';
import type { WebhookEndpoint } from '#domain/webhook-endpoints.ts';
import type { Change } from '../writes/effects.ts';
import { prepared, type Database } from '../knex.ts';
import { mostScanned, type Found, type IdRange, type Page } from '../pages.ts';

/** Reads, replays and cancels deliveries. Effects make them, with their events (`effects.ts`). */

const columns = `d.id, d.account_id, d.endpoint_id, d.event_id, d.sequence, d.type, d.status, d.attempts,
  d.next_attempt_at, d.is_replay, d.replay_of, d.updated_at`;

type WebhookDeliveryRow = Omit<WebhookDelivery, 'createdAt'>;

/** Adds the time, which is in the delivery's id. */
function toWebhookDelivery(row: WebhookDeliveryRow): WebhookDelivery {
  return { ...row, createdAt: new Date(idTime(row.id)) };
}

/** The state of an endpoint that decides which open deliveries count as cancelled, before {@link cancelDeliveries} writes it. */
type Cutoff = Pick<WebhookEndpoint, 'status' | 'cancelledBefore'>;

function isCancelled(delivery: WebhookDelivery, { status, cancelledBefore }: Cutoff): boolean {
  const isOpen = openDeliveryStatuses.some((open) => open === delivery.status);
  return isOpen && (status === 'disabled' || (cancelledBefore !== null && delivery.id < cancelledBefore));
}

function applyCutoff(cutoff: Cutoff, delivery: WebhookDelivery): WebhookDelivery {
  if (!isCancelled(delivery, cutoff)) return delivery;
  return { ...delivery, status: 'cancelled', nextAttemptAt: null };
}

/** Returns the account's own delivery. */
export async function findWebhookDelivery(
  db: Database,
  accountId: string,
  id: string,
): Promise<WebhookDelivery | null> {
  const [row] = await prepared<WebhookDeliveryRow & { cutoff: Cutoff }>(
    db,
    'find-webhook-delivery',
    `select ${columns}, json_build_object('status', e.status, 'cancelledBefore', e.cancelled_before) as cutoff
     from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
     where d.id = $1 and d.account_id = $2`,
    [id, accountId],
  );
  if (!row) return null;
  const { cutoff, ...delivery } = row;
  return applyCutoff(cutoff, toWebhookDelivery(delivery));
}

/** Returns all attempts of a delivery, oldest first: at most as many as the account's schedule has. */
export async function listWebhookAttempts(db: Database, deliveryId: string): Promise<WebhookAttempt[]> {
  return prepared<WebhookAttempt>(
    db,
    'list-webhook-attempts',
    `select number, at, status_code, latency_ms, error, response_body from webhook_attempts
     where delivery_id = $1 order by number`,
    [deliveryId],
  );
}

export interface WebhookDeliveryFilter extends IdRange {
  /** Any of them. (Default: all) */
  statuses?: readonly DeliveryStatus[] | undefined;
  /** Only what this event made itself, not its replays. (Default: of every event) */
  eventId?: string | undefined;
  /** Of any of these types of events; no index has them, so {@link searchWebhookDeliveries} bounds the search. (Default: all) */
  types?: readonly string[] | undefined;
}

/** An endpoint as lists of its deliveries need it. */
type ListedEndpoint = Pick<WebhookEndpoint, 'id'> & Cutoff;

/** Rows of one endpoint: a stored status, and a range of ids. */
interface Slice {
  endpointId: string;
  status: DeliveryStatus;
  from: string;
  before: string;
}

/** Greater than each id. */
const end = '~';

/** Returns the rows of an endpoint that read as one of the wanted statuses. */
function toSlices(endpoint: ListedEndpoint, wanted: WebhookDeliveryFilter['statuses']): Slice[] {
  const { id: endpointId } = endpoint;
  const whole = { endpointId, from: '', before: end };
  if (wanted === undefined) return deliveryStatuses.map((status) => ({ ...whole, status }));
  const cutoff = endpoint.status === 'disabled' ? end : (endpoint.cancelledBefore ?? '');
  return wanted.flatMap((status): Slice[] => {
    if (status === 'pending' || status === 'retrying') return [{ ...whole, status, from: cutoff }];
    if (status !== 'cancelled' || cutoff === '') return [{ ...whole, status }];
    const open = openDeliveryStatuses.map((stored) => ({ ...whole, status: stored, before: cutoff }));
    return [{ ...whole, status }, ...open];
  });
}

/** Returns the account's endpoints that are not deleted, of which there are at most 100. */
export async function findListedEndpoints(db: Database, accountId: string): Promise<ListedEndpoint[]> {
  return prepared<ListedEndpoint>(
    db,
    'find-listed-endpoints',
    `select id, status, cancelled_before from webhook_endpoints where account_id = $1 and deleted_at is null`,
    [accountId],
  );
}

/**
 * Returns a page of the endpoints' deliveries, newest first. Each status of each endpoint has its range of the index, and
 * the ranges are merged. So one index serves the lists of an endpoint and of an account, with filters and without.
 */
export async function listWebhookDeliveries(
  db: Database,
  endpoints: readonly ListedEndpoint[],
  filter: WebhookDeliveryFilter,
  page: Page,
): Promise<WebhookDelivery[]> {
  const rows = await prepared<WebhookDeliveryRow>(db, 'list-webhook-deliveries', listSql, [
    ...toRanges(endpoints, filter, page),
    page.limit,
    filter.eventId ?? null,
    filter.types ?? null,
  ]);
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return rows.map(toWebhookDelivery).map((delivery) => {
    const endpoint = byId.get(delivery.endpointId);
    return endpoint ? applyCutoff(endpoint, delivery) : delivery;
  });
}

/** Returns the ranges of the index that hold the page, as the first four parameters of {@link listSql}. */
function toRanges(
  endpoints: readonly ListedEndpoint[],
  filter: WebhookDeliveryFilter,
  { after }: Pick<Page, 'after'>,
): string[][] {
  const slices = endpoints.flatMap((endpoint) => toSlices(endpoint, filter.statuses));
  const before = smallest(filter.before ?? end, after ?? end);
  return [
    slices.map(({ endpointId }) => endpointId),
    slices.map(({ status }) => status),
    slices.map(({ from }) => largest(from, filter.from ?? '')),
    slices.map((slice) => smallest(before, slice.before)),
  ];
}

const largest = (a: string, b: string) => (a > b ? a : b);
const smallest = (a: string, b: string) => (a < b ? a : b);

export const listSql = `
  select ${columns} from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as slice (endpoint, status, first, before)
  cross join lateral (
    select * from webhook_deliveries d
    where d.endpoint_id = slice.endpoint and d.status = slice.status and d.id >= slice.first and d.id < slice.before
      and ($6::text is null or (d.event_id = $6 and not d.is_replay))
      and ($7::text[] is null or d.type = any ($7))
    order by d.id desc limit $5
  ) d
  order by d.id desc limit $5`;

/**
 * Returns a page as {@link listWebhookDeliveries} does. Types are looked for in a bounded number of rows, so that a rare one
 * costs no more than that; an index of types would cost every delivery.
 */
export async function searchWebhookDeliveries(
  db: Database,
  endpoints: readonly ListedEndpoint[],
  filter: WebhookDeliveryFilter,
  page: Page,
  scanned = mostScanned,
): Promise<Found<WebhookDelivery>> {
  const ranges = toRanges(endpoints, filter, page);
  const each = Math.max(1, Math.floor(scanned / Math.max(1, ranges[0]!.length)));
  const scannedTo = filter.types ? await findScanEnd(db, ranges, each) : null;
  const from = largest(filter.from ?? '', scannedTo ?? '');
  return { rows: await listWebhookDeliveries(db, endpoints, { ...filter, from }, page), scannedTo };
}

/** Returns the highest of the ids that are the `scanned`-th of their range; `null` if each range has fewer rows. */
async function findScanEnd(
  db: Database,
  ranges: readonly string[][],
  scanned: number,
): Promise<string | null> {
  const [row] = await prepared<{ id: string | null }>(
    db,
    'find-delivery-scan-end',
    `select max(d.id) as id from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as slice (endpoint, status, first, before)
     cross join lateral (
       select d.id from webhook_deliveries d
       where d.endpoint_id = slice.endpoint and d.status = slice.status and d.id >= slice.first and d.id < slice.before
       order by d.id desc limit 1 offset $5
     ) d`,
    [...ranges, scanned - 1],
  );
  return row?.id ?? null;
}

/** Builds the change that makes another delivery of the same event. It changes nothing if the endpoint is disabled. */
export function buildReplay(read: WebhookDelivery, id: string): Change {
  return {
    name: 'replay-webhook-delivery',
    sql: `
      insert into webhook_deliveries
        (id, account_id, endpoint_id, event_id, sequence, type, next_attempt_at, is_replay, replay_of)
      select $1, d.account_id, d.endpoint_id, d.event_id, d.sequence, d.type, clock_timestamp(), true, d.id
      from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      where d.id = $2 and e.status = 'enabled'
      returning id, account_id`,
    values: [id, read.id],
  };
}

/** Builds the change for a test event. It selects the endpoint without a change; no row if it is disabled. */
export function buildTest(endpoint: Pick<WebhookEndpoint, 'id'>): Change {
  return {
    name: 'test-webhook-endpoint',
    sql: `select id, account_id from webhook_endpoints where id = $1 and status = 'enabled'`,
    values: [endpoint.id],
  };
}

/**
 * Cancels at most `limit` open deliveries of an endpoint: all of them if it is disabled, else those from before it was.
 * Returns `true` if none is left, and clears `cancelled_before` then.
 *
 * Disabling or deleting an endpoint sets `cancelled_before`. Reads honour it at once, so no single statement has to cancel a
 * million rows.
 */
export async function cancelDeliveries(db: Database, endpointId: string, limit: number): Promise<boolean> {
  const [row] = await prepared<{ count: number }>(
    db,
    'cancel-webhook-deliveries',
    `with cutoff as (
       select id, case when status = 'disabled' then '${end}' else cancelled_before end as before
       from webhook_endpoints where id = $1
     ), cancellable as (
       (select d.id from webhook_deliveries d, cutoff
        where d.endpoint_id = cutoff.id and d.status = 'pending' and d.id < cutoff.before order by d.sequence limit $2)
       union all
       (select d.id from webhook_deliveries d, cutoff
        where d.endpoint_id = cutoff.id and d.status = 'retrying' and d.id < cutoff.before limit $2)
     ), cancelled as (
       update webhook_deliveries d set status = 'cancelled', next_attempt_at = null, updated_at = clock_timestamp()
       -- an array, so that the ids are looked up: joined, all of the table would be read for each batch
       where d.id = any (array(select id from cancellable)) and d.status in ('pending', 'retrying')
       returning d.id
     )
     select count(*) from cancelled`,
    [endpointId, limit],
  );
  if ((row?.count ?? 0) >= limit) return false;
  await prepared(
    db,
    'end-webhook-cancelling',
    `update webhook_endpoints e set cancelled_before = null
     where e.id = $1 and not exists (
       select from webhook_deliveries d
       where d.endpoint_id = e.id and d.status in ('pending', 'retrying') and d.id < e.cancelled_before)`,
    [endpointId],
  );
  return true;
}
