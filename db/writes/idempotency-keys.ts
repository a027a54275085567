import type { RenderedAnswer } from '#domain/answers.ts';
import { resourcePath, type KeyUse } from '#domain/idempotency-keys.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { listValues } from '../columns.ts';
import { decryptSecret, encryptSecret, type SecretsKeys } from '../encryption.ts';
import { hasRow, prepared, type Database } from '../knex.ts';
import { isRepaired, requireRepaired } from '../restores.ts';
import type { Author } from './authors.ts';
import { retainedFrom } from './key-retention.ts';

/**
 * Claims: the request of an Idempotency-Key, the resource it makes, and the stored answer (`docs/architecture.md`,
 * "Begin").
 */

/** A claim to be made. */
export interface NewClaim {
  claimId: string;
  accountId: string;
  /** Method and route template. */
  endpoint: string;
  key: string;
  /** SHA-256 over method, concrete path and canonical body. */
  fingerprint: Buffer;
  /** The valid request. Begin makes the row from it. */
  request: object;
  resourceId: string;
  apiVersion: ApiVersion;
  path: string;
  traceId: string;
  /** Whose entry the audit gets with the answer. (Default: it gets none) */
  author?: Author | undefined;
  /** How long it may wait for its begin, in milliseconds. */
  startWithinMs: number;
}

/** A stored answer. A replay repeats it byte for byte. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** The body shows a secret, and is encrypted. */
  isEncrypted?: boolean;
}

/**
 * Whether the answer was erased: with a customer whose data it showed (`db/payments/customers.ts`). Every other answer has
 * a body.
 */
export function isErased({ body }: StoredAnswer): boolean {
  return body.length === 0;
}

const toSealContext = (claimId: string) => `idempotency_keys/${claimId}`;

/** Encrypts an answer that shows a secret, for its own claim. */
export function sealAnswer(secretsKey: SecretsKeys, claimId: string, answer: StoredAnswer): StoredAnswer {
  return {
    ...answer,
    body: encryptSecret(secretsKey, toSealContext(claimId), answer.body.toString()),
    isEncrypted: true,
  };
}

/** Decrypts an answer of {@link sealAnswer}. */
export function openAnswer(secretsKey: SecretsKeys, claimId: string, answer: StoredAnswer): StoredAnswer {
  const { isEncrypted: _sealed, ...rest } = answer;
  return { ...rest, body: Buffer.from(decryptSecret(secretsKey, toSealContext(claimId), answer.body)) };
}

/** Returns the answer as it is stored. */
export function toStoredAnswer({ status, headers, text }: RenderedAnswer): StoredAnswer {
  return { status, headers, body: Buffer.from(text) };
}

export interface Claim {
  claimId: string;
  fingerprint: Buffer;
  resourceId: string;
  apiVersion: ApiVersion;
  begun: boolean;
  /** Who made it; `null`: the write is not audited. */
  actorId: string | null;
  answer: StoredAnswer | null;
}

interface ClaimRow extends Omit<Claim, 'answer'> {
  answerStatus: number | null;
  answerHeaders: Record<string, string> | null;
  answerBody: Buffer | null;
  answerEncrypted: boolean;
}

const columns = `claim_id, fingerprint, resource_id, api_version, begun_at is not null as begun, actor_id,
  answer_status, answer_headers, answer_body, answer_encrypted`;

function toClaim({ answerStatus, answerHeaders, answerBody, answerEncrypted, ...claim }: ClaimRow): Claim {
  if (answerStatus === null || answerBody === null) return { ...claim, answer: null };
  const answer = { status: answerStatus, headers: answerHeaders ?? {}, body: answerBody };
  return { ...claim, answer: { ...answer, isEncrypted: answerEncrypted } };
}

/** A claim, and whether this call made it (`fresh`). */
export interface FoundClaim extends Claim {
  fresh: boolean;
}

/**
 * Finds or creates the claim of a key. A claim that can no longer begin is replaced. Returns `null` if another request took
 * the key meanwhile; call again.
 *
 * It is one statement, by the clock of Postgres, so concurrent calls get the same claim. It only reads a key that is taken.
 *
 * @throws {WritesHeldError} for a key that is free, while a restore of the database waits for its repair.
 */
export async function findOrCreateClaim(db: Database, claim: NewClaim): Promise<FoundClaim | null> {
  const [row] = await prepared<ClaimRow & { fresh: boolean }>(
    db,
    'find-or-create-claim',
    `with found as (
       select ${columns} from idempotency_keys
       where account_id = $1 and endpoint = $2 and key = $3
         and (begun_at is not null or start_by > clock_timestamp())
     ), claimed as (
       insert into idempotency_keys as old
         (account_id, endpoint, key, claim_id, fingerprint, request, resource_id, api_version, path, trace_id, start_by,
          actor_id, audit_id, action)
       select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp() + $11 * interval '1 millisecond', $12, $13, $14
       where not exists (select from found) and ${isRepaired}
       on conflict (account_id, endpoint, key) do update set
         claim_id = excluded.claim_id, fingerprint = excluded.fingerprint, request = excluded.request,
         resource_id = excluded.resource_id, api_version = excluded.api_version, path = excluded.path,
         trace_id = excluded.trace_id, start_by = excluded.start_by, created_at = excluded.created_at,
         actor_id = excluded.actor_id, audit_id = excluded.audit_id, action = excluded.action
       where old.begun_at is null and old.start_by <= clock_timestamp()
       returning ${columns}
     )
     select *, false as fresh from found union all select *, true from claimed`,
    [
      claim.accountId,
      claim.endpoint,
      claim.key,
      claim.claimId,
      claim.fingerprint,
      JSON.stringify(claim.request),
      claim.resourceId,
      claim.apiVersion,
      claim.path,
      claim.traceId,
      claim.startWithinMs,
      ...authorValues(claim),
    ],
  );
  if (row) return { ...toClaim(row), fresh: row.fresh };
  await requireRepaired(db);
  return null;
}

const identityColumns =
  'account_id, endpoint, key, claim_id, fingerprint, resource_id, api_version, path, trace_id';

/**
 * Creates a claim together with its answer, for a command on a terminal charge. A claim that can no longer begin is replaced.
 * Returns `null` if the key is taken.
 */
export async function createAnsweredClaim(
  db: Database,
  claim: NewClaim,
  answer: StoredAnswer,
): Promise<FoundClaim | null> {
  const [row] = await prepared<ClaimRow>(
    db,
    'create-answered-claim',
    `insert into idempotency_keys as old
       (${identityColumns}, start_by,
        begun_at, answered_at, answer_status, answer_headers, answer_body, actor_id, audit_id, action)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp(), clock_timestamp(), clock_timestamp(), $10, $11, $12,
       $13, $14, $15)
     on conflict (account_id, endpoint, key) do update set
       claim_id = excluded.claim_id, fingerprint = excluded.fingerprint, request = null,
       resource_id = excluded.resource_id, api_version = excluded.api_version, path = excluded.path,
       trace_id = excluded.trace_id, start_by = excluded.start_by, created_at = excluded.created_at,
       begun_at = excluded.begun_at, answered_at = excluded.answered_at, answer_status = excluded.answer_status,
       answer_headers = excluded.answer_headers, answer_body = excluded.answer_body,
       actor_id = excluded.actor_id, audit_id = excluded.audit_id, action = excluded.action
     where old.begun_at is null and old.start_by <= clock_timestamp()
     returning ${columns}`,
    [
      ...listValues(identityColumns, claim),
      answer.status,
      answer.headers,
      answer.body,
      ...authorValues(claim),
    ],
  );
  return row ? { ...toClaim(row), fresh: true } : null;
}

/** Returns the author that the claim's row has. Nobody asks who made a claim that the audit does not want: it has none. */
export function recordedAuthor({ author }: NewClaim): Author | null {
  return author && author.auditId !== null ? author : null;
}

function authorValues(claim: NewClaim): unknown[] {
  const { actorId = null, auditId = null, action = null } = recordedAuthor(claim) ?? {};
  return [actorId, auditId, action];
}

/** Returns the claim of the key, or `null` if there is none, or none that can still begin. */
export async function findClaimByKey(
  db: Database,
  accountId: string,
  endpoint: string,
  key: string,
): Promise<Claim | null> {
  const [row] = await prepared<ClaimRow>(
    db,
    'find-claim-by-key',
    `select ${columns} from idempotency_keys
     where account_id = $1 and endpoint = $2 and key = $3
       and (begun_at is not null or start_by > clock_timestamp())`,
    [accountId, endpoint, key],
  );
  return row ? toClaim(row) : null;
}

interface KeyUseRow extends Omit<KeyUse, 'resource'> {
  location: string | null;
  resourceId: string;
  isThere: boolean;
}

/**
 * Returns each use of a key in the account, oldest first. A claim that can no longer begin was no use.
 *
 * @param retentionMs how long a use is kept at least.
 */
export async function findKeyUses(
  db: Database,
  accountId: string,
  key: string,
  retentionMs: number,
): Promise<KeyUse[]> {
  const rows = await prepared<KeyUseRow>(
    db,
    'find-key-uses',
    // A claim that has not begun made no resource. Neither did a refusal that does not name one.
    `select endpoint, answered_at is not null as is_done, created_at as since,
       case when answered_at is null or ${retainedFrom('k')} = 'infinity' then clock_timestamp()
         else ${retainedFrom('k')} end + $3 * interval '1 millisecond' as until,
       answer_headers->>'location' as location, resource_id,
       case when answered_at is null then begun_at is not null
            when answer_encrypted or answer_body = '' then true
            else position(convert_to(resource_id, 'UTF8') in answer_body) > 0 end as is_there
     from idempotency_keys k
     where account_id = $1 and key = $2 and (begun_at is not null or start_by > clock_timestamp())
     order by created_at, endpoint`,
    [accountId, key, retentionMs],
  );
  return rows.map(({ location, resourceId, isThere, ...use }) => ({
    ...use,
    resource: location ?? (isThere ? resourcePath(resourceId) : null),
  }));
}

/** Returns the claim, or `null` if there is none. */
export async function findClaim(db: Database, claimId: string): Promise<Claim | null> {
  const [row] = await prepared<ClaimRow>(
    db,
    'find-claim',
    `select ${columns} from idempotency_keys where claim_id = $1`,
    [claimId],
  );
  return row ? toClaim(row) : null;
}

/** Deletes a claim that has not begun, so that nothing can happen under it. Returns `false` if it has begun, or is gone. */
export function releaseClaim(db: Database, claimId: string): Promise<boolean> {
  return hasRow(
    db,
    'release-claim',
    `delete from idempotency_keys where claim_id = $1 and begun_at is null returning claim_id`,
    [claimId],
  );
}

/** Stores the answer of a begun claim. Returns `false` if it has one, or is gone. */
export function storeAnswer(db: Database, claimId: string, answer: StoredAnswer): Promise<boolean> {
  return hasRow(
    db,
    'store-answer',
    `update idempotency_keys
     set answered_at = clock_timestamp(), answer_status = $2, answer_headers = $3, answer_body = $4, request = null
     where claim_id = $1 and answered_at is null and begun_at is not null
     returning claim_id`,
    [claimId, answer.status, answer.headers, answer.body],
  );
}

/** Begins a claim together with its answer, unless it has an answer. Only for writes that are safe to repeat. */
export async function answerClaim(db: Database, claimId: string, answer: StoredAnswer): Promise<void> {
  await prepared(
    db,
    'answer-claim',
    `update idempotency_keys
     set begun_at = coalesce(begun_at, clock_timestamp()), answered_at = clock_timestamp(), answer_status = $2,
         answer_headers = $3, answer_body = $4, request = null
     where claim_id = $1 and answered_at is null`,
    [claimId, answer.status, answer.headers, answer.body],
  );
}

/** Deletes at most `limit` claims that never began and no longer can. Returns how many. */
export async function deleteStaleClaims(db: Database, limit: number): Promise<number> {
  const deleted = await prepared(
    db,
    'delete-stale-claims',
    `delete from idempotency_keys where begun_at is null and claim_id in (
       select claim_id from idempotency_keys
       where begun_at is null and start_by < statement_timestamp() - interval '1 second'
       order by start_by limit $1 for update skip locked)
     returning claim_id`,
    [limit],
  );
  return deleted.length;
}
