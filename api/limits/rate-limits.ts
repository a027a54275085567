import type { Logger } from 'pino';
import type { Account } from '#db/access/accounts.ts';
import type { Database } from '#db/knex.ts';
import { leaseTokens, returnTokens, type BucketOwner, type RateLimit } from '#db/access/rate-limits.ts';
import { ProblemError } from '#domain/problems.ts';

/**
 * The rate limit of accounts, or of clients at the issuer: one token bucket each in Postgres, shared by all API processes. A process
 * leases tokens in lots ahead of need, so that a request of a busy account costs a decrement in memory.
 *
 * Together N processes admit at most rate · t + burst within any time t, and one lot each: what a process holds,
 * leases under way included, is never more than its lot. While Postgres is away only what is held is admitted.
 */

/** What the bucket says to one request. */
export interface Standing {
  admitted: boolean;
  /** Tokens that fit into the bucket. */
  limit: number;
  /** Requests that would be admitted now. What other processes took since the last lease is not known yet. */
  remaining: number;
  /** Whole seconds until `remaining` has grown; 0 when the bucket is full. */
  resetSeconds: number;
}

/** What this process knows of one account's bucket. */
interface Holding {
  /** Leased, and not used yet. */
  tokens: number;
  /** What the next lease fills up to. It grows with every lease, so that a lone request leases one token. */
  lot: number;
  /** What the last lease left in the bucket, and when. */
  left: number;
  leftAt: number;
  /** Before then the bucket cannot hold another lot: not asked again. */
  emptyUntil: number;
  usedAt: number;
  leasing: Promise<void> | null;
}

/** A lot is what flows in during this part of a second, within bounds. */
const lotsPerSecond = 10;
const maxLot = 500;

/**
 * How much larger each lot is than the one before, until it is as large as it may be. From the third on they are
 * leased ahead of need: a lone request is not to cost a statement more.
 */
const ramp = 4;

/** Leased tokens that nobody used for so long are given back. */
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
   * @throws when a lease is needed and Postgres cannot be reached.
   */
  async take(account: Pick<Account, 'id' | 'rateLimit'>): Promise<Standing> {
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
   * Takes the tokens of a request that asks for much: one it has taken already. Half of the burst is enough for any, so that
   * it is let in once the account has been quiet for a moment. What is not there in full is left there.
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
      this.#deps.log.debug({ err: error, account: accountId }, 'no lease ahead; the next request asks again');
    });
  }

  /** The lease under way, or a new one; all who wait share it. */
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
    holding.left = left;
    holding.leftAt = now;
    holding.emptyUntil = granted < wanted ? now + ((lot - left) / limit.requestsPerSecond) * 1_000 : 0;
    holding.lot = Math.min(lot * ramp, largestLot(limit));
  }

  /** Forgets the accounts that went quiet, so that memory and leases belong to those who ask. */
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

  /** What cannot be given back is lost: a lot flows in again within a moment. */
  async #giveBack(accountId: string, tokens: number): Promise<void> {
    try {
      await returnTokens(this.#deps.db, this.#owner, accountId, tokens);
    } catch (error) {
      this.#deps.log.debug({ err: error, account: accountId }, 'leased tokens not given back');
    }
  }
}

/** At most half a bucket too: one that is full lets what flows in flow over. */
function largestLot({ requestsPerSecond, burst }: RateLimit): number {
  return Math.max(1, Math.min(Math.floor(requestsPerSecond / lotsPerSecond), Math.floor(burst / 2), maxLot));
}

function admitted({ tokens, left, leftAt }: Holding, { requestsPerSecond, burst }: RateLimit): Standing {
  const inflow = ((performance.now() - leftAt) / 1_000) * requestsPerSecond;
  const remaining = Math.floor(Math.min(burst, left + inflow + tokens));
  // Tokens flow in at one a second or faster.
  return { admitted: true, limit: burst, remaining, resetSeconds: remaining < burst ? 1 : 0 };
}

function refused({ emptyUntil }: Holding, { burst }: RateLimit): Standing {
  const resetSeconds = Math.max(1, Math.ceil((emptyUntil - performance.now()) / 1_000));
  return { admitted: false, limit: burst, remaining: 0, resetSeconds };
}

/** Where the owner of a bucket stands, as headers. */
export function standingHeaders({ limit, remaining, resetSeconds }: Standing): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  };
}

/**
 * Tells the caller where its account stands, whatever the answer will be.
 *
 * @throws {ProblemError} `rate_limited`
 */
export function limitRate(ctx: { set(headers: Record<string, string>): unknown }, standing: Standing): void {
  ctx.set(standingHeaders(standing));
  if (standing.admitted) return;
  throw new ProblemError('rate_limited', { headers: { 'Retry-After': String(standing.resetSeconds) } });
}
