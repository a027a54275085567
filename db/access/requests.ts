import { hash } from 'node:crypto';
import { shortenKey } from '#domain/idempotency-keys.ts';
import { idTime } from '#domain/ids.ts';
import { prepared, type Database } from '../knex.ts';
import { toCamelCase } from '../prepared-statement.ts';
import { mostScanned, searchPage, type Found, type IdRange, type Page } from '../pages.ts';

/** What callers asked for: writes, and a share of what was refused. No body, query, header or typed path is in it. */

/** How long a request can be read. */
export const requestRetentionMs = 7 * 86_400_000;

/** A member of a body that was wrong. */
export interface RequestError {
  /** RFC 6901. It names members, never what the caller wrote into them. */
  pointer: string;
  code: string;
}

export interface NewRequest {
  id: string;
  accountId: string;
  /** 32 hex digits. */
  traceId: string;
  clientId: string;
  /** The person who asked, through the console. */
  memberId: string | null;
  method: string;
  /** The route's template, such as `/v1/charges/{id}`. */
  route: string;
  /** The id of the resource that the request made or named. */
  resourceId: string | null;
  status: number;
  /** Of the problem that was answered. */
  code: string | null;
  /** The members of the body that were wrong. */
  errors: readonly RequestError[] | null;
  /** The whole key. It is stored, and read again, as its beginning. */
  idempotencyKey: string | null;
  /** Whether the answer was a stored one. */
  isReplayed: boolean;
  durationMs: number;
  /** How many requests the row stands for: itself, and others that were refused alike. */
  count: number;
}

export interface LoggedRequest extends NewRequest {
  /** When it was answered. */
  createdAt: Date;
}

const columns = `id, account_id, trace_id, client_id, method, route, resource_id, status, code, idempotency_key,
  is_replayed, duration_ms, errors, member_id, count`;

/** Inserts requests in one statement. */
export async function insertRequests(db: Database, requests: readonly NewRequest[]): Promise<void> {
  const rows = requests.map(({ idempotencyKey: key, errors, ...request }): Record<string, unknown> => ({
    ...request,
    idempotencyKey: key && toStoredKey(key),
    errors: errors && JSON.stringify(errors),
  }));
  await prepared(
    db,
    'insert-requests',
    `insert into requests (${columns})
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::smallint[], $9::text[], $10::text[], $11::boolean[], $12::real[], $13::json[], $14::text[], $15::integer[])
     on conflict do nothing`,
    columns.split(/,\s+/).map((column) => rows.map((row) => row[toCamelCase(column)])),
  );
}

/** Returns the account's own requests of a trace from the id `from` on, oldest first. */
export async function findRequests(
  db: Database,
  accountId: string,
  traceId: string,
  { from, limit }: { from: string; limit: number },
): Promise<LoggedRequest[]> {
  const rows = await prepared<NewRequest>(
    db,
    'find-requests',
    `select ${columns} from requests where trace_id = $1 and account_id = $2 and id >= $3 order by id limit $4`,
    [traceId, accountId, from, limit],
  );
  return rows.map(toLoggedRequest);
}

/** What a list of requests is narrowed by; each value is exact. */
export interface RequestFilter {
  idempotencyKey?: string | undefined;
  code?: string | undefined;
  status?: number | undefined;
  route?: string | undefined;
  clientId?: string | undefined;
}

/** Searches a page of the account's requests, newest first. A key and a code have an index. */
export async function listRequests(
  db: Database,
  accountId: string,
  filter: RequestFilter,
  range: IdRange,
  page: Page,
  scanned = mostScanned,
): Promise<Found<LoggedRequest>> {
  const { idempotencyKey: key } = filter;
  const list = { name: 'list-requests', select: `select ${columns} from requests`, table: 'requests' };
  const filters = {
    always: [['account_id =', accountId]],
    indexed: [
      ['idempotency_key =', key === undefined ? undefined : toStoredKey(key)],
      ['code =', filter.code],
    ],
    checked: [
      ['status =', filter.status],
      ['route =', filter.route],
      ['client_id =', filter.clientId],
    ],
  } as const;
  const { rows, scannedTo } = await searchPage<NewRequest>(db, list, filters, range, page, scanned);
  return { rows: rows.map(toLoggedRequest), scannedTo };
}

/** Deletes at most `limit` requests with ids below `before`. Returns their number. */
export async function deleteOldRequests(db: Database, before: string, limit: number): Promise<number> {
  const result = await db.raw<{ rowCount: number }>(
    `delete from requests where id in (select id from requests where id < ? order by id limit ?)`,
    [before, limit],
  );
  return result.rowCount;
}

/**
 * Returns a key as it is stored: its beginning, and a hash by which the whole key finds it. Who can read the log, or a copy
 * of the table, can then repeat no request.
 */
function toStoredKey(key: string): string {
  return `${shortenKey(key)}${hash('sha256', key, 'base64url').slice(0, 22)}`;
}

/** Returns the beginning of a stored key. */
function toShownKey(stored: string): string {
  const [beginning, rest] = stored.split('…');
  return rest === undefined ? shortenKey(stored) : `${beginning}…`;
}

/** Adds the time, which is in the request's id. */
function toLoggedRequest({ idempotencyKey: key, ...row }: NewRequest): LoggedRequest {
  return { ...row, idempotencyKey: key && toShownKey(key), createdAt: new Date(idTime(row.id)) };
}
