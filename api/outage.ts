import { isDatabaseAway } from '../db/knex.ts';
import { ProblemError } from '../domain/problems.ts';

/** For `.catch` of a step that changes nothing: without the database the caller hears 503, and sends again. */
export function unavailableWithoutDatabase(error: unknown): never {
  if (!isDatabaseAway(error)) throw error;
  throw new ProblemError('service_unavailable', { headers: { 'retry-after': '1' }, cause: error });
}

/** For `.catch` of what may have had its effect: 503 would say that nothing happened, and nobody knows. */
export function unknownWithoutDatabase(error: unknown): never {
  if (!isDatabaseAway(error)) throw error;
  throw new ProblemError('internal_error', { cause: error });
}
