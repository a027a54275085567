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
 * The same for statements that must know whether it had begun: `found` is the locked claim as it was before. Steps that
 * only the beginning statement may do need `found.begun_at is null`.
 */
export const beginFoundClaim = `found as (
  select * from idempotency_keys where ${isBeginnable} for update
), begun as (
  update idempotency_keys k set begun_at = clock_timestamp()
  from found where k.claim_id = found.claim_id and found.begun_at is null
)`;
