import { currentTime } from '#db/clock.ts';
import type { Database } from '#db/knex.ts';
import { findSetAside, forgetFaults, type RowTask } from '#db/maintenance-faults.ts';
import { listBadlyClosed, listRunning } from '#temporal/client/runs.ts';
import type { ActivityDeps } from '../deps.ts';
import { eachRow, inPieces } from './rows.ts';

/** How the sweep finds open rows whose workflow is gone, and has them repaired. */

/** Open rows of a kind that the sweep takes at once. */
export const takenAtOnce = 100;

/** A kind of resource that has a workflow for as long as it is open. */
export interface RunKind<Row, Repair> {
  task: RowTask;
  workflowTypes: readonly string[];
  /** Milliseconds for which a run of the sweep takes rows; and for which it does while it finds lost runs among them. */
  withinMs: { usually: number; repairing: number };
  /** Finds those that are open, and not set aside. */
  findByWorkflow(db: Database, workflowIds: string[]): Promise<Row[]>;
  findById(db: Database, ids: string[]): Promise<Row[]>;
  /** Finds rows of which it is known that they have no run. */
  findWithoutRun?(db: Database): Promise<Row[]>;
  /**
   * Takes {@link takenAtOnce} rows of each table that were made or looked at longest ago. `taken`: so many were in this run;
   * `isRepairing`: some of the last ones were lost, so all rows may be.
   */
  take(db: Database, so: { taken: number; isRepairing: boolean }): Promise<Row[]>;
  /** Repairs a row if its run has closed, or is not there at all; `null`: it runs. The list of runs lags behind. */
  repair(row: Row): Promise<Repair | null>;
}

/** The ids of a row and of its run. */
interface RunRow {
  id: string;
  workflowId: string;
  claimId: string;
}

/**
 * Repairs every open row whose run is gone: those whose run was terminated, failed or timed out of late, those that
 * could not be repaired before, and, in rotation, those that were made or looked at longest ago.
 */
export async function repairLost<Row extends RunRow, Repair>(
  deps: ActivityDeps,
  kind: RunKind<Row, Repair>,
): Promise<NonNullable<Repair>[]> {
  const repairs: NonNullable<Repair>[] = [];
  const repairEach = async (rows: readonly Row[]) => {
    const done = await eachRow(deps, kind.task, rows, (row) => kind.repair(row));
    repairs.push(...done.filter((repair) => repair !== null && repair !== undefined));
  };
  await repairEach(await findCandidates(deps, kind));
  const until = performance.now() + kind.withinMs.usually;
  let taken = 0;
  let isRepairing = repairs.length > 0;
  await inPieces(kind.withinMs.repairing, async () => {
    const rows = await kind.take(deps.db, { taken, isRepairing });
    taken += rows.length;
    const running = await listRunning(deps.client, rows);
    const before = repairs.length;
    await repairEach(rows.filter(({ id }) => !running.has(id)));
    isRepairing = repairs.length > before;
    const isOver = !isRepairing && performance.now() > until;
    return { done: rows.length, hasMore: rows.length >= takenAtOnce && !isOver };
  });
  return repairs;
}

async function findCandidates<Row extends RunRow>(
  { db, client }: ActivityDeps,
  kind: RunKind<Row, unknown>,
): Promise<Row[]> {
  const closed: string[] = [];
  for (const type of kind.workflowTypes) closed.push(...(await listBadlyClosed(client, type, currentTime())));
  const rows = [
    ...(await kind.findByWorkflow(db, closed)),
    ...((await kind.findWithoutRun?.(db)) ?? []),
    ...(await findFailed(db, kind)),
  ];
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Finds rows that were set aside, and may be looked at again. One that is no longer open needs nothing. */
async function findFailed<Row extends RunRow>(db: Database, kind: RunKind<Row, unknown>): Promise<Row[]> {
  const ids = await findSetAside(db, kind.task, takenAtOnce);
  const rows = await kind.findById(db, ids);
  const open = new Set(rows.map(({ id }) => id));
  const over = ids.filter((id) => !open.has(id));
  if (over.length > 0) await forgetFaults(db, kind.task, over);
  return rows;
}
