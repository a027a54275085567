import { ProblemError } from '#domain/problems.ts';

/** Lookups of one account at once in this process: a slow name server must not hold more of its writes. */
const atOnce = 4;

/** A lookup ends within 2 s. */
const retryAfter = '2';

const underWay = new Map<string, number>();

/**
 * Runs a lookup of a merchant's URL if the account has fewer than four under way.
 *
 * @throws {ProblemError} `rate_limited`
 */
export async function withLookupLimit<Result>(
  accountId: string,
  look: () => Promise<Result>,
): Promise<Result> {
  const before = underWay.get(accountId) ?? 0;
  if (before >= atOnce) {
    const detail = 'Too many of your URLs are being looked up at once. Wait for Retry-After seconds.';
    throw new ProblemError('rate_limited', { detail, headers: { 'Retry-After': retryAfter } });
  }
  underWay.set(accountId, before + 1);
  try {
    return await look();
  } finally {
    const left = (underWay.get(accountId) ?? 1) - 1;
    if (left > 0) underWay.set(accountId, left);
    else underWay.delete(accountId);
  }
}
