/**
 * What each statement that begins a claim asks (`docs/architecture.md`, "The fence"), as SQL.
 */

/** Whether the account that `id`, an expression, names may move money. */
export const isActive = (id: string): string =>
  `exists (select from accounts a where a.id = ${id} and a.status = 'active')`;

/**
 * Whether the claim `k` has begun, or may begin now: it is not too late, and its account is not disabled. What has begun
 * is seen through whatever becomes of its account.
 */
export const mayBegin = (k: string): string =>
  `(${k}.begun_at is not null or clock_timestamp() < ${k}.start_by and ${isActive(`${k}.account_id`)})`;
