import { isDatabaseAway } from '#db/knex.ts';
import { WritesHeldError } from '#db/restores.ts';
import { ProblemError, type ProblemCode } from '#domain/problems.ts';

/** Throws 503 if the database is away or waits for its repair after a restore, and otherwise the error: for a step that changes nothing. */
export function unavailableWithoutDatabase(error: unknown): never {
  if (error instanceof WritesHeldError) throw held(error);
  throw isDatabaseAway(error) ? outage('service_unavailable', error) : error;
}

function held(cause: WritesHeldError): ProblemError {
  const detail =
    'The database of the service was restored and is being repaired. Nothing happened. Retry with the same key.';
  return new ProblemError('service_unavailable', { detail, headers: { 'Retry-After': '10' }, cause });
}

/** Throws `outcome_unknown` if the database is away, and otherwise the error: for a step with an effect. */
export function unknownWithoutDatabase(error: unknown): never {
  throw isDatabaseAway(error) ? outage('outcome_unknown', error) : error;
}

/** Returns the problem of an outage, with the time to wait before the next try. */
export function outage(
  code: Extract<ProblemCode, 'service_unavailable' | 'outcome_unknown'>,
  cause: unknown,
): ProblemError {
  return new ProblemError(code, { headers: { 'Retry-After': '1' }, cause });
}
