import {
  endAuditEntry,
  insertAuditEntry,
  type AuditOutcome,
  type NewAuditEntry,
} from '#db/access/audit-entries.ts';
import type { Database } from '#db/knex.ts';
import { ProblemError, problems } from '#domain/problems.ts';
import { unavailableWithoutDatabase } from './outage.ts';

/**
 * Does what a person asked for, with an entry in the audit. The entry is committed first: nothing that a person did is
 * missing there, however the process ends. What was begun and not seen to end has no status.
 *
 * @throws {ProblemError} `service_unavailable` if the entry cannot be written: then nothing was done; and what `act` throws.
 */
export async function audited<Result>(
  db: Database,
  entry: NewAuditEntry,
  act: () => Promise<Result>,
  toOutcome: (result: Result) => AuditOutcome,
): Promise<Result> {
  const id = await insertAuditEntry(db, entry).catch(unavailableWithoutDatabase);
  const end = (outcome: AuditOutcome) =>
    // The answer is there, whether the entry can tell it or not.
    endAuditEntry(db, id, outcome).catch(() => undefined);
  try {
    const result = await act();
    await end(toOutcome(result));
    return result;
  } catch (error) {
    await end({ status: error instanceof ProblemError ? problems[error.code].status : 500 });
    throw error;
  }
}
