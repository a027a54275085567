import { ProblemError } from '#domain/problems.ts';

/** Lookups that one account may have under way in this process: a slow name server is to hold no more writes than that. */
const atOnce = 4;

/** A lookup ends within 2 s. */
const retryAfter = '2';

const underWay = new Map<string, number>();

/**
 * Looks a merchant's URL up, as one of few of its account.
 *
 * @throws {ProblemError} `rate_limited`
 */
export async function oneOfFew<Result>(accountId: string, look: () => Promise<Result>): Promise<Result> {
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
