import type { WebhookEndpoint } from '#domain/webhook-endpoints.ts';
import { decryptSecret, encryptSecret, type SecretsKeys } from '../encryption.ts';
import { listValues, setColumns } from '../columns.ts';
import { prepared, type Database } from '../knex.ts';
import { readPage, type IdRange, type Page } from '../pages.ts';
import type { Change } from '../writes/effects.ts';

interface WebhookEndpointRow extends Omit<WebhookEndpoint, 'lastFailure' | 'secrets'> {
  lastFailure: { at: string; status_code: number | null; message: string } | null;
  secrets: { id: string; createdAt: string; expiresAt: string | null }[];
}

/** Columns of `webhook_endpoints e`. One statement reads its secrets too, so they belong to its version. */
const columns = `e.id, e.account_id, e.url, e.events, e.status, e.disabled_reason, e.description, e.metadata,
  e.api_version, e.ordering, e.failing_since, e.last_failure, e.created_at, e.updated_at, e.deleted_at,
  e.cancelled_before, e.version, e.parked_until,
  case when e.status = 'enabled' then (
    select e.failing_since + a.webhook_disable_after_ms * interval '1 ms' from accounts a where a.id = e.account_id
  ) end as disables_at, (
  select coalesce(json_agg(json_build_object('id', s.id, 'createdAt', s.created_at, 'expiresAt', s.expires_at)
    order by s.id desc), '[]')
  from webhook_secrets s
  where s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > clock_timestamp())) as secrets`;

function toWebhookEndpoint({ lastFailure, secrets, ...row }: WebhookEndpointRow): WebhookEndpoint {
  return {
    ...row,
    lastFailure: lastFailure && {
      at: new Date(lastFailure.at),
      statusCode: lastFailure.status_code,
      message: lastFailure.message,
    },
    secrets: secrets.map(({ id, createdAt, expiresAt }) => ({
      id,
      createdAt: new Date(createdAt),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    })),
  };
}

/** Returns the account's own endpoint, also if it was deleted. */
export async function findWebhookEndpoint(
  db: Database,
  accountId: string,
  id: string,
): Promise<WebhookEndpoint | null> {
  const [row] = await prepared<WebhookEndpointRow>(
    db,
    'find-webhook-endpoint',
    `select ${columns} from webhook_endpoints e where e.id = $1 and e.account_id = $2`,
    [id, accountId],
  );
  return row ? toWebhookEndpoint(row) : null;
}

/** The endpoints of an account that are not deleted. */
export interface EndpointSet {
  /** Grows with each endpoint that is added, and each that begins to deliver to a URL. */
  version: number;
  endpoints: Pick<WebhookEndpoint, 'id' | 'url' | 'status'>[];
}

/** Returns the endpoints that limits count. */
export async function findEndpointSet(db: Database, accountId: string): Promise<EndpointSet> {
  const [set] = await prepared<EndpointSet>(
    db,
    'find-webhook-endpoint-set',
    `select a.webhook_endpoints_version as version, (
       select coalesce(json_agg(json_build_object('id', e.id, 'url', e.url, 'status', e.status)), '[]')
       from webhook_endpoints e where e.account_id = a.id and e.deleted_at is null) as endpoints
     from accounts a where a.id = $1`,
    [accountId],
  );
  if (!set) throw new Error(`Account ${accountId} does not exist`);
  return set;
}

/** Returns a table that has a row only if the set is as it was read: of two changes at once the second one finds none. */
const guardSet = (account: string, version: string) => `
  guard as (
    update accounts set webhook_endpoints_version = webhook_endpoints_version + 1
    where id = ${account} and webhook_endpoints_version = ${version}
    returning id
  )`;

/** Returns a page of the account's endpoints that are not deleted, newest first. */
export async function listWebhookEndpoints(
  db: Database,
  accountId: string,
  range: IdRange,
  page: Page,
): Promise<WebhookEndpoint[]> {
  const list = { name: 'list-webhook-endpoints', select: `select ${columns} from webhook_endpoints e` };
  const isListed = ['deleted_at is null and account_id =', accountId] as const;
  return (await readPage<WebhookEndpointRow>(db, list, [isListed], range, page)).map(toWebhookEndpoint);
}

/** A secret to be stored. */
export interface NewWebhookSecret {
  id: string;
  /** Encrypted. */
  sealed: Buffer;
}

const madeColumns = 'url, description, metadata, api_version, ordering, events, created_at';

/** Builds the change that creates an endpoint with its first secret, if the set is as it was read. */
export function buildEndpointCreation(
  endpoint: WebhookEndpoint,
  secret: NewWebhookSecret,
  setVersion: number,
): Change {
  return {
    name: 'create-webhook-endpoint',
    first: guardSet('$2', '$12'),
    sql: `
      insert into webhook_endpoints (id, account_id, ${madeColumns}, updated_at)
      select $1, $2, $3, $4, $5::json, $6, $7, $8::text[], $9::timestamptz, $9::timestamptz from guard
      returning id, account_id`,
    values: [
      endpoint.id,
      endpoint.accountId,
      ...listValues(madeColumns, endpoint),
      secret.id,
      secret.sealed,
      setVersion,
    ],
    along: {
      kept: `
        insert into webhook_secrets (id, endpoint_id, secret, created_at)
        select $10, moved.id, $11::bytea, $9::timestamptz from moved
        returning 1`,
    },
  };
}

const changedColumns =
  'url, events, status, disabled_reason, description, metadata, api_version, ordering, failing_since, cancelled_before, updated_at';
/** The endpoint in the version that was read, which is not deleted. */
const where = 'where e.id = $1 and e.version = $2 and e.deleted_at is null returning e.id, e.account_id';

/**
 * Builds the change that writes an endpoint, if nobody changed it since it was read. The caller signals its workflow, also
 * while the endpoint is parked.
 *
 * @param setVersion the set must be as it was read; `null`: the change counts towards no limit.
 */
export function buildEndpointChange(
  read: WebhookEndpoint,
  changed: WebhookEndpoint,
  setVersion: number | null,
): Change {
  const isGuarded = setVersion !== null;
  return {
    name: isGuarded ? 'change-webhook-endpoint-of-set' : 'change-webhook-endpoint',
    ...(isGuarded && { first: guardSet('$14', '$15') }),
    sql: `
      update webhook_endpoints e
      set ${setColumns(changedColumns, 3)}, version = version + 1, awake = true, parked_until = null
      ${isGuarded ? 'from guard' : ''} ${where}`,
    values: [
      read.id,
      read.version,
      ...listValues(changedColumns, changed),
      ...(isGuarded ? [read.accountId, setVersion] : []),
    ],
  };
}

/**
 * Builds the change that deletes an endpoint and its secrets, if nobody changed it since it was read. Its id and its deliveries
 * stay readable.
 */
export function buildEndpointDeletion(read: WebhookEndpoint, at: Date, cancelledBefore: string): Change {
  return {
    name: 'delete-webhook-endpoint',
    sql: `
      update webhook_endpoints e set
        url = '', events = '{}', description = null, metadata = '{}', last_failure = null, failing_since = null,
        status = 'disabled', disabled_reason = 'requested', deleted_at = $3, updated_at = $3, cancelled_before = $4,
        version = version + 1, awake = true, parked_until = null
      ${where}`,
    values: [read.id, read.version, at, cancelledBefore],
    along: {
      forgotten: 'delete from webhook_secrets s using moved where s.endpoint_id = moved.id returning 1',
    },
  };
}

/** Builds the change that adds a secret. The current one signs beside it until `expiresAt`. */
export function buildRotation(
  read: WebhookEndpoint,
  secret: NewWebhookSecret,
  { at, expiresAt }: { at: Date; expiresAt: Date },
): Change {
  return {
    name: 'rotate-webhook-secret',
    sql: `
      update webhook_endpoints e set updated_at = $3, version = version + 1
      ${where}`,
    values: [read.id, read.version, at, secret.id, secret.sealed, expiresAt],
    // There is at most one current secret, so it is retired before the new one is inserted.
    along: {
      retired: `
        update webhook_secrets s set expires_at = $6 from moved
        where s.endpoint_id = moved.id and s.expires_at is null returning s.id`,
      over: `
        delete from webhook_secrets s using moved where s.endpoint_id = moved.id and s.expires_at < $3 returning 1`,
      kept: `
        insert into webhook_secrets (id, endpoint_id, secret, created_at)
        select $4, moved.id, $5::bytea, $3 from moved, (select count(*) from retired) r
        returning 1`,
    },
  };
}

/** Secrets that sign deliveries, each encrypted for its own row. */

const toSealContext = (id: string) => `webhook_secrets/${id}`;

/** Encrypts a secret for its row. */
export function sealWebhookSecret(secretsKey: SecretsKeys, id: string, secret: string): Buffer {
  return encryptSecret(secretsKey, toSealContext(id), secret);
}

/** A secret that signs. */
interface SigningSecret {
  /** `whsec_…` */
  secret: string;
  /** `null`: it is the current one. */
  expiresAt: Date | null;
}

/** Returns the secrets that sign for an endpoint now, newest first: several during a rotation. */
export async function findSigningSecrets(
  db: Database,
  secretsKey: SecretsKeys,
  endpointId: string,
): Promise<SigningSecret[]> {
  const rows = await prepared<{ id: string; secret: Buffer; expiresAt: Date | null }>(
    db,
    'find-signing-secrets',
    `select id, secret, expires_at from webhook_secrets
     where endpoint_id = $1 and (expires_at is null or expires_at > clock_timestamp()) order by id desc`,
    [endpointId],
  );
  return rows.map(({ id, secret, expiresAt }) => ({
    secret: decryptSecret(secretsKey, toSealContext(id), secret),
    expiresAt,
  }));
}
