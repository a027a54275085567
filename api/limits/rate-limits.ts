import type { Logger } from 'pino';
import type { Account } from '#db/access/accounts.ts';
import type { Database } from '#db/knex.ts';
import { leaseTokens, returnTokens, type BucketOwner, type RateLimit } from '#db/access/rate-limits.ts';
import { ProblemError } from '#domain/problems.ts';

/**
 * The rate limit of accounts, of members, or of clients at the issuer. Each has one token bucket in Postgres, which all API
 * processes share. A process leases tokens in lots ahead of need, so a request of a busy account costs a decrement in
 * memory.
 *
 * Together N processes admit at most rate · t + burst within any time t, and one lot each. A process never holds more
 * than its lot, open leases included. While Postgres is away, only tokens that a process holds are admitted.
 */

/** The state of the bucket at one request. */
export interface BucketState {
  admitted: boolean;
  /** The capacity of the bucket in tokens. */
  limit: number;
  /** The requests that would be admitted now. Tokens that other processes took since the last lease still count. */
  remaining: number;
  /** The whole seconds until `remaining` has grown; 0 if the bucket is full. */
  resetSeconds: number;
}

/** The state of one account's bucket in this process. */
interface Holding {
  /** The leased tokens that are not used yet; below 0 if tokens are owed. */
  tokens: number;
  /** The size of the next lease. It grows with every lease, so a single request leases one token. */
  lot: number;
  /** The tokens that the last lease left in the bucket, and its time. */
  left: number;
  leftAt: number;
  /** The bucket cannot hold another lot before this time, and is not asked. */
  emptyUntil: number;
  usedAt: number;
  leasing: Promise<void> | null;
}

/** A lot is the inflow of this part of a second, within bounds. */
const lotsPerSecond = 10;
const maxLot = 500;

/** The growth of each lot. From the third on, lots are leased ahead of need. */
const ramp = 4;

/** Leased tokens that are unused for this time are returned. In milliseconds. */
const idleMs = 1_000;

export interface RateLimitDeps {
  db: Database;
  log: Logger;
  config: { rateLimit: RateLimit };
}

export class RateLimits {
  readonly #deps: RateLimitDeps;
  readonly #owner: BucketOwner;
  readonly #holdings = new Map<string, Holding>();
  #sweepsLater = false;

  constructor(deps: RateLimitDeps, owner: BucketOwner = 'account') {
    this.#deps = deps;
    this.#owner = owner;
  }

  /**
   * Takes a token of the account for one request.
   *
   * @throws if a lease is needed and Postgres cannot be reached.
   */
  async take(account: Pick<Account, 'id' | 'rateLimit'>): Promise<BucketState> {
    const limit = this.#resolveLimit(account);
    const holding = this.#findHolding(account.id);
    holding.usedAt = performance.now();
    while (holding.tokens < 1) {
      if (performance.now() < holding.emptyUntil) return refused(holding, limit);
      await this.#lease(account.id, holding, limit);
    }
    holding.tokens -= 1;
    this.#leaseAhead(account.id, holding, limit);
    return admitted(holding, limit);
  }

  /**
   * Takes the further tokens of an expensive request, which has taken one already. The most is half of the burst, so
   * the request is admitted after a quiet moment. If tokens are missing, none are taken.
   *
   * @throws {ProblemError} `rate_limited`
   */
  async payFor(account: Pick<Account, 'id' | 'rateLimit'>, tokens: number): Promise<void> {
    const limit = this.#resolveLimit(account);
    const wanted = Math.min(tokens, Math.floor(limit.burst / 2)) - 1;
    if (wanted < 1) return;
    const { granted, left } = await leaseTokens(this.#deps.db, this.#owner, account.id, limit, wanted);
    if (granted === wanted) return;
    await this.#giveBack(account.id, granted);
    const missing = wanted - granted - left;
    const seconds = Math.max(1, Math.ceil(missing / limit.requestsPerSecond));
    throw new ProblemError('rate_limited', { headers: { 'Retry-After': String(seconds) } });
  }

  /** Takes tokens for work that was done. What the account lacks is owed: its next requests are refused until then. */
  owe(account: Pick<Account, 'id'>, tokens: number): void {
    if (tokens > 0) this.#findHolding(account.id).tokens -= tokens;
  }

  #resolveLimit({ rateLimit }: Pick<Account, 'rateLimit'>): RateLimit {
    const standard = this.#deps.config.rateLimit;
    return {
      requestsPerSecond: rateLimit.requestsPerSecond ?? standard.requestsPerSecond,
      burst: rateLimit.burst ?? standard.burst,
    };
  }

  #findHolding(accountId: string): Holding {
    const known = this.#holdings.get(accountId);
    if (known) return known;
    const holding = { tokens: 0, lot: 1, left: 0, leftAt: 0, emptyUntil: 0, usedAt: 0, leasing: null };
    this.#holdings.set(accountId, holding);
    this.#sweepLater();
    return holding;
  }

  #leaseAhead(accountId: string, holding: Holding, limit: RateLimit): void {
    const isDue = holding.lot > ramp && holding.tokens <= holding.lot / 4;
    if (!isDue || holding.leasing || performance.now() < holding.emptyUntil) return;
    this.#lease(accountId, holding, limit).catch((error: unknown) => {
      this.#deps.log.debug(
        { err: error, account: accountId },
        'tokens could not be leased ahead, retrying with the next request',
      );
    });
  }

  /** Returns the open lease or a new one. All who wait share it. */
  #lease(accountId: string, holding: Holding, limit: RateLimit): Promise<void> {
    holding.leasing ??= this.#leaseNow(accountId, holding, limit).finally(() => (holding.leasing = null));
    return holding.leasing;
  }

  async #leaseNow(accountId: string, holding: Holding, limit: RateLimit): Promise<void> {
    const lot = Math.min(holding.lot, largestLot(limit));
    const wanted = lot - holding.tokens;
    const { granted, left } = await leaseTokens(this.#deps.db, this.#owner, accountId, limit, wanted);
    const now = performance.now();
    holding.tokens += granted;
    const debt = Math.max(0, -holding.tokens);
    holding.left = left;
    holding.leftAt = now;
    holding.emptyUntil = granted < wanted ? now + ((lot - left + debt) / limit.requestsPerSecond) * 1_000 : 0;
    holding.lot = Math.min(lot * ramp, largestLot(limit));
  }

  /** Forgets quiet accounts, so that memory and leases belong to active ones. */
  #sweep(): void {
    const quietSince = performance.now() - idleMs;
    for (const [accountId, { usedAt, leasing, tokens }] of this.#holdings) {
      if (usedAt > quietSince || leasing) continue;
      this.#holdings.delete(accountId);
      if (tokens > 0) void this.#giveBack(accountId, tokens);
    }
    this.#sweepsLater = false;
    if (this.#holdings.size > 0) this.#sweepLater();
  }

  #sweepLater(): void {
    if (this.#sweepsLater) return;
    this.#sweepsLater = true;
    setTimeout(() => this.#sweep(), idleMs).unref();
  }

  /** Returns tokens to Postgres. If that fails they are lost: a lot flows in again soon. */
  async #giveBack(accountId: string, tokens: number): Promise<void> {
    try {
      await returnTokens(this.#deps.db, this.#owner, accountId, tokens);
    } catch (error) {
      this.#deps.log.debug({ err: error, account: accountId }, 'leased tokens could not be returned');
    }
  }
}

/** Returns the largest lot: at most half a bucket, since the inflow of a full bucket is lost. */
function largestLot({ requestsPerSecond, burst }: RateLimit): number {
  return Math.max(1, Math.min(Math.floor(requestsPerSecond / lotsPerSecond), Math.floor(burst / 2), maxLot));
}

function admitted({ tokens, left, leftAt }: Holding, { requestsPerSecond, burst }: RateLimit): BucketState {
  const inflow = ((performance.now() - leftAt) / 1_000) * requestsPerSecond;
  const remaining = Math.floor(Math.min(burst, left + inflow + tokens));
  // The inflow is at least one token a second.
  return { admitted: true, limit: burst, remaining, resetSeconds: remaining < burst ? 1 : 0 };
}

function refused({ emptyUntil }: Holding, { burst }: RateLimit): BucketState {
  const resetSeconds = Math.max(1, Math.ceil((emptyUntil - performance.now()) / 1_000));
  return { admitted: false, limit: burst, remaining: 0, resetSeconds };
}

/** Returns the state of a bucket as headers. */
export function toRateLimitHeaders({ limit, remaining, resetSeconds }: BucketState): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  };
}

/**
 * Sets the headers of the rate limit on every answer.
 *
 * @throws {ProblemError} `rate_limited`
 */
export function limitRate(ctx: { set(headers: Record<string, string>): unknown }, state: BucketState): void {
  ctx.set(toRateLimitHeaders(state));
  if (state.admitted) return;
  throw new ProblemError('rate_limited', { headers: { 'Retry-After': String(state.resetSeconds) } });
}
