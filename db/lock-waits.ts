import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';

/**
 * How changes of the schema wait for tables in use. All others wait behind them, so each wait is short, and is repeated
 * after a pause.
 */

/** Returns whether a statement waited too long for a lock (`lock_timeout`). */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03';
}

/** Milliseconds between two tries. */
const pauses = { first: 250, longest: 5_000 };

/**
 * Repeats `work`, which waits only a short time for its locks, until it has them.
 *
 * @param maxWaitMs after this time it is not repeated.
 * @throws the last error of `work`.
 */
export async function whenFree<Result>(maxWaitMs: number, work: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + maxWaitMs;
  for (let pauseMs = pauses.first; ; pauseMs = Math.min(2 * pauseMs, pauses.longest)) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() + pauseMs > until) throw error;
      await sleep(pauseMs);
    }
  }
}

interface Wait {
  table: string | null;
  holder: number;
  application: string;
  state: string | null;
  seconds: number;
}

/**
 * Logs, while `work` runs, the processes that connections of this name wait for: one line for each process.
 *
 * @param db a pool with one free connection.
 * @param applicationName the name of those connections.
 */
export async function reportWaits<Result>(
  db: Knex,
  applicationName: string,
  log: (line: string) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const reported = new Set<string>();
  let looking = Promise.resolve();
  const look = async () => {
    for (const wait of await findWaits(db, applicationName)) {
      const key = `${wait.table} ${wait.holder}`;
      if (!reported.has(key)) log(describe(wait));
      reported.add(key);
    }
  };
  const timer = setInterval(() => {
    looking = looking.then(look).catch(() => undefined);
  }, 100);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await looking;
  }
}

function describe({ table, holder, application, state, seconds }: Wait): string {
  const what = table === null ? 'older transactions' : `table ${table}`;
  return `waiting for ${what}: process ${holder} (${application || 'unnamed'}, ${state}) has held it for ${seconds} s`;
}

async function findWaits(db: Knex, applicationName: string): Promise<Wait[]> {
  const { rows } = await db.raw<{ rows: Wait[] }>(
    `select
       (select l.relation::regclass::text from pg_locks l where l.pid = w.pid and not l.granted limit 1) as table,
       h.pid as holder, h.application_name as application, h.state,
       floor(extract(epoch from clock_timestamp() - h.xact_start))::int as seconds
     from pg_stat_activity w
     cross join lateral unnest(pg_blocking_pids(w.pid)) as blocking (pid)
     join pg_stat_activity h on h.pid = blocking.pid
     where w.application_name = ? and w.wait_event_type = 'Lock'`,
    [applicationName],
  );
  return rows;
}
