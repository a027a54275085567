/**
 * The parts of statements that begin a claim, as SQL (`docs/architecture.md`, "Begin").
 */

/** A condition: the account that `id`, an expression, names may move money. */
export const isActive = (id: string): string =>
  `exists (select from accounts a where a.id = ${id} and a.status = 'active')`;

/** The claim `$1` on the resource `$2`, if it has begun or may begin now. A begun one ends whatever its account becomes. */
const isBeginnable = `claim_id = $1 and resource_id = $2 and (begun_at is not null
  or clock_timestamp() < start_by and ${isActive('idempotency_keys.account_id')})`;

/**
 * Begins the claim `$1` on the resource `$2`, unless it has begun: the common table expression `begun`. It has no row if the
 * claim is gone, came too late, or belongs to a disabled account.
 */
export const beginClaim = `begun as (
  update idempotency_keys set begun_at = coalesce(begun_at, clock_timestamp()) where ${isBeginnable}
  returning *
)`;

/**
 * Begins the oldest command on the resource `$1` that has no answer: the common table expression `begun`, without a row if
 * there is none. A command is a request about a resource that its run carries out, such as a capture. One that had begun is
 * found again: the step that began it may have died before its answer.
 *
 * @param endpoint the method and the route of the command, one of those of the index `idempotency_keys_commands`.
 * @param isWaiting a condition in SQL on the claim `k`, for claims that are to be taken now.
 */
export const beginCommand = (endpoint: string, isWaiting: string): string => `begun as (
  update idempotency_keys set begun_at = coalesce(begun_at, clock_timestamp())
  where answered_at is null and claim_id = (
    select claim_id from idempotency_keys k
    where resource_id = $1 and endpoint = '${endpoint}' and answered_at is null and ${isWaiting}
      and (begun_at is not null or clock_timestamp() < start_by and ${isActive('k.account_id')})
    order by created_at, claim_id limit 1)
  returning *
)`;

/**
 * The same for statements that must know whether it had begun: `found` is the locked claim as it was before. Steps that
 * only the beginning statement may do need `found.begun_at is null`.
 */
export const beginFoundClaim = `found as (
  select * from idempotency_keys where ${isBeginnable} for update
), begun as (
  update idempotency_keys k set begun_at = clock_timestamp()
  from found where k.claim_id = found.claim_id and found.begun_at is null
)`;
