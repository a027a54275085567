import { isDatabaseAway } from '#db/knex.ts';
import { ProblemError, type ProblemCode } from '#domain/problems.ts';

/** For `.catch` of a step that changes nothing: without the database the caller hears 503, and sends again. */
export function unavailableWithoutDatabase(error: unknown): never {
  throw isDatabaseAway(error) ? outage('service_unavailable', error) : error;
}

/** For `.catch` of a step that may have had its effect: the caller hears that nobody knows, and sends again. */
export function unknownWithoutDatabase(error: unknown): never {
  throw isDatabaseAway(error) ? outage('outcome_unknown', error) : error;
}

/** An outage as the caller hears it: which of the two is known, and when to send again. */
export function outage(
  code: Extract<ProblemCode, 'service_unavailable' | 'outcome_unknown'>,
  cause: unknown,
): ProblemError {
  return new ProblemError(code, { headers: { 'Retry-After': '1' }, cause });
}
