import { groupBy } from './groups.ts';
import { isFinal, type Exchange } from '../load/journal.ts';

/** When the request that made a resource was sent for the first time, in milliseconds, by the resource's id. */
export function firstRequests(journal: readonly Exchange[]): Map<string, number> {
  const keyed = groupBy(
    journal.filter(({ key }) => key !== null),
    ({ account, endpoint, key }) => `${account} ${endpoint} ${key}`,
  );
  const first = new Map<string, number>();
  for (const exchanges of keyed.values()) {
    const made = exchanges
      .find((one) => (one.status === 201 || one.status === 202) && isFinal(one))
      ?.location?.split('/')
      .at(-1);
    if (made) first.set(made, Math.min(...exchanges.map(({ sentAt }) => sentAt)));
  }
  return first;
}
