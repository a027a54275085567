import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';

/**
 * How changes of the schema wait for tables in use: each for a moment only, since everybody else waits behind them, and
 * again after a pause.
 */

/** Whether a statement gave up waiting for a lock (`lock_timeout`). */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03';
}

/** Milliseconds between two tries. */
const pauses = { first: 250, longest: 5_000 };

/**
 * Repeats `work`, which waits for locks for a moment only, until it gets them.
 *
 * @param patienceMs after which it is not tried again.
 * @throws what `work` threw last.
 */
export async function whenFree<Result>(patienceMs: number, work: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + patienceMs;
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
 * Tells, while `work` runs, whom connections of this name wait for: a line for each other process, once.
 *
 * @param db a pool of which one connection is free for it.
 * @param applicationName as those connections have it.
 */
export async function tellWaits<Result>(
  db: Knex,
  applicationName: string,
  log: (line: string) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const told = new Set<string>();
  let looking = Promise.resolve();
  const look = async () => {
    for (const wait of await findWaits(db, applicationName)) {
      const key = `${wait.table} ${wait.holder}`;
      if (!told.has(key)) log(describe(wait));
      told.add(key);
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
