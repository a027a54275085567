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
 * Does what a caller asked for, with an entry in the audit. The entry is committed first: nothing that was done is
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

/**
 * Does what a person asked for, and makes the entry of what changed nothing. A change has made its entry itself, which stays.
 * A write that may still end, such as one whose processor is slow, has an entry without a status until then.
 */
export async function auditedAfter(
  db: Database,
  entry: NewAuditEntry,
  act: () => Promise<void>,
  toOutcome: () => AuditOutcome,
): Promise<void> {
  const record = (outcome?: AuditOutcome) =>
    // The answer is there, whether the entry can tell it or not.
    insertAuditEntry(db, entry, outcome).catch(() => undefined);
  try {
    await act();
  } catch (error) {
    const status = error instanceof ProblemError ? problems[error.code].status : 500;
    await record(mayStillEnd(error, status) ? undefined : { status });
    throw error;
  }
  await record(toOutcome());
}

function mayStillEnd(error: unknown, status: number): boolean {
  return status >= 500 || (error instanceof ProblemError && error.code === 'idempotency_key_in_progress');
}
