import { isDatabaseAway } from '#db/knex.ts';
import { ProblemError, type ProblemCode } from '#domain/problems.ts';

/** Throws 503 if the database is away, and otherwise the error: for a step that changes nothing. */
export function unavailableWithoutDatabase(error: unknown): never {
  throw isDatabaseAway(error) ? outage('service_unavailable', error) : error;
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
