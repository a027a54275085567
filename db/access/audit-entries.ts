import { idTime } from '#domain/ids.ts';
import { prepared, type Database } from '../knex.ts';
import { newId } from '../new-id.ts';
import { searchPage, type Found, type IdRange, type Page } from '../pages.ts';

/**
 * What was done, and by whom. The entry of a change is made by its statement (`db/writes/authors.ts`,
 * `db/schema/claims.sql`). The functions of this file make those of sign-ins, refusals and repeats, and of what takes many
 * statements: such an entry is committed before what it tells of, and completed after it.
 */

/** How long an entry can be read. */
export const auditRetentionMs = 366 * 86_400_000;

export interface NewAuditEntry {
  /** (Default: a new one) */
  id?: string;
  /** The account that it is about; `null`: the service. */
  accountId: string | null;
  /** Who; `null` if nobody knows, as of a sign-in that failed. */
  memberId: string | null;
  /** The client that acts for itself. (Default: none) */
  clientId?: string | null;
  /** The name of an operator who is no member, as of `npm run admin`. (Default: that of the actor) */
  name?: string;
  /** Plural of the resource and a verb: `charges.capture`, `sessions.start`. */
  action: string;
  /** The id of what it acts on. */
  resourceId: string | null;
  /** 32 hex digits. */
  traceId: string;
  /** Why, in an operator's words. */
  reason?: string | null;
  /** From where somebody signs in: an IP address. (Default: it is not of a sign-in) */
  address?: string | null;
}

/** How it ended. */
export interface AuditOutcome {
  /** Of the answer. */
  status: number;
  /** The id of what it made; what was known before stays if it is `null`. */
  resourceId?: string | null;
  /** Whether the answer was a stored one, so that nothing happened again. */
  isReplayed?: boolean;
}

export interface AuditEntry extends Omit<NewAuditEntry, 'memberId' | 'clientId' | 'name'> {
  id: string;
  actorKind: 'member' | 'operator' | 'client';
  /** The id of a member or a client. */
  actorId: string | null;
  /** The name at the time. */
  actorName: string | null;
  /** `null`: under way, or its end was not seen. */
  status: number | null;
  isReplayed: boolean;
  reason: string | null;
  address: string | null;
  createdAt: Date;
}

/**
 * Inserts an entry, unless it is there. Returns its id.
 *
 * @param outcome if it has ended already.
 */
export async function insertAuditEntry(
  db: Database,
  entry: NewAuditEntry,
  outcome?: AuditOutcome,
): Promise<string> {
  const { id = newId('auditEntry'), clientId = null } = entry;
  await prepared(
    db,
    'insert-audit-entry',
    `insert into audit_entries
       (id, account_id, actor_kind, actor_id, actor_name, action, resource_id, trace_id, status, is_replayed, reason, address)
     select $1, $2, case when c.id is not null then 'client'
         when m.role = 'operator' or $2::text is null or $12::text is not null then 'operator' else 'member' end,
       coalesce($3, $11), coalesce($12, m.name, c.name), $4, $5, $6, $7::smallint, $8, $9, $10::inet
     from (select $3::text as member, $11::text as client) who
     left join members m on m.id = who.member
     left join oauth_clients c on c.id = who.client
     on conflict (id) do nothing`,
    [
      id,
      entry.accountId,
      entry.memberId,
      entry.action,
      outcome?.resourceId ?? entry.resourceId,
      entry.traceId,
      outcome?.status ?? null,
      outcome?.isReplayed ?? false,
      entry.reason ?? null,
      entry.address ?? null,
      clientId,
      entry.name ?? null,
    ],
  );
  return id;
}

/** Completes an entry, once. */
export async function endAuditEntry(
  db: Database,
  id: string,
  { status, resourceId = null, isReplayed = false }: AuditOutcome,
): Promise<void> {
  await prepared(
    db,
    'end-audit-entry',
    `update audit_entries set status = $2::smallint, resource_id = coalesce($3, resource_id), is_replayed = $4
     where id = $1 and status is null`,
    [id, status, resourceId, isReplayed],
  );
}

const columns = `id, account_id, actor_kind, actor_id, actor_name, action, resource_id, trace_id, status, is_replayed,
  reason, host(address) as address`;

/** What a list of entries is narrowed by. */
export interface AuditFilter extends IdRange {
  actor?: string | undefined;
  action?: string | undefined;
  /** On any of these ids. */
  resources?: readonly string[] | undefined;
}

/**
 * Searches a page of the entries, newest first.
 *
 * @param accountId of one account; `null`: of all accounts and of the service.
 */
export async function listAuditEntries(
  db: Database,
  accountId: string | null,
  { actor, action, resources, ...range }: AuditFilter,
  page: Page,
): Promise<Found<AuditEntry>> {
  const hasIndex = actor !== undefined || resources !== undefined;
  const list = {
    // The order of the conditions differs, so each of the two has statements of its own.
    name: hasIndex ? 'list-audit-entries-by-index' : 'list-audit-entries',
    select: `select ${columns} from audit_entries`,
    table: 'audit_entries',
  };
  const ofAccount = ['account_id =', accountId] as const;
  const filters = {
    // An index of actors or resources does not have the account. All rows of one are few.
    always: hasIndex ? [] : [ofAccount],
    indexed: [['actor_id =', actor]],
    anyOf: { column: 'resource_id', values: resources },
    checked: [['action =', action], ...(hasIndex ? [ofAccount] : [])],
  } as const;
  const { rows, scannedTo } = await searchPage<Omit<AuditEntry, 'createdAt'>>(db, list, filters, range, page);
  return { rows: rows.map((row) => ({ ...row, createdAt: new Date(idTime(row.id)) })), scannedTo };
}

/** Deletes at most `limit` entries with ids below `before`. Returns their number. */
export async function deleteOldAuditEntries(db: Database, before: string, limit: number): Promise<number> {
  const deleted = await prepared(
    db,
    'delete-old-audit-entries',
    // The setting lets this one statement delete entries (`db/schema/audit.sql`).
    `delete from audit_entries where (select set_config('payments.retention', 'on', true)) = 'on'
       and id in (select id from audit_entries where id < $1 order by id limit $2)
     returning id`,
    [before, limit],
  );
  return deleted.length;
}
