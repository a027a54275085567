const dayMs = 86_400_000;

/**
 * Returns the filter of a list by the days `from` to `to`, in UTC, both included. Text that is no day goes on as it is,
 * so that the API says what is wrong with it.
 */
export function createdBetween(from: string | undefined, to: string | undefined): Record<string, string> {
  return {
    ...(from !== undefined && { 'created[gte]': isDay(from) ? `${from}T00:00:00Z` : from }),
    ...(to !== undefined && {
      'created[lt]': isDay(to) ? new Date(Date.parse(to) + dayMs).toISOString() : to,
    }),
  };
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}
